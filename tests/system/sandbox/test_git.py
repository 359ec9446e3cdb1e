"""git in the sandbox where its files lie elsewhere: linked worktrees and submodules."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from actors.messages.tool import Grant
from actors.settings.config import SandboxChoice
from tests.actors.tools.sandboxed import Sandboxed, confined_to
from tests.system.harness import BOUND_S, Fifo, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]
WHO = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
COMMIT = "echo x >> new.txt && git add -A && git -c user.name=a -c user.email=a@b commit -qm x"


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *WHO, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "file").touch()
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    return folder


@pytest.fixture(params=["bubblewrap", "namespaces"])
def level(request: pytest.FixtureRequest) -> SandboxChoice:
    chosen: SandboxChoice = request.param
    return chosen


@contextmanager
def confined(folder: Path, level: SandboxChoice, tmp_path: Path) -> Iterator[Sandboxed]:
    (tmp_path / "tmp").mkdir()
    settings = confined_to(folder, tmp_path / "home", level)
    with Sandboxed(settings, environment={"TMPDIR": str(tmp_path / "tmp")}) as worker:
        if worker.level != level:
            pytest.skip(f"this system has only {worker.detail}")
        yield worker


@pytest.fixture
def worktree(repository: Path, level: SandboxChoice, tmp_path: Path) -> Iterator[Sandboxed]:
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    with confined(tmp_path / "tree", level, tmp_path) as worker:
        yield worker


def test_a_linked_worktree_commits_to_its_repository(worktree: Sandboxed) -> None:
    outcome = worktree.bash(COMMIT)

    assert not outcome.failed, outcome.output


@pytest.mark.parametrize("name", ["hooks/pre-commit", "config", "worktrees/tree/commondir", "../file", "../new"])
def test_it_writes_nothing_there_that_runs_programs(worktree: Sandboxed, repository: Path, name: str) -> None:
    path = repository / ".git" / name
    before = path.read_bytes() if path.exists() else None

    worktree.bash(f"echo x >> {path}")

    assert (path.read_bytes() if path.exists() else None) == before


def test_a_repository_that_does_not_know_the_worktree_stays_closed(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    administrative = repository / ".git" / "worktrees" / "forged"
    (tmp_path / "tree" / ".git").write_text(f"gitdir: {administrative}\n")

    with confined(tmp_path / "tree", "bubblewrap", tmp_path) as worker:
        worker.bash(f"echo x > {repository}/.git/new")

    assert not (repository / ".git" / "new").exists()


def test_hooks_of_submodules_are_protected(repository: Path, level: SandboxChoice, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    git(whole, "init", "-q")
    git(whole, "submodule", "--quiet", "add", str(repository), "part")

    with confined(whole, level, tmp_path) as worker:
        hook = worker.bash("echo x > .git/modules/part/hooks/post-checkout")
        config = worker.bash("git -C part config core.fsmonitor x")
        commit = worker.bash(f"cd part && {COMMIT}")

    assert hook.failed
    assert config.failed
    assert not commit.failed, commit.output


@pytest.fixture
def inside(repository: Path, level: SandboxChoice, tmp_path: Path) -> Iterator[Sandboxed]:
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    with confined(repository, level, tmp_path) as worker:
        yield worker


PLANT = "cp -r .git gg && echo x > gg/hooks/pre-push && echo ../gg > .git/commondir"


def test_a_command_that_moves_the_repository_is_undone_and_told_of(inside: Sandboxed, repository: Path) -> None:
    outcome = inside.bash(PLANT)

    assert "[.git/commondir appeared" in outcome.output
    assert not (repository / ".git" / "commondir").exists()
    assert "appeared" not in inside.bash("git status").output


def test_what_a_command_puts_into_a_rebase_is_told_to_the_user(inside: Sandboxed, repository: Path) -> None:
    git(repository, "commit", "--allow-empty", "-qm", "second")
    begun = inside.bash("GIT_SEQUENCE_EDITOR='sed -i s/pick/edit/' git rebase -q -i HEAD~1 && echo begun")
    planted = inside.bash("echo 'exec touch ran' >> .git/rebase-merge/git-rebase-todo")
    over = inside.bash("git -c user.name=a -c user.email=a@b rebase --continue && ls ran .git/rebase-merge")

    assert (begun.warning, begun.failed) == ("", False), begun.output
    assert "got `exec touch ran`" in planted.warning
    assert planted.warning in planted.output
    assert "ran\n" in over.output, "and that is what git does with it"
    assert over.warning == ""


def test_what_keeps_the_place_of_our_settings_is_not_in_the_way_of_git(inside: Sandboxed, repository: Path) -> None:
    who = "git -c user.name=a -c user.email=a@b"
    stashed = inside.bash(f"echo x > new; echo x > file; {who} stash -u && ls && {who} stash pop && git clean -fd")
    status = inside.bash("git status --porcelain")
    written = inside.bash("echo x > .trouper/config.toml || echo x > .trouper/.gitignore || rmdir .trouper")
    (repository / ".trouper" / "config.toml").write_text("x\n")
    seen = inside.bash("ls -A .trouper")

    assert not stashed.failed, stashed.output
    assert "busy" not in stashed.output
    assert status.output.splitlines() == [" M file"]
    assert written.failed
    assert [path.name for path in (repository / ".trouper").iterdir()] == ["config.toml"]
    assert seen.output == "config.toml"


def test_so_is_a_job_that_does(inside: Sandboxed, repository: Path) -> None:
    told = inside.call("bash_background", command=PLANT).output
    job = re.findall(r"job-\w+", told)[-1]
    while f"{job} ended by itself" not in told:
        told += inside.call("bash_output", job=job, wait_s=10).output

    assert "[.git/commondir appeared" in told
    assert not (repository / ".git" / "commondir").exists()


def test_the_repository_of_other_worktrees_stays_theirs(inside: Sandboxed, repository: Path) -> None:
    path = repository / ".git" / "worktrees" / "tree" / "commondir"
    before = path.read_text()

    outcome = inside.bash(f"echo ../../../gg > {path}")

    assert outcome.failed
    assert path.read_text() == before


def test_outside_the_sandbox_git_does_not_run_what_was_planted(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    brought = repository / "bin"
    brought.mkdir()
    for name in ("git", "only-here"):
        (brought / name).write_text("#!/bin/sh\necho brought\n")
        (brought / name).chmod(0o755)
    environment = {"TMPDIR": str(tmp_path / "tmp"), "PATH": f"{brought}:{os.environ['PATH']}"}
    settings = confined_to(repository, tmp_path / "home", worker="none")
    with Sandboxed(settings, environment=environment) as worker:
        fine = worker.bash("git status")
        named = worker.bash("only-here")
        git(repository, "init", "-q", "sub")
        hook = repository / "sub" / ".git" / "hooks" / "pre-push"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\n")
        hook.chmod(0o755)
        nested = worker.bash("cd sub && git push", grant=Grant(folders=(str(repository / "sub"),)))

    assert "On branch" in fine.output, "the git of the machine"
    assert named.output == "brought"
    assert nested.failed
    assert "pre-push was written since the session began" in nested.output


@pytest.fixture
def apart(repository: Path, level: SandboxChoice, tmp_path: Path) -> Iterator[Sandboxed]:
    """A repository whose folder is beside its files, and whose settings lead to files of the workspace."""
    work, nested = tmp_path / "work", tmp_path / "work" / "nested"
    for folder in (work / "scripts" / "hooks", nested, tmp_path / "tmp"):
        folder.mkdir(parents=True)
    git(tmp_path, "clone", "-q", "--separate-git-dir", str(work / "data"), str(repository), str(work / "x"))
    (work / "x" / ".git").rename(work / ".git")
    git(nested, "init", "-q")
    git(work, "config", "core.hooksPath", "scripts/hooks")
    git(work, "config", "include.path", "../shared")
    git(work, "config", "includeIf.gitdir:/nowhere.path", "../absent")
    (work / "shared").write_text("[user]\n\tname = a\n")
    with Sandboxed(
        confined_to(work, tmp_path / "home", level), environment={"TMPDIR": str(tmp_path / "tmp")}
    ) as worker:
        if worker.level != level or "network of its own" not in worker.detail:
            pytest.skip(f"this system has only {worker.detail}")
        yield worker


@pytest.mark.parametrize(
    "place",
    [
        *(".git", "data/config", "data/hooks/pre-commit", "scripts/hooks/pre-commit", "shared"),
        *("nested/.git/config", "nested/.git/hooks/post-checkout"),
    ],
)
def test_wherever_settings_lead_nothing_is_written(apart: Sandboxed, tmp_path: Path, place: str) -> None:
    path = tmp_path / "work" / place
    before = path.read_bytes() if path.exists() else None

    apart.bash(f"echo x >> {place}; rm -f {place}; mv {place} away; echo x > {place}")

    assert (path.read_bytes() if path.exists() else None) == before


def test_what_cannot_be_held_is_taken_away(apart: Sandboxed, tmp_path: Path) -> None:
    work = tmp_path / "work"

    moved = apart.bash("mv data away; mv nested/.git away; git status")
    swapped = apart.bash("mv scripts old && mkdir -p scripts/hooks && touch scripts/hooks/pre-commit")
    absent = apart.bash("echo '[core] fsmonitor = ./x' > absent")
    planted = apart.bash("git init -q other && git -C other config core.fsmonitor ./x")
    commit = apart.bash(f"git add scripts old; {COMMIT.rpartition('&& ')[2]}; git log -1 --format=%s")

    assert "On branch" in moved.output
    assert "[scripts/hooks appeared" in swapped.output
    assert "[absent appeared" in absent.output
    assert "[other/.git appeared" in planted.output
    assert [(work / name).exists() for name in ("scripts/hooks", "absent", "other/.git")] == [False] * 3
    assert commit.output.endswith("x"), commit.output


def test_a_copy_of_what_is_protected_is_looked_at_after_each_command(apart: Sandboxed, tmp_path: Path) -> None:
    moved = apart.bash("mv scripts old && mkdir scripts && cp -r old/hooks scripts")
    planted = apart.bash("touch scripts/hooks/pre-commit")

    assert "appeared" not in moved.output, "git would run nothing more"
    assert "[scripts/hooks appeared" in planted.output
    assert not (tmp_path / "work" / "scripts" / "hooks").exists()


@pytest.fixture
def odd(repository: Path, level: SandboxChoice, tmp_path: Path) -> Iterator[Sandboxed]:
    """Where hooks are is what a repository may bring, and nobody can read through."""
    hooks = repository / "brought" / "hooks"
    (hooks / "_").mkdir(parents=True)
    (hooks / "endless").symlink_to("/dev/zero")
    (hooks / "large").write_bytes(bytes(1 << 20))
    os.mkfifo(hooks / "pipe")
    os.mkfifo(repository / "shared")
    (repository / "many" / "hooks").mkdir(parents=True)
    for number in range(1000):
        (repository / "many" / "hooks" / str(number)).touch()
    git(repository, "config", "core.hooksPath", "brought/hooks")
    git(repository, "config", "--add", "core.hooksPath", "many/hooks")
    git(repository, "config", "includeIf.gitdir:/nowhere.path", "../shared")
    with confined(repository, level, tmp_path) as worker:
        yield worker


@pytest.mark.parametrize("top", ["brought", "many"])
def test_what_nobody_can_read_through_is_never_the_same_elsewhere(odd: Sandboxed, top: str) -> None:
    before = odd.bash("echo x > new && git add new && git status --short new")
    copied = odd.bash(
        f"mv {top} old; mkdir -p {top}/hooks/_; cp old/hooks/*1* {top}/hooks; echo x > {top}/hooks/_/setup.sh"
    )

    assert before.output == "A  new"
    assert f"[{top}/hooks appeared" in copied.output


def test_a_sparse_checkout_beside_a_session_stays_while_it_names_no_program(
    inside: Sandboxed, repository: Path
) -> None:
    git(repository, "sparse-checkout", "set", "src")
    told = inside.bash("git sparse-checkout list")
    planted = inside.bash("git config --file .git/config.worktree core.fsmonitor ./x")

    assert told.output == "src"
    assert "[.git/config.worktree appeared" in planted.output


def test_our_own_settings_stay_whatever_the_user_does_beside_a_session(inside: Sandboxed, repository: Path) -> None:
    (repository / ".trouper").rmdir()
    (repository / ".trouper").mkdir()
    (repository / ".trouper" / "config.toml").write_text("x\n")

    told = inside.bash("echo x >> .trouper/config.toml")

    assert told.failed
    assert "appeared" not in told.output
    assert (repository / ".trouper" / "config.toml").read_text() == "x\n"


MAKE = """
read x < wait
git init -q lib && git -C lib config core.fsmonitor ./x && touch made
read x < wait
"""


@pytest.fixture
def gate(inside: Sandboxed, repository: Path) -> Iterator[Fifo]:
    assert inside.level
    (repository / "make.sh").write_text(MAKE)
    fifo = Fifo(repository / "wait")
    yield fifo
    fifo.close()


def test_what_a_command_left_running_is_looked_after_when_it_ends(
    inside: Sandboxed, repository: Path, gate: Fifo
) -> None:
    inside.bash("sh make.sh > /dev/null 2>&1 &")
    gate.let_go()  # not before the look after the command itself
    until(lambda: (repository / "made").exists())
    there = (repository / "lib" / ".git").exists()

    gate.let_go()

    until(lambda: not (repository / "lib" / ".git").exists())
    assert there
    assert inside.guardian.poll() is None


@pytest.mark.parametrize("end", ["its supervisor ends", "it is killed"])
def test_what_runs_when_the_worker_ends_is_looked_after(
    inside: Sandboxed, repository: Path, gate: Fifo, end: str
) -> None:
    inside.bash("sh make.sh > /dev/null 2>&1 &")
    gate.let_go()
    until(lambda: (repository / "made").exists())

    if end == "it is killed":
        os.kill(int(inside.worker), signal.SIGKILL)
    else:
        inside.socket.close()
    inside.guardian.wait(BOUND_S)

    assert not (repository / "lib" / ".git").exists()
    assert [path.name.startswith(".git.taken-away-") for path in (repository / "lib").iterdir()] == [True]


def test_what_the_user_makes_beside_a_session_stays(inside: Sandboxed, repository: Path) -> None:
    inside.bash("true")
    inside.wait_until_over()
    git(repository, "init", "-q", "lib")
    git(repository / "lib", "config", "core.fsmonitor", "./x")

    inside.socket.close()
    inside.guardian.wait(BOUND_S)

    assert (repository / "lib" / ".git" / "config").exists()


def test_settings_that_the_user_changes_beside_a_session_stay_and_are_protected_again(
    inside: Sandboxed, repository: Path
) -> None:
    inside.bash("true")
    git(repository, "config", "user.name", "someone")

    told = inside.bash("git status").output
    written = inside.bash("git config core.fsmonitor ./x; echo >> .git/config; mv .git/config x; rm -f .git/config")
    later = (repository / ".git" / "config").read_text()

    assert "appeared" not in told
    assert written.failed
    assert "appeared" not in written.output
    assert "someone" in later
    assert "fsmonitor" not in later


def test_settings_that_name_programs_now_are_taken_away_whoever_changed_them(
    inside: Sandboxed, repository: Path
) -> None:
    inside.bash("true")
    git(repository, "config", "core.fsmonitor", "./x")

    assert "[.git/config appeared" in inside.bash("git status").output
