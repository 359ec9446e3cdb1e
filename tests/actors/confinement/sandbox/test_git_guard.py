"""What commands left for a git outside: taken away inside, and refused outside."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from actors.confinement.errors import ToolFailed
from actors.confinement.processes.process_trees import Program
from actors.confinement.sandbox.git import repository_places
from actors.confinement.sandbox.git_guard import Inside, Outside
from actors.messages.tool import Grant
from tests.actors.gate.cases import around, run
from tests.repositories import git

LATER = time.time() + 3600


@pytest.fixture
def work(folder: Path) -> Path:
    git(folder, "init", "-q")
    return folder


def hook(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


def granted(work: Path, line: str) -> Grant:
    """As the gate does."""
    return run(around(work, "auto"), line, unsandboxed=True).grant


def refused(work: Path, line: str, since: float = 0) -> str:
    """ "" when it may run."""
    try:
        Outside(work, since).before(Program(["bash", "-c", line], work, {}), granted(work, line))
    except ToolFailed as failed:
        return str(failed)
    return ""


def test_what_moves_a_repository_is_taken_away_and_told(work: Path) -> None:
    guard = Inside(work)
    (work / ".git" / "commondir").write_text("../gg\n")

    told = guard.after()

    assert told.startswith(".git/commondir appeared")
    assert not (work / ".git" / "commondir").exists()
    assert guard.after() == ""


def test_so_are_hooks_of_a_submodule_that_had_none(work: Path) -> None:
    module = work / ".git" / "modules" / "part"
    git(work, "init", "-q", "--bare", "--template=", str(module))
    guard = Inside(work)
    hook(module / "hooks" / "post-checkout")

    assert guard.after().startswith(".git/modules/part/hooks appeared")
    assert not (module / "hooks").exists()


PLANS = ("rebase-merge/git-rebase-todo", "worktrees/tree/rebase-merge/git-rebase-todo")


@pytest.mark.parametrize("top", ["", "nested/"])
@pytest.mark.parametrize("plan", PLANS)
def test_what_a_rebase_is_going_to_run_is_told_once(work: Path, plan: str, top: str) -> None:
    git(work, "init", "-q", "nested")
    guard = Inside(work)
    todo = work / top / ".git" / plan
    todo.parent.mkdir(parents=True)
    todo.write_text("pick 1234567 one\n\tx  ./evil\nexec ./worse\n# exec not this\n")

    told = guard.after()

    assert told.startswith(f"{top}.git/{plan} got `exec ./evil` and 1 more: git runs that when the rebase goes on")
    assert guard.after() == ""
    todo.write_text("exec ./evil\nexec ./new\n")
    assert "got `exec ./new`:" in guard.after()


def test_a_rebase_that_runs_nothing_is_no_matter(work: Path) -> None:
    (work / ".git" / "rebase-merge").mkdir()
    (work / ".git" / PLANS[0]).write_text("exec ./users\n")
    guard = Inside(work)
    (work / ".git" / PLANS[0]).write_text("pick 1234567 exec ./x\nexec ./users\nx\n")

    assert guard.after() == ""


def test_a_plan_that_is_too_long_to_look_through_is_told_of(work: Path) -> None:
    guard = Inside(work)
    (work / ".git" / "rebase-merge").mkdir()
    (work / ".git" / PLANS[0]).write_text("#\n" * (1 << 20))

    assert "too long" in guard.after()


def test_git_that_could_go_on_with_a_plan_of_this_session_is_refused_outside(work: Path) -> None:
    (work / ".git" / "rebase-merge").mkdir()
    (work / ".git" / PLANS[0]).write_text("exec ./evil\n")

    assert "git-rebase-todo, whose `exec` lines" in refused(work, "git rebase --continue")
    assert refused(work, "git rebase --continue", LATER) == ""
    (work / ".git" / PLANS[0]).write_text("pick 1234567 one\n")
    assert refused(work, "git rebase --continue") == ""


@pytest.mark.parametrize("name", ["FETCH_HEAD", "logs/HEAD", "refs/remotes/origin", "logs"])
def test_a_symlink_through_which_git_would_write_is_removed(work: Path, tmp_path: Path, name: str) -> None:
    (work / ".git" / "users").symlink_to(tmp_path)
    git(work, "commit", "-q", "--allow-empty", "-m", "x")
    guard = Inside(work)
    link = work / ".git" / name
    if os.path.lexists(link):
        link.rename(work / "away")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "outside")

    told = guard.after()

    assert told.startswith(f".git/{name} appeared")
    assert not link.is_symlink()
    assert (work / ".git" / "users").is_symlink(), "it was there before"
    assert guard.after() == ""


def test_a_symlink_that_came_with_a_folder_is_removed(work: Path, tmp_path: Path) -> None:
    git(work, "commit", "-q", "--allow-empty", "-m", "x")
    (work / "made" / "refs").mkdir(parents=True)
    (work / "made" / "refs" / "heads").symlink_to(tmp_path)
    guard = Inside(work)
    (work / ".git" / "logs").rename(work / "away")
    (work / "made").rename(work / ".git" / "logs")

    assert guard.after().startswith(".git/logs/refs/heads appeared")


def test_git_that_would_write_through_a_symlink_is_refused_outside(work: Path, tmp_path: Path) -> None:
    (work / ".git" / "FETCH_HEAD").symlink_to(tmp_path / "outside")

    assert "FETCH_HEAD, a symlink" in refused(work, "git fetch")
    assert refused(work, "git fetch", LATER) == ""


def test_folders_as_deep_as_they_can_be_are_no_trouble(work: Path) -> None:
    git(work, "init", "-q", "--bare", str(work / ".git" / "modules" / "part"))
    above = os.open(work / ".git" / "modules", os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("z", dir_fd=above)
        below = os.open("z", os.O_RDONLY, dir_fd=above)
        os.close(above)
        above = below
    os.close(above)

    try:
        protected = repository_places.protected(work)
    finally:
        subprocess.run(["rm", "-r", work / ".git" / "modules" / "z"], check=True)

    assert work / ".git" / "modules" / "part" / "config" in protected


def test_what_git_init_makes_stays(folder: Path) -> None:
    guard = Inside(folder)
    git(folder, "init", "-q")

    assert guard.after() == ""


def test_what_was_there_before_stays(work: Path) -> None:
    (work / ".git" / "config.worktree").touch()
    guard = Inside(work)

    assert guard.after() == ""
    assert (work / ".git" / "config.worktree").exists()


def test_an_ordinary_repository_of_this_session_may_be_pushed(work: Path) -> None:
    git(work, "remote", "add", "origin", "git@example.com:a/b.git")
    git(work, "config", "branch.main.remote", "origin")
    git(work, "commit", "-q", "--allow-empty", "-m", "x")

    assert refused(work, "git push") == ""


def test_a_linked_worktree_is_an_ordinary_repository(work: Path) -> None:
    git(work, "commit", "-q", "--allow-empty", "-m", "x")
    git(work, "worktree", "add", "-q", "tree")

    assert refused(work, "cd tree && git push") == ""


def test_a_repository_whose_common_folder_lies_elsewhere_is_refused(work: Path) -> None:
    git(work, "init", "-q", "gg")
    (work / ".git" / "commondir").write_text("../gg/.git\n")

    assert "commondir" in refused(work, "git push", LATER)


@pytest.mark.parametrize(
    "line",
    [
        *("cd sub && git push", "git -C sub push", "git -C 'sub' push", "git --git-dir=sub/.git push"),
        *("cd deep; cd below; git push", "(cd ./deep/below/x&&git push)"),
    ],
)
def test_hooks_written_into_a_nested_repository_are_refused_where_it_is_named(work: Path, line: str) -> None:
    for nested in (work / "sub", work / "deep" / "below"):
        nested.mkdir(parents=True)
        git(nested, "init", "-q")
        hook(nested / ".git" / "hooks" / "pre-push")
    (work / "deep" / "below" / "x").mkdir()

    assert "pre-push was written" in refused(work, line)
    assert refused(work, line, LATER) == "", "it was there before the session"
    assert refused(work, "git push") == ""


@pytest.mark.parametrize(
    "setting",
    [
        *(("core.fsmonitor", "./x"), ("core.hooksPath", "scripts"), ("core.sshCommand", "./x"), ("alias.push", "!./x")),
        *(
            ("include.path", "../x"),
            ("filter.a.clean", "./x"),
            ("remote.origin.url", "./evil"),
            ("credential.helper", "x"),
        ),
        *(("remote.origin.url", "ext::./x"), ("remote.origin.receivepack", "./x"), ("submodule.a.update", "!./x")),
    ],
)
def test_a_setting_that_runs_programs_is_refused_unless_it_was_there_before(
    work: Path, setting: tuple[str, str]
) -> None:
    git(work, "config", *setting)

    assert f"{setting[0].lower()} of" in refused(work, "git push").lower()
    assert refused(work, "git push", LATER) == ""


def test_a_setting_that_was_there_stays_fine_when_git_changes_others(work: Path) -> None:
    git(work, "config", "core.hooksPath", ".husky/_")
    guard, program = Outside(work, LATER), Program(["bash", "-c", "git push -u"], work, {})
    guard.before(program, granted(work, "git push -u"))
    git(work, "config", "branch.main.merge", "refs/heads/main")
    guard.since = 0

    guard.before(program, granted(work, "git push -u"))

    git(work, "config", "core.pager", "./x")
    with pytest.raises(ToolFailed, match=r"core\.pager"):
        guard.before(program, granted(work, "git push -u"))


def test_hooks_put_there_by_a_link_or_as_a_folder_are_seen(work: Path) -> None:
    hooks = work / ".git" / "hooks"
    hooks.rename(work / ".git" / "before")
    since = hooks.parent.stat().st_ctime

    hook(work / "scripts" / "pre-push")
    hooks.symlink_to(work / "scripts")
    linked = refused(work, "git push", since)
    hooks.unlink()
    (work / "scripts").rename(hooks)
    moved = refused(work, "git push", since)

    assert "pre-push was written" in linked
    assert "pre-push was written" in moved


def test_a_submodule_counts_because_git_looks_into_it(work: Path) -> None:
    git(work, "init", "-q", "part")
    git(work / "part", "commit", "-q", "--allow-empty", "-m", "x")
    git(work, "add", "part")
    git(work / "part", "config", "core.fsmonitor", "./x")

    assert "core.fsmonitor of" in refused(work, "git status")


def test_a_path_with_a_line_break_hides_nothing(work: Path) -> None:
    (work / "a\nb").mkdir()
    git(work / "a\nb", "init", "-q")
    (work / ".git" / "commondir").write_text("../a\nb/.git\n")

    assert "odd path" in refused(work, "git push")


@pytest.mark.parametrize("kind", ["remotes", "branches"])
def test_a_remote_that_a_file_says_is_refused_unless_it_was_there_before(work: Path, kind: str) -> None:
    (work / ".git" / kind).mkdir(exist_ok=True)
    (work / ".git" / kind / "far").write_text("URL: ./evil\n")

    assert f"{kind}/far was written" in refused(work, "git push far")
    assert refused(work, "git push far", LATER) == ""


@pytest.mark.parametrize(
    "line",
    [
        *("git push file://{}/my%20evil.git main", "git push './my evil.git' main", "git push --repo='my evil'"),
        *(
            "git push 'my evil'",
            "cd 'my evil.git'; git status",
            "git -C 'my evil.git' log",
            "bash -c 'git push my\\ evil'",
        ),
        *("git fetch -u 'my evil'", "git pull --rebase 'my evil' main", "D='my evil'; git push \"$D\""),
    ],
)
def test_a_repository_on_this_machine_is_looked_at_however_it_is_named(work: Path, line: str) -> None:
    git(work, "init", "-q", "--bare", "my evil.git")
    hook(work / "my evil.git" / "hooks" / "pre-receive")

    said = refused(work, line.replace("{}", str(work)))

    assert "pre-receive was written" in said or "not known before it runs" in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("branch.main.remote", "./evil"), ("branch.main.pushRemote", "evil"), ("remote.origin.url", "evil.git")),
        ("remote.origin.pushurl", "file://{}/evil.git"),
    ],
)
def test_a_repository_that_settings_lead_to_is_looked_at(work: Path, name: str, value: str) -> None:
    git(work, "init", "-q", "--bare", "evil.git")
    git(work, "config", name, value.format(work))
    git(work, "config", "remote.origin.fetch", "x")
    since = (work / ".git" / "config").stat().st_ctime + 0.001
    time.sleep(0.01)
    hook(work / "evil.git" / "hooks" / "pre-receive")

    assert "pre-receive was written" in refused(work, "git push", since)


@pytest.mark.parametrize(
    "line", ["git -C $X push", "cd $X && git push", "git push $X", "git push -o a $X", "ls | xargs git push"]
)
def test_what_nobody_knows_before_it_runs_is_refused(work: Path, line: str) -> None:
    assert "Write both out" in refused(work, line)


@pytest.mark.parametrize("line", ["git push origin $BRANCH", "git push -u origin HEAD", "npm publish $X"])
def test_a_branch_may_be_a_variable(work: Path, line: str) -> None:
    assert refused(work, line) == ""


def test_too_many_submodules_are_refused_and_none_is_left_out(work: Path) -> None:
    git(work, "init", "-q", "part")
    git(work / "part", "commit", "-q", "--allow-empty", "-m", "x")
    for number in range(101):
        shutil.copytree(work / "part", work / f"part{number}")
    git(work, "add", ".")

    said = refused(work, "git push")

    assert "more than 100 repositories" in said
    git(work / "part99", "config", "core.fsmonitor", "./x")
    for number in range(3):
        shutil.rmtree(work / f"part{number}")
    assert "core.fsmonitor of" in refused(work, "git push")


def test_a_file_of_settings_that_is_included_counts(work: Path) -> None:
    git(work, "config", "include.path", "../shared")
    since = (work / ".git" / "config").stat().st_ctime + 0.001
    shared = work / "shared"
    while not shared.exists() or shared.stat().st_ctime < since:  # the clock of file systems goes by ticks
        shared.write_text("[core]\n\tfsmonitor = ./x\n")

    assert "core.fsmonitor of" in refused(work, "git push", since)


def test_outside_a_repository_with_its_files_elsewhere_is_refused(work: Path) -> None:
    git(work, "init", "-q", "lib")
    git(work / "lib", "config", "core.worktree", str(work.parent))

    assert "core.worktree of" in refused(work, "git -C lib reset --hard")
