"""`list`, `glob` and `grep` over a real folder."""

import os
from pathlib import Path

import pytest

from actors.common.plurals import how_many
from actors.messages.tool import Grant
from actors.tools import limits
from actors.tools.base import Worker
from tests.actors.tools.conftest import Call, calling


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


async def test_a_tree_opens_folders_but_ignored_ones(folder: Path, call: Call) -> None:
    (folder / "src" / "deep" / "deeper").mkdir(parents=True)
    (folder / "src" / "deep" / "deeper" / "c.py").write_text("x")
    (folder / "empty").mkdir()

    outcome = await call("list", depth=3)

    assert outcome.output.splitlines() == [
        ".git/",
        ".github/",
        "  ci.yml  12 bytes",
        "build/  (ignored)",
        "empty/",
        "src/",
        "  deep/",
        "    deeper/",
        "  b.py  22 bytes",
        ".gitignore  7 bytes",
        "a.py  8 bytes",
    ]


async def test_a_tree_with_ignored_and_without_hidden(call: Call) -> None:
    ignored = await call("list", depth=2, include_ignored=True, hidden=False)

    assert ignored.output.splitlines() == [
        "build/",
        "  out.py  7 bytes",
        "src/",
        "  b.py  22 bytes",
        "a.py  8 bytes",
    ]


async def test_a_large_tree_is_capped(folder: Path, call: Call) -> None:
    for number in range(limits.LIST_ENTRIES + 5):
        (folder / "src" / f"{number}.txt").touch()

    outcome = await call("list", depth=2)

    assert len(outcome.output.splitlines()) == limits.LIST_ENTRIES + 1
    assert outcome.output.splitlines()[-1].startswith("[there are more")


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
    assert outcome.summary == how_many(len(found), "file")


async def test_glob_finds_nothing_or_too_much(folder: Path, call: Call) -> None:
    for number in range(limits.GLOB_FILES + 1):
        (folder / f"{number}.txt").touch()

    nothing = await call("glob", pattern="*.nope")
    much = await call("glob", pattern="*.txt")

    assert nothing.output.startswith("No files match.")
    assert not nothing.failed
    assert len(much.output.splitlines()) == limits.GLOB_FILES + 1
    assert much.summary == how_many(limits.GLOB_FILES, "file", more=True)


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

    assert len(outcome.output.splitlines()) == limits.GREP_FILE_LINES + 1
    assert outcome.output.splitlines()[-1] == "[many.txt: only its first 100 matches are shown]"


async def test_many_files_with_matches_are_capped(folder: Path, call: Call) -> None:
    for number in range(limits.GREP_LINES + 10):
        (folder / f"{number}.txt").write_text("hit\n")

    outcome = await call("grep", pattern="hit")

    assert len(outcome.output.splitlines()) == limits.GREP_LINES + 1
    assert outcome.output.splitlines()[-1].startswith("[there are more")
    assert outcome.summary == f"{limits.GREP_LINES}+ lines"


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"output": "files"}, [".github/ci.yml", "src/b.py"]),
        ({"output": "count"}, [".github/ci.yml:1", "src/b.py:1"]),
        ({"type": "py"}, ["src/b.py:2:needle = 1"]),
        ({"type": "py", "glob": "*.yml"}, []),
        ({"glob": "src/*.py"}, ["src/b.py:2:needle = 1"]),
        ({"glob": "!*.yml"}, ["src/b.py:2:needle = 1"]),
        ({"glob": "**/*.{py,ts}"}, ["src/b.py:2:needle = 1"]),
        ({"include_ignored": True, "glob": "*.py"}, ["build/out.py:1:needle", "src/b.py:2:needle = 1"]),
        ({"pattern": "first.needle", "multiline": True}, ["src/b.py:1:first", "src/b.py:2:needle = 1"]),
        ({"pattern": "Needle(", "literal": True}, ["a.py:1:Needle("]),
        ({"path": "src/b.py"}, ["src/b.py:2:needle = 1"]),
    ],
)
async def test_grep_in_other_ways(call: Call, more: dict[str, object], found: list[str]) -> None:
    outcome = await call("grep", **{"pattern": "needle", **more})

    assert (outcome.output.splitlines() if outcome.summary[0] != "0" else []) == found


async def test_passages_far_apart_are_told_apart(folder: Path, call: Call) -> None:
    (folder / "c.txt").write_text("hit\n1\n2\n3\nhit\n")

    outcome = await call("grep", pattern="hit", context=1)

    assert outcome.output.splitlines() == ["c.txt:1:hit", "c.txt-2-1", "--", "c.txt-4-3", "c.txt:5:hit"]


async def test_a_type_that_there_is_not(call: Call) -> None:
    outcome = await call("grep", pattern="x", type="nope")

    assert outcome.failed
    assert "unrecognized file type: nope" in outcome.output


@pytest.mark.parametrize(
    ("pattern", "more", "found"),
    [
        ("*.log", {}, []),
        ("*.log", {"include_ignored": True}, ["src/a.log"]),
        ("*.{py,yml}", {}, [".github/ci.yml", "a.py", "src/b.py"]),
        ("src/**", {}, ["src/b.py"]),
    ],
)
async def test_glob_knows_ignored_files(
    folder: Path, call: Call, pattern: str, more: dict[str, object], found: list[str]
) -> None:
    (folder / ".gitignore").write_text("*.log\nbuild/\n")
    (folder / "src" / "a.log").touch()

    outcome = await call("glob", pattern=pattern, **more)

    assert (outcome.output.splitlines() if outcome.summary != "0 files" else []) == found


@pytest.fixture
def denied(folder: Path, worker: Worker) -> Call:
    (folder / "src" / "secret").mkdir()
    (folder / "src" / "secret" / "key.py").write_text("needle\n")
    (folder / "src" / "secret" / "odd\nsrc").mkdir()
    (folder / "src" / "secret" / "odd\nsrc" / "b.py").write_text("needle\n")
    (folder / "src" / ".env").write_text("needle\n")
    (folder / "link").symlink_to("src/secret/key.py")
    return calling(worker.granted(Grant(paths=(str(folder),), hidden=("src/Secret", "**/.env"))))


async def test_what_may_not_be_read_is_not_found(denied: Call) -> None:
    grepped = await denied("grep", pattern="needle", path="src")
    named = await denied("grep", pattern="needle", output="files", path="src")
    counted = await denied("grep", pattern="needle", output="count", path="src")
    globbed = await denied("glob", pattern="**/*", path="src")
    listed = await denied("list", path="src")
    tree = await denied("list", path="src", depth=3)

    said = "\n[left out, because it may not be read: src/Secret, **/.env]"
    assert grepped.output == f"src/b.py:2:needle = 1{said}"
    assert named.output == f"src/b.py{said}"
    assert counted.output == f"src/b.py:1{said}"
    assert globbed.output == f"src/b.py{said}"
    assert listed.output == "b.py  22 bytes"
    assert tree.output == "b.py  22 bytes"


async def test_that_something_is_left_out_does_not_depend_on_what_is_in_it(denied: Call) -> None:
    nothing = await denied("grep", pattern="in no file at all", path="src")
    elsewhere = await denied("grep", pattern="needle", path="a.py", ignore_case=True)

    assert nothing.output.splitlines()[1:] == ["[left out, because it may not be read: src/Secret, **/.env]"]
    assert elsewhere.output == "a.py:1:Needle("


async def test_what_a_denied_symlink_leads_to_is_not_found(folder: Path, worker: Worker) -> None:
    (folder / "alias").symlink_to("src/b.py")
    denied = calling(worker.granted(Grant(paths=(str(folder),), hidden=("alias",))))

    assert "b.py" not in (await denied("grep", pattern="needle")).output


@pytest.mark.parametrize("path", ["src/secret/key.py", "src/secret", "src/.env", "link", "./src/../src/.env"])
@pytest.mark.parametrize("tool", ["read", "list", "grep"])
async def test_what_may_not_be_read_is_not_opened(denied: Call, tool: str, path: str) -> None:
    outcome = await denied(tool, path=path, **({"pattern": "x"} if tool == "grep" else {}))

    assert outcome.failed
    assert "may not be read" in outcome.output


async def test_nor_is_it_edited_which_would_show_it(denied: Call) -> None:
    outcome = await denied("edit", path="src/.env", old="needle", new="x")

    assert "may not be read" in outcome.output


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("grep", "pipe.py is not a regular file."),
        ("glob", "pipe.py is not a folder. Give the folder as path and the name in pattern."),
        ("list", "pipe.py is neither a folder nor a regular file."),
        ("symbols", "pipe.py is not a regular file."),
    ],
)
@pytest.mark.parametrize("path", ["pipe.py", "to_pipe.py"])
async def test_a_pipe_is_not_waited_for(folder: Path, call: Call, tool: str, said: str, path: str) -> None:
    os.mkfifo(folder / "pipe.py")
    (folder / "to_pipe.py").symlink_to("pipe.py")

    named = await call(tool, path=path, **({"pattern": "x"} if tool in ("grep", "glob") else {}))

    assert named.failed
    assert named.output.removeprefix("to_") == said


async def test_a_pipe_in_a_folder_is_passed_over(folder: Path, call: Call) -> None:
    os.mkfifo(folder / "src" / "pipe.py")

    outcome = await call("grep", pattern="needle", path="src")

    assert outcome.output == "src/b.py:2:needle = 1"
