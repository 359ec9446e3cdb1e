"""`trouper worktrees` from end to end, and an agent's tools at work in one."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from actors.checkpoints.worktrees.keyed_folder import OfHome
from actors.checkpoints.worktrees.requests import answer
from actors.messages.checkpoint import MakeWorktree, WorktreeMade
from tests.repositories import git
from tests.system.harness import Place

pytestmark = pytest.mark.slow


def made(place: Place, key: str) -> Path:
    wanted = MakeWorktree(key=key, cwd=str(place.workspace))
    ended = subprocess.Popen(["true"])
    told = answer(OfHome(place.home.resolve(), os.environ, ended.pid), wanted)
    ended.wait()
    assert isinstance(told, WorktreeMade)
    return Path(told.cwd)


def test_a_tools_work_in_a_copy_is_shown_merged_and_kept(place: Place) -> None:
    (place.workspace / "a").write_text("one\n")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "first")):
        git(place.workspace, *words)
    copy = made(place, "s.1")
    work = json.dumps({"path": "b", "content": "new\n"})
    workspace, place.workspace = place.workspace, copy
    written = place.run("tools", "call", "write", work, "--mode", "accept-edits")
    read = place.run("tools", "call", "read", '{"path": "b"}')
    place.workspace = workspace

    listed = place.run("worktrees", "list", "--json")
    shown = place.run("worktrees", "show", "s.1")
    merged = place.run("worktrees", "merge", "s.1")
    (place.workspace / "b").write_text("mine\n")
    (copy / "b").write_text("theirs\n")
    refused = place.run("worktrees", "merge", "s.1", "b", "--json")
    removed = place.run("worktrees", "remove", "s.1")
    gone = place.run("worktrees", "show", "s.1")

    assert (written.code, read.code) == (0, 0), written.err + read.err
    assert [one["key"] for one in json.loads(listed.out)] == ["s.1"]
    assert "+new\n" in shown.out
    assert (merged.code, merged.out) == (0, "b\n")
    assert (refused.code, [one["path"] for one in json.loads(refused.out)["conflicts"]]) == (1, ["b"])
    assert (place.workspace / "b").read_text() == "mine\n"
    assert "refs/trouper/work/s.1" in removed.err
    assert git(place.workspace, "show", "refs/trouper/work/s.1:b") == "theirs"
    assert gone.code == 1
    assert "trouper worktrees list" in gone.err
    assert place.left() == []


def test_what_is_kept_is_listed_and_dropped_when_the_user_says_so(place: Place) -> None:
    (place.workspace / "a").write_text("one\n")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "first")):
        git(place.workspace, *words)
    (made(place, "s.1") / "b").write_text("new\n")
    place.run("worktrees", "remove", "s.1")

    listed = place.run("worktrees", "kept")
    told = json.loads(place.run("worktrees", "kept", "--json").out)
    dropped = place.run("worktrees", "drop", "s.1")
    again = place.run("worktrees", "drop", "s.1")

    assert listed.out.startswith("s.1  ")
    assert "1 changed file  git log refs/trouper/work/s.1\n" in listed.out
    assert [(one["key"], one["files"], one["in_head"]) for one in told] == [("s.1", 1, False)]
    assert (dropped.code, again.code) == (0, 1)
    assert told[0]["commit"] in dropped.err
    assert "nothing is kept of s.1" in again.err
    assert place.run("worktrees", "kept").out == ""
    assert git(place.workspace, "for-each-ref", "refs/trouper") == ""
