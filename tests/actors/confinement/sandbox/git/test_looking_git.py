"""What git runs by itself where a command only looks: nothing that a repository says."""

import os
import subprocess
from pathlib import Path

import pytest

from actors.confinement.sandbox import environment
from tests.repositories import git


def look(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """As a command does."""
    here = environment.for_commands({"PATH": os.environ["PATH"], "HOME": "/nowhere"})
    return subprocess.run(["bash", "-c", line], cwd=folder, env=here, check=False, capture_output=True, text=True)


@pytest.fixture
def work(folder: Path, mark: Path) -> Path:
    """A repository that names a program everywhere, and holds one that was committed and one that is a gitlink."""
    program = str(mark.with_name("program"))
    for at in (folder / "part", folder):
        git(folder, "init", "-q", str(at))
        (at / "file").write_text("x\n")
        git(at, "add", ".")
        git(at, "commit", "-q", "-m", "x")
        for name in ("core.fsmonitor", "gpg.program"):
            git(at, "config", name, program)
        (at / ".git" / "hooks" / "post-index-change").symlink_to(program)
    for name, value in (("status.submoduleSummary", "true"), ("log.showSignature", "true"), ("diff.submodule", "diff")):
        git(folder, "config", name, value)
    git(folder / "part", "config", "diff.external", program)
    docs = folder / "docs" / "ref"
    docs.mkdir(parents=True)
    subprocess.run(["cp", "-r", f"{folder}/part/.git/.", str(docs)], check=True)
    git(docs, "config", "core.worktree", "../..")
    git(docs, "config", "core.bare", "false")
    (folder / "file").write_text("y\n")
    (folder / "part" / "file").write_text("y\n")
    mark.unlink(missing_ok=True)
    return folder


@pytest.mark.parametrize(
    "line",
    [
        *("git status", "git diff", "git log -p", "git show", "git -C docs/ref status", "cd docs/ref && git status"),
        *("git -C part status", "git diff --submodule", "touch file && git status"),
    ],
)
def test_looking_runs_nothing(work: Path, mark: Path, line: str) -> None:
    look(work, line)

    assert not mark.exists()


@pytest.mark.parametrize(
    "line",
    [
        *("git diff", "git diff HEAD~1", "git diff --cached HEAD~1", "git diff -p --stat", "git diff --word-diff"),
        *(
            "git log -p",
            "git show",
            "git stash show -p",
            "git blame file",
            "git status -vv",
            "git range-diff @~..@ @~..@",
        ),
    ],
)
def test_looking_shows_what_there_is(folder: Path, line: str) -> None:
    """With the git of this machine, whatever its version makes of our settings."""
    git(folder, "init", "-q")
    for text in ("first\n", "first\nsecond\n"):
        (folder / "file").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", text)
    (folder / "file").write_text("first\nsecond\nthird\n")
    git(folder, "stash")
    (folder / "file").write_text("first\nsecond\nfourth\n")

    seen = look(folder, line)

    assert (seen.returncode, seen.stderr) == (0, "")
    assert "first" in seen.stdout
