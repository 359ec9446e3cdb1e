"""What is going to be asked: chunks that fit the model, of files that may be sent."""

import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.model import ModelFacts
from ui.audit.plan import MOST, Plan, made, most_tokens, questions
from ui.common.usage_errors import Usage
from ui.findings import markdown

KB = 1024


def write(root: Path, files: int, size: int) -> None:
    """size: bytes of each, about."""
    line = "value = run_it(argument)  # what it does\n"
    for number in range(files):
        folder = root / f"folder_{number % 7}"
        folder.mkdir(exist_ok=True)
        (folder / f"file_{number:04}.py").write_text(f"# {number}\n" + line * (size // len(line)))


def plan(root: Path, budget: int = 4000, closed: Sequence[str] = (), max_chunks: int = 100) -> Plan:
    return made(root, budget, (root / "ISSUES.md",), closed, max_chunks)


@pytest.mark.parametrize(
    ("facts", "least", "most"),
    [
        (ModelFacts(), 10_000, 20_000),
        (ModelFacts(context=1_000_000, max_output=64_000), MOST, MOST),
        (ModelFacts(context=200_000, max_output=200_000), MOST, MOST),
        (ModelFacts(context=64_000, max_output=8_000, max_input=32_000), 15_000, 32_000),
        (ModelFacts(context=8_000), 1_000, 6_000),
    ],
)
def test_a_chunk_leaves_room_for_the_answer(facts: ModelFacts, least: int, most: int) -> None:
    assert least <= most_tokens(facts, "s" * 2000) <= most


def test_every_file_is_in_a_chunk_and_each_chunk_fits(tmp_path: Path) -> None:
    write(tmp_path, 40, 4 * KB)

    found = plan(tmp_path)

    assert len({part.path for chunk in found.chunks for part in chunk.parts}) == 40
    assert all(chunk.tokens <= 4000 for chunk in found.chunks)
    assert [one.id for one in questions(found, "s")] == [f"chunk {chunk.id}" for chunk in found.chunks]


def test_too_many_chunks_are_refused_with_what_to_do(tmp_path: Path) -> None:
    write(tmp_path, 40, 4 * KB)

    with pytest.raises(Usage, match=r"--max-chunks is 3\. Give it --max-chunks \d+, .*--diff BASE.*--cwd FOLDER"):
        plan(tmp_path, max_chunks=3)


def test_a_folder_in_which_nothing_may_be_sent_says_why(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEY=1\n")
    (tmp_path / "a.bin").write_bytes(b"\0\1")

    with pytest.raises(Usage, match=r"nothing to audit in .*: .*1 binary"):
        plan(tmp_path)


def test_what_rules_close_is_not_sent(tmp_path: Path) -> None:
    write(tmp_path, 14, KB)

    found = plan(tmp_path, closed=("folder_3/**",))

    assert not [file for file in found.collection.files if file.path.startswith("folder_3/")]
    assert found.collection.skipped_by_reason["closed by a rule"] == 2


def test_reports_of_ours_are_not_sent_whatever_they_are_called(tmp_path: Path) -> None:
    write(tmp_path, 1, KB)
    (tmp_path / "ISSUES.md").write_text(markdown.BEGINS)
    (tmp_path / "last year.md").write_text(f"{markdown.BEGINS}\n# x\n")
    (tmp_path / "code.py").write_text(f"{markdown.BEGINS}\n")
    (tmp_path / "README.md").write_text("# x\n")

    found = plan(tmp_path).collection

    assert [file.path for file in found.files] == ["README.md", "code.py", "folder_0/file_0000.py"]
    assert found.skipped_by_reason == {"own report": 1}  # of which the audit may say that it is there


def test_a_question_is_the_same_whenever_it_is_built(tmp_path: Path) -> None:
    write(tmp_path, 3, KB)

    (first, *_), (again, *_) = questions(plan(tmp_path), "s"), questions(plan(tmp_path), "s")

    assert first.prompt() == again.prompt() == first.prompt()


def test_a_file_that_changed_meanwhile_is_that_questions_problem(tmp_path: Path) -> None:
    write(tmp_path, 3, KB)
    (asked, *_) = questions(plan(tmp_path), "s")
    (tmp_path / "folder_1" / "file_0001.py").write_text("changed\n")

    with pytest.raises(Failed, match=r"folder_1/file_0001.py changed while") as why:
        asked.prompt()

    assert why.value.problem.code == "bad_request"


def test_memory_does_not_grow_with_the_texts(tmp_path: Path) -> None:
    files, size = 300, 16 * KB
    write(tmp_path, files, size)
    plan(tmp_path, max_chunks=files * 2)  # what is imported when it is needed is there

    tracemalloc.start()
    try:
        for asked in questions(plan(tmp_path, max_chunks=files * 2), "s"):
            asked.prompt()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < files * size / 4
