"""Repositories that commands make in the workspace: taken away when git would run what they say."""

import subprocess
from pathlib import Path

import pytest

from actors.confinement.sandbox.git import repository_places
from actors.confinement.sandbox.git.folders import Finder
from actors.confinement.sandbox.git.nested import Nested
from actors.confinement.sandbox.git_guard import Inside
from tests.repositories import git


@pytest.fixture
def work(folder: Path) -> Path:
    git(folder, "init", "-q")
    (folder / "packages").mkdir()
    return folder


def plant(top: Path, mark: Path) -> None:
    git(top.parent, "init", "-q", str(top))
    git(top, "commit", "-q", "--allow-empty", "-m", "x")
    git(top, "config", "core.fsmonitor", str(mark.with_name("program")))


@pytest.fixture
def crowded(work: Path) -> Path:
    for number in range(repository_places.MOST_LOOKED_AT + 10):
        (work / f"package-{number}").mkdir()
    return work


def test_where_there_are_many_folders_new_ones_are_looked_at_all_the_same(crowded: Path, mark: Path) -> None:
    guard = Inside(crowded)
    (crowded / "new" / "deep").mkdir(parents=True)
    before = guard.after()
    plant(crowded / "new" / "deep" / "sub", mark)
    deep = guard.after()
    for folder in crowded.glob("package-*"):
        folder.rmdir()
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "config").write_text("[core]\n\tfsmonitor = x\n")
    guard.after()

    assert before == ""
    assert deep.startswith("new/deep/sub/.git appeared")
    assert list(crowded.glob("package-*/.git")) == []


def test_of_very_many_new_folders_some_are_looked_at_and_the_rest_is_told(crowded: Path) -> None:
    guard = Inside(crowded)
    before = guard.after()
    for number in range(repository_places.MOST_LOOKED_AT + 10):
        (crowded / f"new-{number}").mkdir()

    assert before == ""
    assert f"more than {repository_places.MOST_LOOKED_AT} new folders" in guard.after()
    assert guard.after() == ""


@pytest.mark.parametrize("place", ["sub", "packages/sub"])
def test_one_that_names_a_program_is_taken_away_and_told(work: Path, mark: Path, place: str) -> None:
    guard = Inside(work)
    plant(work / place, mark)
    git(work, "add", place)
    mark.unlink(missing_ok=True)

    told = guard.after()
    subprocess.run(["git", "status"], cwd=work, check=True, capture_output=True)
    subprocess.run(["git", "status"], cwd=work / place, check=True, capture_output=True)

    assert told.startswith(f"{place}/.git appeared")
    assert "core.fsmonitor of" in told
    assert not mark.exists()
    assert guard.after() == ""


def test_a_gitlink_is_found_where_nobody_would_look(work: Path, mark: Path) -> None:
    deep = work / "a" / "b" / "c"
    deep.parent.mkdir(parents=True)
    nested = Nested(work, Finder(work, 1), ())
    plant(deep, mark)
    git(work, "add", "a")
    git(work, "update-index", "--split-index")

    assert [top for top, _ in nested.dangerous()] == [deep]


def test_a_hook_counts_and_a_sample_of_one_does_not(work: Path) -> None:
    git(work, "init", "-q", "sub")
    guard = Inside(work)
    hook = work / "sub" / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.with_suffix(".sample").touch(0o755)
    before = guard.after()
    hook.touch(0o755)

    assert before == ""
    assert "sub/.git/hooks/post-checkout" in guard.after()


INCLUDES = {
    "[core]\n\thooksPath = .githooks\n": "",
    '[includeIf "gitdir:x"]\n\tpath = more\n': "[core]\nhooksPath=.githooks",
}
"""Of the user's settings, and of a file beside it."""


@pytest.fixture(params=INCLUDES)
def users_settings(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gitconfig").write_text(request.param)
    (tmp_path / "more").write_text(INCLUDES[request.param])
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.usefixtures("users_settings")
@pytest.mark.parametrize("there", ["", "users", "users and hook"])
def test_hooks_that_the_users_own_settings_lead_to_are_taken_away(work: Path, there: str) -> None:
    hooks = work / "sub" / ".githooks"
    if there:
        git(work, "init", "-q", "sub")
    if "hook" in there:
        hooks.mkdir()
        (hooks / "pre-push").touch(0o755)
    guard = Inside(work)
    git(work, "init", "-q", "sub")
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "setup.sh"):
        (hooks / name).touch(0o755)

    told = guard.after()

    assert told.startswith("sub/.githooks/pre-commit appeared")
    assert sorted(path.name.partition(".")[0] for path in hooks.iterdir()) == [
        *("pre-commit", *(["pre-push"] if "hook" in there else []), "setup")
    ]
    assert not (hooks / "pre-commit").exists()
    assert (work / "sub" / ".git").exists()
    assert guard.after() == ""


@pytest.mark.usefixtures("users_settings")
def test_a_repository_whose_hooks_lie_elsewhere_by_a_symlink_is_taken_away(work: Path) -> None:
    elsewhere = work / "scripts"
    elsewhere.mkdir()
    (elsewhere / "pre-commit").touch(0o755)
    guard = Inside(work)
    git(work, "init", "-q", "sub")
    (work / "sub" / ".githooks").symlink_to(elsewhere)

    assert guard.after().startswith("sub/.git appeared")


def test_what_git_itself_makes_and_what_was_there_stays(work: Path, mark: Path) -> None:
    plant(work / "users", mark)
    guard = Inside(work)
    git(work, "init", "-q", "packages/new")
    git(work / "packages/new", "commit", "-q", "--allow-empty", "-m", "x")
    git(work, "clone", "-q", "packages/new", "cloned")
    git(work / "cloned", "checkout", "-q", "-b", "topic", "--track", "origin/HEAD")
    git(work / "users", "config", "branch.x.description", "y")
    git(work, "commit", "-q", "--allow-empty", "-m", "x")
    git(work, "worktree", "add", "-q", "packages/tree")

    assert guard.after() == ""


def test_a_repository_put_in_the_place_of_another_counts(work: Path, mark: Path) -> None:
    git(work, "init", "-q", "sub")
    plant(work / "packages" / "old", mark)
    guard = Inside(work)
    (work / "sub" / ".git").rename(work / "sub" / "away")
    (work / "packages" / "old" / ".git").rename(work / "sub" / ".git")

    assert guard.after().startswith("sub/.git appeared")


def test_a_workspace_without_a_repository_is_watched_itself(folder: Path, mark: Path) -> None:
    (folder / "file").touch()
    guard = Inside(folder)
    plant(folder, mark)

    assert guard.after().startswith(".git appeared")


def test_a_gitlink_may_come_before_its_repository(work: Path, mark: Path) -> None:
    git(work, "commit", "-q", "--allow-empty", "-m", "x")
    guard = Inside(work)
    git(work, "update-index", "--add", "--cacheinfo", "160000," + "1" * 40 + ",node_modules/part")
    before = guard.after()
    (work / "node_modules").mkdir()
    plant(work / "node_modules" / "part", mark)
    mark.unlink(missing_ok=True)

    told = guard.after()
    subprocess.run(["git", "status"], cwd=work, check=True, capture_output=True)

    assert before == ""
    assert told.startswith("node_modules/part/.git appeared")
    assert not mark.exists()


BARE = ("HEAD objects refs", "HEAD commondir")
"""What git takes for a repository."""


@pytest.mark.parametrize("place", [".", "src/deep"])
@pytest.mark.parametrize("kind", BARE)
def test_a_folder_that_is_itself_a_repository_counts(folder: Path, mark: Path, place: str, kind: str) -> None:
    (folder / "src" / "deep").mkdir(parents=True)
    guard = Inside(folder)
    git(folder, "init", "-q", "--bare", "made")
    git(folder / "made", "config", "core.bare", "false")
    for name in kind.split():
        (folder / "made" / name).exists() and (folder / "made" / name).rename(folder / place / name)
    if "commondir" in kind:
        (folder / place / "commondir").write_text(str(folder / "made"))
        (folder / "made" / "HEAD").write_text("ref: refs/heads/main\n")
    else:
        (folder / "made" / "config").rename(folder / place / "config")
    before = guard.after()
    settings = folder / ("made" if "commondir" in kind else place) / "config"
    for name, value in (("core.fsmonitor", str(mark.with_name("program"))), ("core.worktree", str(folder))):
        git(folder, "config", "--file", str(settings), name, value)

    told = guard.after()
    subprocess.run(["git", "status"], cwd=folder / place, check=False, capture_output=True)

    assert before == ""
    assert "HEAD appeared" in told
    assert not mark.exists()


def test_a_symlink_in_it_counts_for_git_would_write_through_it(work: Path) -> None:
    git(work, "init", "-q", "sub")
    guard = Inside(work)
    (work / "sub" / ".git" / "logs").symlink_to(work.parent)

    assert guard.after().startswith("sub/.git appeared")


def test_a_folder_closed_to_us_is_no_way_to_keep_it(work: Path, mark: Path) -> None:
    guard = Inside(work)
    plant(work / "sub", mark)
    (work / "sub").chmod(0o555)

    told = guard.after()
    (work / "sub").chmod(0o755)

    assert told.startswith("sub/.git appeared")


def test_files_elsewhere_count_and_those_of_a_submodule_do_not(work: Path) -> None:
    git(work, "init", "-q", "source")
    git(work / "source", "commit", "-q", "--allow-empty", "-m", "x")
    guard = Inside(work)
    git(work, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./source", "part")
    git(work, "init", "-q", "lib")
    before = guard.after()
    git(work / "lib", "config", "core.worktree", str(work.parent))

    assert before == ""
    assert "core.worktree of lib/.git/config" in guard.after()


def test_a_partial_clone_counts_for_git_fetches_what_it_lacks(work: Path) -> None:
    guard = Inside(work)
    git(work, "init", "-q", "lib")
    git(work / "lib", "config", "extensions.partialClone", "origin")

    assert "extensions.partialclone of lib/.git/config" in guard.after()


def test_settings_that_only_git_can_read_count_again_when_they_change(work: Path) -> None:
    git(work, "init", "-q", "lib")
    settings = work / "lib" / ".git" / "config"
    settings.write_text("odd\n")
    guard = Inside(work)
    before = guard.after()
    settings.write_text("odd\n[core]\n\tfsmonitor = x\n")

    assert before == ""
    assert "what only git can read of lib/.git/config" in guard.after()
