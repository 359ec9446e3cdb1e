"""`list`, `glob` and `grep` over a real folder."""

from pathlib import Path

import pytest

from actors.tools import limits
from tests.actors.tools.conftest import Call


@pytest.fixture(autouse=True)
def tree(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "needle.py").write_text("needle\n")
    (folder / ".github").mkdir()
    (folder / ".github" / "ci.yml").write_text("needle: yes\n")
    (folder / ".gitignore").write_text("build/\n")
    (folder / "build").mkdir()
    (folder / "build" / "out.py").write_text("needle\n")
    (folder / "src").mkdir()
    (folder / "src" / "b.py").write_text("first\nneedle = 1\nlast\n")
    (folder / "a.py").write_text("Needle(\n")


async def test_list_shows_folders_first(folder: Path, call: Call) -> None:
    (folder / "link").symlink_to("a.py")

    outcome = await call("list")

    assert outcome.output.splitlines() == [
        ".git/",
        ".github/",
        "build/",
        "src/",
        ".gitignore  7 bytes",
        "a.py  8 bytes",
        "link -> a.py",
    ]


async def test_list_of_nothing(folder: Path, call: Call) -> None:
    (folder / "empty").mkdir()

    assert (await call("list", path="empty")).output == "(empty folder)"
    assert "No such folder" in (await call("list", path="nope")).output
    assert "Use read" in (await call("list", path="a.py")).output


@pytest.mark.parametrize(
    ("pattern", "path", "found"),
    [
        ("**/*.py", ".", ["a.py", "src/b.py"]),
        ("*.py", "src", ["src/b.py"]),
        ("src/*.py", ".", ["src/b.py"]),
        ("*.yml", ".", [".github/ci.yml"]),
    ],
)
async def test_glob(call: Call, pattern: str, path: str, found: list[str]) -> None:
    outcome = await call("glob", pattern=pattern, path=path)

    assert outcome.output.splitlines() == found
    assert outcome.summary == f"{len(found)} files"


async def test_glob_finds_nothing_or_too_much(folder: Path, call: Call) -> None:
    for number in range(limits.GLOB_FILES + 1):
        (folder / f"{number}.txt").touch()

    nothing = await call("glob", pattern="*.nope")
    much = await call("glob", pattern="*.txt")

    assert nothing.output.startswith("No files match.")
    assert not nothing.failed
    assert len(much.output.splitlines()) == limits.GLOB_FILES + 1
    assert much.summary == f"{limits.GLOB_FILES}+ files"


async def test_grep_names_path_and_line(call: Call) -> None:
    outcome = await call("grep", pattern="needle")

    assert outcome.output.splitlines() == [".github/ci.yml:1:needle: yes", "src/b.py:2:needle = 1"]


async def test_grep_with_everything(call: Call) -> None:
    outcome = await call("grep", pattern="NEEDLE", glob="*.py", ignore_case=True, context=1, path="src")

    assert outcome.output.splitlines() == ["src/b.py-1-first", "src/b.py:2:needle = 1", "src/b.py-3-last"]


async def test_a_pattern_that_looks_like_a_flag_is_a_pattern(folder: Path, call: Call) -> None:
    (folder / "c.txt").write_text("--files\n")

    assert (await call("grep", pattern="--files")).output == "c.txt:1:--files"


async def test_a_bad_pattern_is_explained(call: Call) -> None:
    outcome = await call("grep", pattern="Needle(")

    assert outcome.failed
    assert "unclosed group" in outcome.output
    assert "backslash" in outcome.output


async def test_grep_finds_nothing(call: Call) -> None:
    outcome = await call("grep", pattern="haystack")

    assert outcome.output.startswith("No matches.")
    assert not outcome.failed


async def test_many_matches_are_capped(folder: Path, call: Call) -> None:
    (folder / "many.txt").write_text("hit\n" * 10_000)

    outcome = await call("grep", pattern="hit")

    assert len(outcome.output.splitlines()) == limits.GREP_LINES + 1
    assert outcome.output.splitlines()[-1].startswith("[there are more")
