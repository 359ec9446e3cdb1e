"""Where tasks work, what they may, and by what a task is the same one as before."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.messages.tool import Mode
from actors.settings.config import Settings
from tests.repositories import git
from ui.batch.places import key_of, placed
from ui.batch.task import BatchFront, Isolation, Task
from ui.common.usage_errors import Usage

FRONT = BatchFront(run_id="r", tasks=(), workers=1, out="/w/out", max_turns=40)
A = Task(id="a", prompt="x")


def settings(cwd: Path, mode: Mode = "auto") -> Settings:
    return Settings(home="/h", cwd=str(cwd), session_id="s", run_id="r", model="p/m", mode=mode)


def a_repository(folder: Path) -> str:
    """Its commit."""
    folder.mkdir(exist_ok=True)
    (folder / "a.txt").write_text("a\n")
    git(folder, "init", "-q")
    git(folder, "add", "a.txt")
    git(folder, "commit", "-qm", "one")
    git(folder, "tag", "v1")
    return git(folder, "rev-parse", "HEAD")


def one(task: Task, cwd: Path, mode: Mode = "auto", isolation: Isolation | None = None) -> Task:
    (found,) = placed([task], settings(cwd, mode), isolation)
    return found


@pytest.mark.parametrize(
    ("mode", "own", "said", "is_worktree"),
    [
        ("auto", None, None, True),
        ("plan", None, None, False),
        ("auto", None, "none", False),
        ("auto", "none", None, False),
        ("plan", None, "worktree", True),
        ("auto", "worktree", "none", True),
    ],
)
def test_who_may_write_in_a_repository_has_a_worktree_of_its_commit(
    tmp_path: Path, mode: Mode, own: Isolation | None, said: Isolation | None, is_worktree: bool
) -> None:
    commit = a_repository(tmp_path)

    found = one(replace(A, isolation=own), tmp_path, mode, said)

    assert (found.isolation, found.commit) == (("worktree", commit) if is_worktree else ("none", ""))
    assert found.cwd == str(tmp_path)


def test_without_a_repository_a_task_works_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()

    found = one(replace(A, cwd="sub"), tmp_path)

    assert (found.isolation, found.commit, found.cwd) == ("none", "", str(tmp_path / "sub"))


def test_a_task_may_name_another_repository_and_a_commit_of_it(tmp_path: Path) -> None:
    commit = a_repository(tmp_path / "other")
    (tmp_path / "other" / "sub").mkdir()
    git(tmp_path / "other", "commit", "-qm", "two", "--allow-empty")

    found = one(replace(A, repo="other", commit="v1", cwd="sub"), tmp_path, "plan")

    assert (found.isolation, found.commit) == ("worktree", commit)
    assert found.cwd == str(tmp_path / "other" / "sub")


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (replace(A, cwd="none"), "there is no folder"),
        (replace(A, cwd="a\0b"), "there is no folder"),
        (replace(A, cwd="loop"), "there is no folder"),
        (replace(A, repo="other", commit="v1\0"), "has no commit v1"),
        (replace(A, mode="auto"), 'mode "auto" is wider than "accept-edits"'),
        (replace(A, timeout="soon"), 'timeout is "soon"'),
        (replace(A, isolation="worktree"), "is in no git repository"),
        (replace(A, commit="v1"), "is in no git repository"),
        (replace(A, repo="other", cwd=".."), "is outside of its repo"),
        (replace(A, repo="other", commit="v9"), "has no commit v9"),
        (replace(A, repo="other", commit="v1", isolation="none"), "a commit is for a worktree"),
        (replace(A, repo="other", commit="--all"), "has no commit --all"),
    ],
)
def test_what_cannot_be_is_said_with_the_task_before_anything_begins(tmp_path: Path, task: Task, said: str) -> None:
    a_repository(tmp_path / "other")
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(Usage, match=said) as refused:
        one(task, tmp_path, "accept-edits")

    assert str(refused.value).startswith('task "a": ')


@pytest.mark.parametrize("batch", ["default", "accept-edits", "research"])
def test_a_plan_reaches_the_web_only_where_the_batch_does(tmp_path: Path, batch: Mode) -> None:
    assert one(replace(A, mode="plan"), tmp_path, batch).mode == "research"
    assert one(A, tmp_path, batch).mode is None


def test_looking_up_a_commit_runs_nothing_that_a_repository_names(tmp_path: Path) -> None:
    commit = a_repository(tmp_path)
    git(tmp_path, "config", "core.repositoryformatversion", "1")
    git(tmp_path, "config", "extensions.partialClone", "origin")
    git(tmp_path, "config", "remote.origin.url", str(tmp_path))
    git(tmp_path, "config", "remote.origin.promisor", "true")
    git(tmp_path, "config", "remote.origin.uploadpack", f"touch {tmp_path}/ran; false")
    missing = "12" * 20

    with pytest.raises(Usage, match=f"has no commit {missing}"):
        one(replace(A, commit=missing), tmp_path)

    assert not (tmp_path / "ran").exists()
    assert one(replace(A, commit="v1"), tmp_path).commit == commit


def test_a_task_can_narrow_the_mode(tmp_path: Path) -> None:
    assert one(replace(A, mode="plan"), tmp_path, "auto").mode == "plan"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(A, tags=("t",)), True),
        (replace(A, model="p/m"), True),
        (replace(A, max_turns=40), True),
        (replace(A, prompt="y"), False),
        (replace(A, model="p/n"), False),
        (replace(A, mode="plan"), False),
        (replace(A, commit="c0ffee"), False),
        (replace(A, max_cost=1.0, max_tokens=9), True),
        (replace(A, check="true"), False),
    ],
)
def test_a_key_is_another_where_the_result_may_be(other: Task, same: bool) -> None:
    keys = {key_of(task, settings(Path("/w")), FRONT) for task in (A, other)}

    assert (len(keys) == 1) == same
    assert all("." not in key and "-" not in key for key in keys)
