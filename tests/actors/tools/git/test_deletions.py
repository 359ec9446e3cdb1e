"""What may be deleted unasked: what the session made, and what git ignores by rules that the session did not write."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.tools.base import Worker
from actors.tools.git.deletions import why_kept
from actors.tools.workspace.birth_times import now
from actors.tools.workspace.made_here import Made
from tests.actors.tools.conftest import Call
from tests.repositories import git

IGNORED = "build/\n*.log\n.env*\ndata/\nnode_modules/\n*.db\n*.link\n"
OLD = 1_000_000.0
FILES = ("src/a.py", "notes.txt", "build/out/a.o", "x.log", ".env", "build/.env.local", "data/big.bin", "local.db")
FILES += ("node_modules/x/cert.pem", "build/kept.txt", "target/nested/.git/HEAD", "target/nested/src/a.c")


@pytest.fixture
def since(folder: Path) -> float:
    """Of a session that begins after these files."""
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / ".gitignore").write_text(IGNORED)
    (folder.parent / "beside").write_text("x")
    git(folder, "init")
    git(folder, "add", ".gitignore", "src")
    git(folder, "add", "-f", "build/kept.txt")
    git(folder, "commit", "-m", "first")
    for path in folder.rglob("*"):
        os.utime(path, (OLD, OLD), follow_symlinks=False)
    return _after()


def _after() -> float:
    """A moment that the file system's clock, too, says is later than all that was done."""
    began = time.time()
    while (later := now()) <= began:
        continue
    return later


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (("build/out",), ""),
        (("x.log", "gone.txt"), ""),
        (("node_modules",), ""),
        (("**/*.log",), ""),
        (("build/out/*",), ""),
        (("build",), "build/kept.txt is tracked by git"),
        (("src/a.py",), "src/a.py is tracked by git"),
        (("src",), "src/a.py is tracked by git"),
        (("notes.txt",), "notes.txt is not in git, and this session did not make it"),
        (("*.txt",), "notes.txt is not in git, and this session did not make it"),
        ((".env",), ".env is ignored by git, but it may be data or a secret"),
        (("build/.env.local",), "build/.env.local is ignored by git, but it may be data or a secret"),
        (("data",), "data/big.bin is ignored by git, but it may be data or a secret"),
        (("local.db",), "local.db is ignored by git, but it may be data or a secret"),
        (("target",), "target/nested is a repository of its own"),
        (("target/nested/src/a.c",), "target/nested is a repository of its own"),
        (("target/nested/src/*.c",), "target/nested is a repository of its own"),
        (("",), ". is more than a part of the workspace's files"),
        ((".git/hooks",), ".git/hooks is more than a part of the workspace's files"),
        (("../beside",), "{parent}/beside is more than a part of the workspace's files"),
    ],
)
async def test_what_is_lost(worker: Worker, folder: Path, since: float, paths: tuple[str, ...], expected: str) -> None:
    wanted = [os.path.normpath(f"{folder}/{path}") for path in paths]

    assert await why_kept(worker, wanted, since) == expected.format(parent=folder.parent)


async def test_a_pattern_that_is_too_hard_to_compare_may_be_anything(
    worker: Worker, folder: Path, since: float
) -> None:
    assert "nobody can tell" in await why_kept(worker, [f"{folder}/{'**/' * 120}b"], since)


def everything(folder: Path) -> None:
    (folder / ".gitignore").write_text("*\n")


def committed(folder: Path) -> None:
    everything(folder)
    git(folder, "commit", "-am", "second")


def private(folder: Path) -> None:
    (folder / ".git" / "info" / "exclude").write_text("*\n")


def nearer(folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "notes.txt").rename(folder / "docs" / "notes.txt")
    (folder / "docs" / ".gitignore").write_text("*\n")


def configured(folder: Path) -> None:
    (folder.parent / "rules").write_text("*\n")
    git(folder, "config", "core.excludesFile", str(folder.parent / "rules"))


def moved(folder: Path) -> None:
    (folder / "notes.txt").rename(folder / "build" / "out" / "notes.txt")


@pytest.mark.parametrize("trick", [everything, committed, private, nearer, configured, moved])
async def test_rules_and_moves_of_the_session_make_nothing_disposable(
    worker: Worker, folder: Path, since: float, trick: Callable[[Path], None]
) -> None:
    trick(folder)

    notes = next(str(path) for path in folder.rglob("notes.txt"))
    assert await why_kept(worker, [notes], since) != ""


@pytest.mark.parametrize(
    "tried",
    [
        ("mv src notes.txt node_modules/", "node_modules", "node_modules"),
        ("mv src node_modules/x/", "node_modules/x", "node_modules"),
        ("mv src node_modules/.bin", "node_modules/.bin", "node_modules"),
        ("rm -rf node_modules; mv src node_modules", "node_modules", "node_modules"),
        ("mkdir -p node_modules/y; mv src node_modules/y", "node_modules/y", "node_modules"),
        ("mv notes.txt y.log; touch y.log", "y.log", "y.log"),
        ("mv src build/; find build -exec touch {} +", "build", "build/src"),
        ("mv notes.txt y.log; touch y.log", ".", "y.log"),
        ("touch src/new.py; mv src build/out/", "build/out", "build/out"),
        ("touch src/new.py; mv src build/out/", "build/out", "build/out/src/a.py"),
        ("touch src/new.py; mv src build/out/lib", "build/out/lib", "build/out"),
    ],
)
async def test_what_was_moved_to_where_all_is_disposable_is_kept(
    worker: Worker, call: Call, folder: Path, since: float, tried: tuple[str, str, str]
) -> None:
    """A command, where it moves something, and what is deleted then."""
    command, moved_to, deleted = tried
    assert not (await call("bash", command=command)).failed

    assert await why_kept(worker, [str(folder / deleted)], since, [str(folder / moved_to)]) != ""


async def test_what_was_moved_elsewhere_keeps_nothing(worker: Worker, call: Call, folder: Path, since: float) -> None:
    await call("bash", command="mv notes.txt src/; mkdir dist; touch dist/a; mv dist dist.old")
    moved_to = [str(folder / name) for name in ("src", "dist.old")]

    assert await why_kept(worker, [str(folder / "node_modules"), str(folder / "build/out")], since, moved_to) == ""
    assert await why_kept(worker, [str(folder / "dist.old")], since, moved_to) == ""


async def test_what_a_command_and_a_file_tool_made_is_the_sessions_own(
    worker: Worker, call: Call, folder: Path, since: float
) -> None:
    await call("bash", command="mkdir made && echo x > made/a && mv notes.txt made/")
    await call("write", path="new.txt", content="x")
    await call("edit", path="new.txt", edits=[{"old": "x", "new": "y"}])
    _after()
    (folder / "theirs.txt").write_text("x")

    kept = [await why_kept(worker, [str(folder / name)], since) for name in ("made/a", "new.txt", "theirs.txt", "made")]

    assert kept[:2] == ["", ""]
    assert kept[2] == "theirs.txt is not in git, and this session did not make it"
    assert kept[3] == "made/notes.txt is not in git, and this session did not make it"


async def test_a_worker_that_died_has_made_nothing(worker: Worker, call: Call, folder: Path, since: float) -> None:
    await call("bash", command="echo x > made.txt")
    next_life = replace(worker, workspace=replace(worker.workspace, made=Made()))

    assert await why_kept(worker, [str(folder / "made.txt")], since) == ""
    assert await why_kept(next_life, [str(folder / "made.txt")], since) != ""


async def test_without_a_repository_only_what_the_session_made_goes(worker: Worker, call: Call, folder: Path) -> None:
    (folder / "theirs.txt").write_text("x")
    _after()
    await call("bash", command="echo x > made.txt")

    assert await why_kept(worker, [str(folder / "made.txt")], time.time()) == ""
    assert "was there before this session" in await why_kept(worker, [str(folder / "theirs.txt")], time.time())


@pytest.mark.usefixtures("since")
async def test_who_does_not_know_when_the_session_began_trusts_no_rule(worker: Worker, folder: Path) -> None:
    assert "was changed since this session began" in await why_kept(worker, [str(folder / "x.log")], 0.0)


async def test_looking_runs_nothing_of_the_repositorys(worker: Worker, folder: Path, since: float) -> None:
    mark = folder.parent / "ran"
    command = folder.parent / "command"
    command.write_text(f"#!/bin/sh\ntouch {mark}\n")
    command.chmod(0o755)
    for setting in ("core.fsmonitor", "core.pager", "core.alternateRefsCommand"):
        git(folder, "config", setting, str(command))

    assert await why_kept(worker, [str(folder / "build" / "out")], since) == ""
    assert not mark.exists()
