"""What is kept of worktrees that are gone: shown, and dropped by nobody but the user."""

from pathlib import Path

import pytest

from actors.checkpoints.worktrees import kept_work
from actors.errors import Failed
from tests.actors.checkpoints.worktrees.copies import Copies


def kept(copies: Copies, key: str, name: str = "new") -> str:
    """The commit."""
    copies.write(name, key, within=Path(copies.make(key).top))
    return copies.git("rev-parse", copies.remove(key))


@pytest.fixture
def begun(copies: Copies) -> Copies:
    copies.write("a", "one\n")
    copies.begin()
    return copies


def test_each_says_how_much_it_is_and_whether_head_has_all_of_it(begun: Copies) -> None:
    first = kept(begun, "s.1")
    second = kept(begun, "s.2", "other")
    begun.write("new", "s.1")
    begun.commit()

    listed = kept_work.listed(begun.among, begun.root)

    assert {(one.key, one.ref, one.commit, one.files, one.in_head) for one in listed} == {
        ("s.1", "refs/trouper/work/s.1", first, 1, True),
        ("s.2", "refs/trouper/work/s.2", second, 1, False),
    }
    assert [path.name for path in begun.among.top.iterdir() if path.name != ".merging"] == []


@pytest.mark.parametrize("packed", [False, True])
def test_one_is_dropped_and_the_others_stay(begun: Copies, packed: bool) -> None:
    """An annotated tag has a line below it among those that are packed."""
    commit = kept(begun, "s.1")
    kept(begun, "s.2")
    begun.git("tag", "-a", "-m", "v1", "v1")
    if packed:
        begun.git("pack-refs", "--all")
    before = begun.git("show-ref", "-d").splitlines()

    assert kept_work.drop(begun.root, "s.1") == commit

    assert begun.git("show-ref", "-d").splitlines() == [line for line in before if not line.endswith("/s.1")]
    assert [one.key for one in kept_work.listed(begun.among, begun.root)] == ["s.2"]
    begun.git("fsck", "--strict")


def test_one_that_is_packed_and_newer_beside_it_is_dropped_as_a_whole(begun: Copies) -> None:
    kept(begun, "s.1")
    begun.git("pack-refs", "--all")
    kept(begun, "s.1", "more")

    kept_work.drop(begun.root, "s.1")

    assert begun.git("for-each-ref", "refs/trouper") == ""


def test_nothing_is_dropped_while_a_git_is_at_work_on_the_refs_nor_what_is_not_ours(begun: Copies) -> None:
    kept(begun, "s.1")
    begun.git("pack-refs", "--all")
    lock = begun.root / ".git" / "packed-refs.lock"
    lock.touch()

    with pytest.raises(Failed, match="a git is at work"):
        kept_work.drop(begun.root, "s.1")
    lock.unlink()
    with pytest.raises(Failed, match="nothing is kept of \\.\\./\\.\\./heads/master"):
        kept_work.drop(begun.root, "../../heads/master")

    assert [one.key for one in kept_work.listed(begun.among, begun.root)] == ["s.1"]
