"""git in the sandbox where its files lie elsewhere: linked worktrees and submodules."""

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


@pytest.mark.parametrize("name", ["hooks/pre-commit", "config", "../file", "../new"])
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
