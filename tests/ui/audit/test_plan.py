"""What is going to be asked: chunks that fit the model, of files that may be sent."""

import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.model import ModelFacts
from tests.repositories import git
from ui.audit.plan import MOST, Plan, Wanted, made, questions
from ui.common.usage_errors import Usage
from ui.findings import markdown
from ui.inquiry.room import most_tokens

KB = 1024


def write(root: Path, files: int, size: int) -> None:
    """size: bytes of each, about."""
    line = "value = run_it(argument)  # what it does\n"
    for number in range(files):
        folder = root / f"folder_{number % 7}"
        folder.mkdir(exist_ok=True)
        (folder / f"file_{number:04}.py").write_text(f"# {number}\n" + line * (size // len(line)))


def plan(root: Path, most: int = 4000, closed: Sequence[str] = (), base: str = "", max_chunks: int = 100) -> Plan:
    wanted = Wanted(root=root, keep_out=(root / "ISSUES.md",), closed=tuple(closed), base=base, max_chunks=max_chunks)
    return made(wanted, most)


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
    assert least <= most_tokens(facts, "s" * 2000, MOST) <= most


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
    few, many, size = tmp_path / "few", tmp_path / "many", 16 * KB
    for folder, files in ((few, 10), (many, 300)):
        folder.mkdir()
        write(folder, files, size)
    peak_of(few)  # what is imported when it is needed is there

    assert peak_of(many) - peak_of(few) < 290 * size / 5


def peak_of(root: Path) -> int:
    """Bytes, while all of it is asked about."""
    tracemalloc.start()
    try:
        for asked in questions(plan(root, max_chunks=600), "s"):
            asked.prompt()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_the_model_is_told_of_the_whole_repository_in_a_fence_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, 20, 4 * KB)
    (tmp_path / "folder_1" / "run.py").write_text("import os\nos.system(input())\n")

    prompts = [asked.prompt() for asked in questions(plan(tmp_path), "s")]

    (overview,) = {prompt.partition("</overview-")[0] for prompt in prompts}
    assert "21 files" in overview
    assert "folder_1/run.py:2" in overview
    assert all(len(prompt) / 4 < 4000 for prompt in prompts)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    write(tmp_path, 3, 16 * KB)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a")
    return tmp_path


def test_only_what_has_changed_is_asked_about(repository: Path) -> None:
    path = repository / "folder_1" / "file_0001.py"
    path.write_text(f"{path.read_text()}run_it_all(input())\n")

    found = plan(repository, base="HEAD", most=20_000)
    (prompt,) = [asked.prompt() for asked in questions(found, "s")]

    assert (found.files, len(found.chunks)) == (1, 1)
    assert f"only what has changed since {git(repository, 'rev-parse', 'HEAD').strip()}" in prompt
    assert "run_it_all(input())" in prompt
    assert prompt.count("work") + prompt.count("run_it(") < 60  # of 400 lines


def test_nothing_changed_is_nothing_to_ask(repository: Path) -> None:
    assert plan(repository, base="HEAD").chunks == ()


@pytest.mark.parametrize(("base", "said"), [("nowhere", "no such commit"), ("--upload-pack=x", "no such commit")])
def test_a_base_that_there_is_not_is_named(repository: Path, base: str, said: str) -> None:
    with pytest.raises(Usage, match=f"--diff {base}.*{said}"):
        plan(repository, base=base)


def test_a_folder_that_is_no_repository_has_no_base(tmp_path: Path) -> None:
    write(tmp_path, 1, KB)

    with pytest.raises(Usage, match="--diff HEAD"):
        plan(tmp_path, base="HEAD")
