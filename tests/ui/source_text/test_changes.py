"""Of what is not as in a commit the changed lines are looked at, with those around them; git looks at no file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repositories import git
from ui.source_text.changes import changes
from ui.source_text.collected import collect
from ui.source_text.differences import changed
from ui.source_text.source_file import CannotCollect

LONG = [f"line {number}" for number in range(1, 301)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for name in ("same.py", "long.py", "moved.py", "gone.py"):
        (tmp_path / name).write_text("\n".join([name, *LONG, ""]))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def places(root: Path, base: str) -> list[tuple[str, int, int]]:
    found = changes(root, collect(root).files, base)
    return [(part.path, part.first_line, part.last_line) for part in found.parts]


def test_changed_lines_come_with_those_around_them(root: Path) -> None:
    text = (root / "long.py").read_text()
    (root / "long.py").write_text(
        text.replace("line 60\n", "x\n").replace("line 70\n", "").replace("line 290\n", "y\n")
    )

    assert places(root, "HEAD") == [("long.py", 21, 111), ("long.py", 250, 300)]


def test_new_files_are_whole_and_moved_ones_are_none(root: Path) -> None:
    (root / "new.py").write_text("x = 1\ny = 2\n")
    (root / "moved.py").rename(root / "to.py")
    (root / "gone.py").unlink()

    found = changes(root, collect(root).files, "HEAD")

    assert [(part.path, part.first_line, part.last_line) for part in found.parts] == [("new.py", 1, 2)]
    assert found.gone == 2


def test_other_line_ends_and_modes_change_nothing(root: Path) -> None:
    (root / "same.py").write_bytes((root / "same.py").read_bytes().replace(b"\n", b"\r\n"))
    (root / "long.py").chmod(0o755)

    assert places(root, "HEAD") == []


def test_what_others_did_meanwhile_on_the_base_is_none_of_it(root: Path) -> None:
    git(root, "checkout", "-qb", "mine")
    (root / "mine.py").write_text("x = 1\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "mine")
    git(root, "checkout", "-q", "main")
    (root / "same.py").write_text("theirs\n")
    git(root, "commit", "-qam", "theirs")
    git(root, "checkout", "-q", "mine")

    assert places(root, "main") == [("mine.py", 1, 1)]


def test_a_folder_of_the_repository_is_compared_with_itself(root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "a.py").write_text("x = 1\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "sub")
    (root / "sub" / "a.py").write_text("x = 2\n")
    (root / "long.py").write_text("other\n")

    assert places(root / "sub", "HEAD") == [("a.py", 1, 1)]


@pytest.mark.parametrize("base", ["nowhere", "--output=evil", "-x", "HEAD:long.py", "a\0b", ""])
def test_a_base_that_is_no_commit_is_said(root: Path, base: str) -> None:
    with pytest.raises(CannotCollect, match=r"--diff .*no such commit"):
        changes(root, collect(root).files, base)

    assert not (root / "evil").exists()


def test_a_folder_without_git_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotCollect, match="--diff HEAD: "):
        changes(tmp_path, (), "HEAD")


def test_nothing_that_the_repository_names_is_run(root: Path) -> None:
    ran = root / "ran"
    for name in (
        *("core.fsmonitor", "diff.external", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process"),
        *("core.pager", "core.sshCommand", "diff.evil.command", "diff.evil.textconv", "core.alternateRefsCommand"),
    ):
        git(root, "config", name, f"touch {ran}")
    (root / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (root / "long.py").write_text("x\n")

    assert places(root, "HEAD") == [(".gitattributes", 1, 1), ("long.py", 1, 1)]
    assert not ran.exists()


@given(former=st.lists(st.sampled_from("abcdefgh")), now=st.lists(st.sampled_from("abcdefgh")))
def test_lines_outside_of_what_changed_are_as_they_were(former: list[str], now: list[str]) -> None:
    """What is left of `now` without the changed lines is in the former text, in the same order."""
    found = changed(former, now)
    left = [line for number, line in enumerate(now, start=1) if not any(a <= number <= b for a, b in found)]
    rest = iter(former)

    assert (found == []) == (former == now)
    assert all(line in rest for line in left)
    assert all(1 <= a <= b for a, b in found)


@pytest.mark.parametrize("lines", [["x"] * 200_000, ["a", "b"] * 100_000], ids=["all alike", "two"])
def test_texts_that_are_made_to_be_slow_are_not(lines: list[str]) -> None:
    now = ["first", *lines[:-10_000], "last"]

    assert changed(lines, now) == [(1, len(now))]
