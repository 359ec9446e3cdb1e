"""The result file of a batch: what is done is not done again, and nobody else's file is touched."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ui.headless.batch_results import append_line, finished_ids

from ui.common.usage_errors import Usage

RUN = "r1"
HEAD = b'{"id":"a\\"b","answer":"'
DONE: dict[str, object] = {"id": "a", "answer": "yes", "reason": "done", "session": "r0-61"}
FAILED: dict[str, object] = {"id": "b", "answer": "", "reason": "failed", "session": "r0-62"}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """No file can get larger: a write up to there is short, the next one fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_without_a_file_nothing_is_finished(out: Path) -> None:
    assert finished_ids(out, RUN) == set()


def test_what_failed_counts_only_in_its_own_run(out: Path) -> None:
    append_line(out, DONE)
    append_line(out, FAILED)

    assert finished_ids(out, RUN) == {"a"}
    assert finished_ids(out, "r0") == {"a", "b"}


@pytest.mark.parametrize("length", range(1, len(HEAD) + 5))
def test_a_torn_last_line_is_cut_off(out: Path, length: int) -> None:
    append_line(out, DONE)
    whole = out.read_bytes()
    out.write_bytes(whole + (HEAD + b"so far")[:length])

    assert finished_ids(out, RUN) == {"a"}
    assert out.read_bytes() == whole


@pytest.mark.parametrize(
    "text",
    [
        "buy milk",
        "buy milk\n",
        '{"id":"a","prompt":"x"}',
        '{"id": "a", "prompt": "x"}\n{"id": "b", "prompt": "y"}',
        '{"id": "b", "prompt": "y"}\n',
        "\n[1, 2",
    ],
)
def test_a_file_that_is_no_result_file_is_left_alone(out: Path, text: str) -> None:
    out.write_text(text)

    with pytest.raises(Usage, match="holds no results of a batch"):
        finished_ids(out, RUN)

    assert out.read_text() == text


def test_a_device_is_no_result_file() -> None:
    with pytest.raises(Usage, match="is not a file"):
        finished_ids(Path("/dev/null"), RUN)


def test_a_line_that_does_not_fit_is_not_there_at_all(out: Path) -> None:
    append_line(out, DONE)
    whole = out.read_bytes()

    with disk_of(len(whole) + 10), pytest.raises(OSError, match="too large"):
        append_line(out, FAILED)

    assert out.read_bytes() == whole
