"""The result file of a batch: what is done is not done again, and nobody else's file is touched."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from actors.messages.batch import TaskRow
from ui.batch.results_file import agree, append, lines
from ui.common.usage_errors import Usage

HEAD = b'{"id":"a\\"b","answer":"'
A = TaskRow(key="ka", id="a", state="done", result='{"id":"a","answer":"yes","reason":"done","session":"r0.ka"}')
B = TaskRow(key="kb", id="b", state="failed", result='{"id":"b","answer":"","reason":"failed","session":"r0.kb"}')
OPEN = TaskRow(key="kc", id="c", state="running")
OLD = '{"id":"old","answer":"yes","reason":"done","session":"r9-6f"}'


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


def text_of(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("torn", [b"", *((HEAD + b"so far")[:length] for length in range(1, len(HEAD) + 5))])
def test_a_torn_last_line_is_cut_off(out: Path, torn: bytes) -> None:
    out.write_bytes(f"{A.result}\n".encode() + torn)

    assert [result.id for _, result in lines(out)] == ["a"]
    agree(out, [A])
    assert out.read_text() == text_of(A.result)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, text_of(A.result, B.result)),
        (text_of(B.result), text_of(B.result, A.result)),
        (text_of(A.result, A.result, B.result), text_of(A.result, B.result)),
        (text_of(A.result.replace("yes", "no"), B.result), text_of(B.result, A.result)),
        (
            text_of(A.result, OLD, OPEN.result or '{"id":"c","reason":"failed"}', B.result),
            text_of(A.result, OLD, B.result),
        ),
        (text_of(OLD, OLD), text_of(OLD, A.result, B.result)),
    ],
    ids=["no file", "one is missing", "one is there twice", "an earlier result", "one that has none", "another file's"],
)
def test_each_task_with_a_result_has_one_line(out: Path, before: str | None, after: str) -> None:
    if before is not None:
        out.write_text(before)

    agree(out, [A, B, OPEN])

    assert out.read_text() == after


def test_a_file_that_agrees_is_left_alone_and_one_that_does_not_keeps_its_rights(out: Path) -> None:
    out.write_text(text_of(A.result))
    out.chmod(0o640)
    before = out.stat()

    agree(out, [A])
    assert out.stat() == before
    agree(out, [A, B])
    assert out.stat().st_mode == before.st_mode


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
        lines(out)

    assert out.read_text() == text


def test_a_device_is_no_result_file() -> None:
    with pytest.raises(Usage, match="is not a file"):
        lines(Path("/dev/null"))


def test_a_line_that_does_not_fit_is_not_there_at_all(out: Path) -> None:
    append(out, f"{A.result}\n")
    whole = out.read_bytes()

    with disk_of(len(whole) + 10), pytest.raises(OSError, match="too large"):
        append(out, f"{B.result}\n")

    assert out.read_bytes() == whole


def test_nothing_is_written_through_a_link_that_a_task_has_put_there(out: Path) -> None:
    other = out.with_name("other")
    out.symlink_to(other)

    with pytest.raises(OSError, match="symbolic links"):
        append(out, f"{A.result}\n")
    with pytest.raises(OSError, match="symbolic links"):
        agree(out, [A])

    assert not other.exists()
