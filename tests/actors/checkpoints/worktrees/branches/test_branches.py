"""Commits that are made in the user's repository, while what he has there stays as it is."""

from pathlib import Path

import pytest

from actors.checkpoints.worktrees.requests import answer
from actors.errors import Failed
from actors.messages.checkpoint import CommitChanges, CommitMade, CommitWork, MakeBranch
from tests.actors.checkpoints.worktrees.copies import Copies

TEN = "".join(f"{number}\n" for number in range(10))


@pytest.fixture
def begun(tmp_path: Path) -> Copies:
    copies = Copies(tmp_path)
    copies.write("a", TEN)
    copies.begin()
    return copies


def work(copies: Copies, key: str, name: str, text: str, base: str = "") -> None:
    """Done in a worktree, which is gone then."""
    copies.write(name, text, within=Path(copies.make(key, base=base).top))
    copies.remove(key)


def commit(copies: Copies, key: str, onto: str, message: str = "mend it\n") -> CommitMade:
    made = answer(copies.among, CommitWork(key=key, cwd=str(copies.root), onto=onto, message=message))
    assert isinstance(made, CommitMade)
    return made


def head(copies: Copies) -> str:
    return copies.git("rev-parse", "HEAD")


def test_works_become_commits_one_on_top_of_the_other_and_nothing_else_changes(begun: Copies) -> None:
    work(begun, "s.1", "a", TEN.replace("1\n", "one\n"))
    work(begun, "s.2", "a", TEN.replace("8\n", "eight\n"))
    before = begun.git("status", "--porcelain", "--branch"), head(begun)

    first = commit(begun, "s.1", head(begun), "the first\n")
    second = commit(begun, "s.2", first.commit, "the second\n")
    answer(begun.among, MakeBranch(cwd=str(begun.root), name="trouper/review-1", commit=second.commit))

    assert (first.as_kept, second.as_kept) == (True, False)
    assert begun.git("log", "--format=%s", "trouper/review-1").split("\n") == ["the second", "the first", "state"]
    assert begun.git("show", "trouper/review-1:a").split() == ["0", "one", "2", "3", "4", "5", "6", "7", "eight", "9"]
    assert (begun.git("status", "--porcelain", "--branch"), head(begun)) == before
    begun.git("fsck", "--strict")


def test_asked_twice_it_is_the_same_commit(begun: Copies) -> None:
    work(begun, "s.1", "a", "changed\n")

    assert commit(begun, "s.1", head(begun)) == commit(begun, "s.1", head(begun))


def test_what_does_not_go_together_is_no_commit(begun: Copies) -> None:
    work(begun, "s.1", "a", TEN.replace("1\n", "one\n"))
    work(begun, "s.2", "a", TEN.replace("1\n", "eins\n"))
    first = commit(begun, "s.1", head(begun))

    second = commit(begun, "s.2", first.commit)

    assert second.commit == ""
    assert [(each.path, each.why) for each in second.conflicts] == [("a", "changed on both sides, in the same lines")]


def test_a_file_where_another_has_made_a_folder_is_a_conflict(begun: Copies) -> None:
    work(begun, "s.1", "new", "a file\n")
    work(begun, "s.2", "new/inner", "in a folder\n")
    first = commit(begun, "s.1", head(begun))

    second = commit(begun, "s.2", first.commit)

    assert [each.path for each in second.conflicts] == ["new/inner"]


def test_what_decides_what_is_run_is_left_to_the_user(begun: Copies) -> None:
    begun.write(".trouper/config.toml", "")
    begun.commit()
    work(begun, "s.1", ".trouper/config.toml", 'mode = "auto"\n')

    made = commit(begun, "s.1", head(begun))

    assert [each.path for each in made.conflicts] == [".trouper/config.toml"]


def test_what_is_there_already_adds_nothing(begun: Copies) -> None:
    work(begun, "s.1", "a", "changed\n")
    first = commit(begun, "s.1", head(begun))

    assert commit(begun, "s.1", first.commit).commit == first.commit


def test_what_is_not_committed_is_a_commit_that_a_worktree_can_be_made_of(begun: Copies) -> None:
    begun.write("a", "mine\n")
    begun.write("new", "mine, too\n")
    before = begun.git("status", "--porcelain")

    made = answer(begun.among, CommitChanges(cwd=str(begun.root), message="uncommitted\n"))

    assert isinstance(made, CommitMade)
    assert begun.git("log", "-1", "--format=%s %P", made.commit) == f"uncommitted {head(begun)}"
    assert Path(begun.make("s.9", base=made.commit).top, "new").read_text() == "mine, too\n"
    assert begun.git("status", "--porcelain") == before


def test_where_nothing_is_changed_it_is_head(begun: Copies) -> None:
    made = answer(begun.among, CommitChanges(cwd=str(begun.root), message="uncommitted\n"))

    assert made == CommitMade(commit=head(begun))


@pytest.mark.parametrize("packed", [False, True])
def test_a_branch_that_is_there_is_never_moved(begun: Copies, packed: bool) -> None:
    begun.git("branch", "trouper/review-1")
    before = head(begun)
    begun.write("a", "later\n")
    begun.commit()
    if packed:
        begun.git("pack-refs", "--all")

    with pytest.raises(Failed, match="there is a branch trouper/review-1 already"):
        answer(begun.among, MakeBranch(cwd=str(begun.root), name="trouper/review-1", commit=head(begun)))

    assert begun.git("rev-parse", "trouper/review-1") == before


@pytest.mark.parametrize("name", ["../../HEAD", "x..y", "x.lock", "-x\n", "a b", ""])
def test_what_can_be_no_branch_is_none(begun: Copies, name: str) -> None:
    with pytest.raises(Failed, match="can be no branch"):
        answer(begun.among, MakeBranch(cwd=str(begun.root), name=name, commit=head(begun)))


def test_a_branch_has_none_within_it(begun: Copies) -> None:
    begun.git("branch", "trouper")

    with pytest.raises(Failed, match="beside the branch trouper there can be no"):
        answer(begun.among, MakeBranch(cwd=str(begun.root), name="trouper/review-1", commit=head(begun)))


def test_of_what_is_not_kept_there_is_no_commit(begun: Copies) -> None:
    with pytest.raises(Failed, match=r"nothing is kept of s\.1"):
        commit(begun, "s.1", head(begun))
