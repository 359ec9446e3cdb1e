"""git in the sandbox where its files lie elsewhere: linked worktrees and submodules."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.config import SandboxChoice
from tests.actors.tools.sandboxed import Sandboxed, confined_to

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


@pytest.fixture(params=["bubblewrap", "landlock"])
def level(request: pytest.FixtureRequest) -> SandboxChoice:
    chosen: SandboxChoice = request.param
    return chosen


@pytest.fixture
def worktree(repository: Path, level: SandboxChoice, tmp_path: Path) -> Iterator[Sandboxed]:
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tmp").mkdir()
    settings = confined_to(tmp_path / "tree", tmp_path / "home", level)
    with Sandboxed(settings, environment={"TMPDIR": str(tmp_path / "tmp")}) as worker:
        if worker.level != level or "network of its own" not in worker.detail:
            pytest.skip(f"this system has only {worker.detail}")
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
    for folder in ("tree", "tmp"):
        (tmp_path / folder).mkdir()
    administrative = repository / ".git" / "worktrees" / "forged"
    (tmp_path / "tree" / ".git").write_text(f"gitdir: {administrative}\n")

    with Sandboxed(
        confined_to(tmp_path / "tree", tmp_path / "home"), environment={"TMPDIR": str(tmp_path / "tmp")}
    ) as worker:
        worker.bash(f"echo x > {repository}/.git/new")

    assert not (repository / ".git" / "new").exists()


def test_hooks_of_submodules_are_protected(repository: Path, level: SandboxChoice, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    (tmp_path / "tmp").mkdir()
    git(whole, "init", "-q")
    git(whole, "submodule", "--quiet", "add", str(repository), "part")

    settings = confined_to(whole, tmp_path / "home", level)
    with Sandboxed(settings, environment={"TMPDIR": str(tmp_path / "tmp")}) as worker:
        if worker.level != level or "network of its own" not in worker.detail:
            pytest.skip(f"this system has only {worker.detail}")
        hook = worker.bash("echo x > .git/modules/part/hooks/post-checkout")
        config = worker.bash("git -C part config core.fsmonitor x")
        commit = worker.bash(f"cd part && {COMMIT}")

    assert hook.failed
    assert config.failed
    assert not commit.failed, commit.output


@pytest.fixture
def inside(repository: Path, level: SandboxChoice, tmp_path: Path) -> Iterator[Sandboxed]:
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tmp").mkdir()
    settings = confined_to(repository, tmp_path / "home", level)
    with Sandboxed(settings, environment={"TMPDIR": str(tmp_path / "tmp")}) as worker:
        if worker.level != level or "network of its own" not in worker.detail:
            pytest.skip(f"this system has only {worker.detail}")
        yield worker


PLANT = "cp -r .git gg && echo x > gg/hooks/pre-push && echo ../gg > .git/commondir"


def test_a_command_that_moves_the_repository_is_undone_and_told_of(inside: Sandboxed, repository: Path) -> None:
    outcome = inside.bash(PLANT)

    assert "[.git/commondir appeared" in outcome.output
    assert not (repository / ".git" / "commondir").exists()
    assert "appeared" not in inside.bash("git status").output


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
        nested = worker.bash("cd sub && git push")

    assert "On branch" in fine.output, "the git of the machine"
    assert named.output == "brought"
    assert nested.failed
    assert "pre-push was written since the session began" in nested.output
