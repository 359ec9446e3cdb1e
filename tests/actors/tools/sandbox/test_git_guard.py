"""What commands left for a git outside: taken away inside, and refused outside."""

import subprocess
import time
from pathlib import Path

import pytest

from actors.tools.errors import ToolFailed
from actors.tools.processes import Program
from actors.tools.sandbox.git_guard import Inside, Outside

LATER = time.time() + 3600


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def work(folder: Path) -> Path:
    git(folder, "init", "-q")
    return folder


def hook(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


def refused(work: Path, line: str, since: float = 0) -> str:
    """ "" when it may run."""
    try:
        Outside(work, since).before(Program(["bash", "-c", line], work, {}))
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
    guard.before(program)
    git(work, "config", "branch.main.merge", "refs/heads/main")
    guard.since = 0

    guard.before(program)

    git(work, "config", "core.pager", "./x")
    with pytest.raises(ToolFailed, match=r"core\.pager"):
        guard.before(program)


def test_hooks_put_there_by_a_link_or_as_a_folder_are_seen(work: Path) -> None:
    hook(work / "scripts" / "pre-push")
    hooks = work / ".git" / "hooks"
    hooks.rename(work / ".git" / "before")
    since = hooks.parent.stat().st_ctime

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
