"""Three ways into the workspace as it is now: all of it, or nothing and the reason for each file."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from actors.checkpoints.worktrees import merging
from actors.errors import Failed
from tests.actors.checkpoints.places import state
from tests.actors.checkpoints.worktrees.copies import Copies, files

LINES = "".join(f"{number}\n" for number in range(20))


def begun(copies: Copies) -> Path:
    """The top of a worktree of what is there."""
    copies.write("lines", LINES)
    copies.write("data", "\0\1")
    copies.write("dir/inner", "inner\n")
    copies.begin()
    return Path(copies.make().top)


def test_both_sides_come_together_where_they_changed_other_lines(copies: Copies) -> None:
    top = begun(copies)
    copies.write("lines", LINES.replace("3\n", "three\n", 1))
    (copies.root / "lines").chmod(0o640)
    copies.write("mine", "mine\n")
    copies.git("add", "mine")
    copies.write("lines", LINES.replace("15\n", "fifteen\n"), within=top)
    copies.write("other/new", "new\n", within=top)
    git_before = state(copies.root / ".git")

    merged = copies.merge()
    after = files(copies.root)
    again = copies.merge()

    assert merged.files == ("lines", "other/new")
    assert (copies.root / "lines").read_text() == LINES.replace("3\n", "three\n", 1).replace("15\n", "fifteen\n")
    assert (copies.root / "lines").stat().st_mode & 0o777 == 0o640
    assert again.files == again.conflicts == ()
    assert files(copies.root) == after
    assert state(copies.root / ".git") == git_before


def test_line_ends_of_the_workspace_stay(copies: Copies) -> None:
    top = begun(copies)
    copies.write("lines", LINES.replace("3\n", "three\n", 1).replace("\n", "\r\n"))
    copies.write("lines", LINES.replace("15\n", "fifteen\n"), within=top)

    merged = copies.merge()

    assert merged.conflicts == ()
    wanted = LINES.replace("3\n", "three\n", 1).replace("15\n", "fifteen\n").replace("\n", "\r\n")
    assert (copies.root / "lines").read_bytes() == wanted.encode()


def same_lines(here: Path, there: Path) -> None:
    (here / "lines").write_text(LINES.replace("3\n", "three\n", 1))
    (there / "lines").write_text(LINES.replace("3\n", "drei\n", 1))


def deleted_here(here: Path, there: Path) -> None:
    (here / "lines").unlink()
    (there / "lines").write_text("changed\n")


def deleted_there(here: Path, there: Path) -> None:
    (here / "lines").write_text("changed\n")
    (there / "lines").unlink()


def binary(here: Path, there: Path) -> None:
    (here / "data").write_bytes(b"\0\2")
    (there / "data").write_bytes(b"\0\3")


def now_a_folder(here: Path, there: Path) -> None:
    (here / "lines").unlink()
    (here / "lines").mkdir()
    (here / "lines" / "own").write_text("own\n")
    (there / "lines").write_text("changed\n")


def new_on_both(here: Path, there: Path) -> None:
    (here / "new").write_text("here\n")
    (there / "new").write_text("there\n")


def link_out(here: Path, there: Path) -> None:
    (here / "dir" / "inner").unlink()
    (here / "dir").rmdir()
    (here / "dir").symlink_to(here.parent)
    (there / "dir" / "inner").write_text("changed\n")


def settings(_here: Path, there: Path) -> None:
    (there / ".trouper").mkdir()
    (there / ".trouper" / "config.toml").write_text("")
    (there / "dir" / ".trouper").mkdir()
    (there / "dir" / ".trouper" / "config.toml").write_text("")


@pytest.mark.parametrize(
    ("disagree", "path", "why"),
    [
        (same_lines, "lines", "in the same lines"),
        (deleted_here, "lines", "deleted here"),
        (deleted_there, "lines", "deleted in the worktree"),
        (binary, "data", "binary"),
        (now_a_folder, "lines", "a folder here"),
        (new_on_both, "new", "new on both sides"),
        (link_out, "dir/inner", "dir is no folder here"),
        (settings, "dir/.trouper/config.toml", "only the user changes it"),
    ],
)
def test_a_conflict_is_told_and_nothing_is_changed(
    copies: Copies, disagree: Callable[[Path, Path], None], path: str, why: str
) -> None:
    top = begun(copies)
    disagree(copies.root, top)
    copies.write("fine", "fine\n", within=top)
    before = state(copies.root.parent, without="home")

    merged = copies.merge()
    after = state(copies.root.parent, without="home")
    part = copies.merge("s.1", "fine")

    assert [(each.path, why in each.why) for each in merged.conflicts] == [(path, True)]
    assert merged.files == ()
    assert after == before
    assert part.files == ("fine",)


def test_a_file_that_cannot_be_written_leaves_all_as_it_was(copies: Copies, tmp_path: Path) -> None:
    top = begun(copies)
    copies.write("a", within=top)
    copies.write("lines", "new\n", within=top)
    (copies.root / "lines").chmod(0o644)
    copies.write("z" * 250 + "/x", within=top)
    before = state(copies.root, without=".git")
    limited = copies.root / ("z" * 250)
    limited.symlink_to(tmp_path)

    merged = copies.merge()
    limited.unlink()

    assert [each.path for each in merged.conflicts] == [f"{limited.name}/x"]
    assert state(copies.root, without=".git") == before


def test_what_was_merged_stays_merged_whatever_the_user_did_around_it(copies: Copies) -> None:
    top = begun(copies)
    copies.write("lines", "new\n" + LINES, within=top)
    copies.merge()
    copies.write("lines", "before\nnew\n" + LINES + "after\n")
    copies.write("more", within=top)

    merged = copies.merge()

    assert merged.files == ("more",)
    assert (copies.root / "lines").read_text() == "before\nnew\n" + LINES + "after\n"


def test_files_that_others_have_changed_too_are_named(copies: Copies) -> None:
    begun(copies)
    for key in ("s.1", "s.2", "s.3"):
        top = Path(copies.make(key).top)
        copies.write("lines" if key != "s.3" else "other", LINES + key, within=top)

    merged = copies.merge("s.1")

    assert merged.warnings == ("the worktree s.2 has changed lines, too.",)


def test_what_a_patch_cannot_bring_is_named(copies: Copies) -> None:
    top = begun(copies)
    copies.write("a", within=top)
    copies.write("nested/b", within=top)
    copies.git("init", "-q", cwd=top / "nested")

    patch, merged = copies.patch(), copies.merge()

    assert patch.files == merged.files == ("a",)
    assert patch.left_out == merged.warnings == ("nested/: it is a repository of its own",)


def test_content_that_is_no_text_is_in_a_patch_as_it_is(copies: Copies) -> None:
    top = begun(copies)
    (top / "latin").write_bytes(b"caf\xe9\n" * 3)
    (top / "lines").write_text("new\r\n" + LINES)

    patch = copies.patch()

    assert "GIT binary patch" in patch.text
    assert "+new\r\n" in patch.text
    assert files(copies.applied(patch, patch.base)) == files(top)


def test_a_large_file_is_brought_too(copies: Copies) -> None:
    top = begun(copies)
    data = os.urandom(1_000) * 21_000
    (top / "large").write_bytes(data)

    merged = copies.merge()
    ref = copies.remove()

    assert merged.files == ("large",)
    assert (copies.root / "large").read_bytes() == data
    assert copies.git("cat-file", "-s", f"{ref}:large") == str(len(data))


def test_what_is_noted_of_a_merge_is_only_a_hint(copies: Copies) -> None:
    top = begun(copies)
    copies.write("lines", "new\n" + LINES, within=top)
    copies.merge()
    (top.parent / merging.MERGED).write_bytes(b"torn")
    copies.write("lines", LINES)

    merged = copies.merge()

    assert merged.files == ("lines",)
    assert (copies.root / "lines").read_text() == "new\n" + LINES


@pytest.mark.parametrize(
    ("name", "text"), [("lines", "another\n"), ("data", "\0\2"), ("dir/inner", "more\n"), ("x", "")]
)
def test_what_was_changed_since_it_was_seen_is_not_merged(copies: Copies, name: str, text: str) -> None:
    top = begun(copies)
    copies.write("other", "seen\n", within=top)
    seen = copies.patch().id
    copies.write(name, text, within=top)
    before = state(copies.root)

    with pytest.raises(Failed, match="more was changed there since that was seen, so nothing was merged") as raised:
        copies.merge(seen=seen)

    assert raised.value.problem.code == "no_worktree"
    assert state(copies.root) == before
    assert "other" in copies.merge(seen=copies.patch().id).files


def test_what_was_seen_is_merged_also_in_parts_and_from_a_copy_that_was_made_again(copies: Copies) -> None:
    top = begun(copies)
    copies.write("lines", "new\n", within=top)
    copies.write("other", "seen\n", within=top)
    seen = copies.patch().id

    first = copies.merge("s.1", "other", seen=seen)
    copies.remove()
    copies.make()
    rest = copies.merge(seen=seen)

    assert (first.files, copies.patch().id) == (("other",), seen)
    assert "lines" in rest.files
