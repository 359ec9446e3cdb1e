"""A worktree is removed and its work is in the user's repository, or it stays as it is."""

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from actors.checkpoints.worktrees import removing
from actors.checkpoints.worktrees.keyed_folder import LOCK
from actors.common import locks
from actors.errors import Failed
from tests import ROOT
from tests.actors.checkpoints.places import state
from tests.actors.checkpoints.worktrees.copies import Copies, files

LONG_AGO = 1_000_000_000.0


def begun(copies: Copies) -> Path:
    copies.write("a", "one\n")
    copies.begin()
    return Path(copies.make().top)


def commit(copies: Copies, top: Path, name: str) -> None:
    copies.write(name, f"{name}\n", within=top)
    copies.git("add", "-A", cwd=top)
    copies.git("commit", "-q", "-m", name, cwd=top)


def test_where_nothing_was_done_nothing_is_kept(copies: Copies) -> None:
    begun(copies)
    before = state(copies.root)

    refs = copies.remove(), copies.remove(), copies.remove("never there")

    assert refs == ("", "", "")
    assert copies.keys() == []
    assert state(copies.root) == before


def test_commits_on_any_branch_taken_back_or_stashed_are_kept(copies: Copies) -> None:
    top = begun(copies)
    commit(copies, top, "on the branch")
    copies.git("checkout", "-q", "-b", "other", cwd=top)
    commit(copies, top, "on another")
    copies.git("checkout", "-q", "trouper/s.1", cwd=top)
    commit(copies, top, "taken back")
    copies.git("reset", "-q", "--hard", "HEAD~1", cwd=top)
    copies.write("a", "stashed\n", within=top)
    copies.git("stash", "-q", cwd=top)
    copies.git("repack", "-a", "-d", "-q", cwd=top)
    copies.write("new", "not committed\n", within=top)

    ref = copies.remove()
    subjects = copies.git("log", "--format=%s", ref).splitlines()

    assert ref == "refs/trouper/work/s.1"
    assert subjects[0] == "Work of 's.1', kept by Trouper"
    assert {"on the branch", "on another", "taken back"} <= set(subjects)
    assert any(subject.startswith("WIP on") for subject in subjects)
    assert (copies.kept(ref) / "new").read_text() == "not committed\n"
    assert copies.git("fsck", "--strict") == ""
    assert copies.git("for-each-ref", "refs/heads", "--format=%(refname:short)") == "main"


def test_of_one_that_is_gone_already_it_is_told_what_was_kept(copies: Copies) -> None:
    copies.write("a", "other\n", within=begun(copies))
    copies.make("s.2")
    nothing, kept = copies.remove("s.2"), copies.remove()
    where = str(copies.root)

    assert (nothing, kept) == ("", "refs/trouper/work/s.1")
    assert (copies.remove(cwd=where), copies.remove("s.2", cwd=where)) == (kept, "")
    assert copies.remove(cwd=str(copies.home)) == ""
    assert copies.keys() == []


def test_what_was_kept_earlier_stays_in_reach(copies: Copies) -> None:
    top = begun(copies)
    commit(copies, top, "first life")
    copies.remove()
    copies.make(fresh=True)
    fresh = files(top)
    commit(copies, top, "second life")

    ref = copies.remove()

    assert set(fresh) == {b"a"}
    assert {"first life", "second life"} <= set(copies.git("log", "--format=%s", ref).splitlines())
    assert {path.name for path in copies.kept(ref).iterdir()} == {".git", "a", "second life"}


def test_files_and_folders_that_are_closed_go_too_and_links_lead_nowhere(copies: Copies, tmp_path: Path) -> None:
    top = begun(copies)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept\n")
    copies.write("closed/inner/file", within=top).chmod(0o400)
    (top / "out").symlink_to(outside)
    (top / ".git" / "refs" / "out").symlink_to(outside)
    (top / "closed" / "inner").chmod(0o500)
    (top / "closed").chmod(0o500)
    deep = top
    for _ in range(150):
        deep = deep / "deep"
    (top / ".gitignore").write_text("deep\n")
    deep.mkdir(parents=True)

    ref = copies.remove()

    assert not top.parent.exists()
    assert (outside / "kept").read_text() == "kept\n"
    assert copies.git("show", f"{ref}:closed/inner/file") == "text"


def nested(copies: Copies, top: Path) -> None:
    copies.write("nested/b", within=top)
    copies.git("init", "-q", cwd=top / "nested")


def no_repository(copies: Copies, _top: Path) -> None:
    copies.root.rename(copies.root.with_name("away"))


def damaged(_copies: Copies, top: Path) -> None:
    (top / ".git" / "refs" / "heads" / "x").write_text("1" * 40 + "\n")


def false_object(copies: Copies, top: Path) -> None:
    """It is not what it is called."""
    commit(copies, top, "for now")
    (top / "for now").unlink()
    commit(copies, top, "without it")
    names = (copies.git("rev-parse", name, cwd=top) for name in ("HEAD~1:for now", "HEAD:without it"))
    false, true = (top / ".git/objects" / name[:2] / name[2:] for name in names)
    false.chmod(0o600)
    shutil.copyfile(true, false)


def closed_repository(copies: Copies, _top: Path) -> None:
    shutil.rmtree(copies.root / ".git" / "refs")
    (copies.root / ".git" / "refs").write_text("no folder")


@pytest.mark.parametrize("hinder", [nested, no_repository, damaged, false_object, closed_repository])
def test_what_cannot_be_kept_stays(copies: Copies, hinder: Callable[[Copies, Path], None]) -> None:
    top = begun(copies)
    commit(copies, top, "work")
    hinder(copies, top)
    before = state(top)

    with pytest.raises(Failed) as refused:
        copies.remove()

    assert refused.value.problem.code == "no_worktree"
    assert state(top) == before
    assert copies.keys() == ["s.1"]


def test_objects_are_not_taken_from_where_a_link_leads(copies: Copies, tmp_path: Path) -> None:
    top = begun(copies)
    secret = tmp_path / "secret"
    secret.mkdir()
    other = Copies(secret)
    other.write("key", "secret\n")
    other.begin()
    tip = other.git("rev-parse", "HEAD")
    shutil.rmtree(top / ".git" / "objects" / tip[:2], ignore_errors=True)
    for folder in (other.root / ".git/objects").glob("??"):
        if not (top / ".git/objects" / folder.name).exists():
            (top / ".git/objects" / folder.name).symlink_to(folder)
    (top / ".git/objects/info/alternates").write_text(f"{other.root}/.git/objects\n")
    (top / ".git/refs/heads/x").write_text(f"{tip}\n")

    with pytest.raises(Failed):
        copies.remove()

    found = subprocess.run(["git", "cat-file", "-e", tip], cwd=copies.root, capture_output=True)
    assert found.returncode != 0


def test_one_that_another_program_works_with_is_not_removed(copies: Copies, tmp_path: Path) -> None:
    begun(copies)

    with pytest.raises(Failed, match=f"process {os.getpid()} works with"):
        Copies(tmp_path, os.getppid()).remove()

    assert copies.keys() == ["s.1"]


@pytest.fixture
def gone(copies: Copies, tmp_path: Path) -> Copies:
    """A program that has ended, in the same home."""
    ended = subprocess.Popen([sys.executable, "-c", ""], cwd=ROOT)
    ended.wait()
    copies.write(".gitignore", "venv\n")
    copies.begin()
    return Copies(tmp_path, ended.pid)


def test_what_an_ended_program_has_left_is_swept_once_all_of_it_is_kept(copies: Copies, gone: Copies) -> None:
    owners = (("left", gone), ("mine", copies), ("session.1", gone), ("left.1", gone))
    for key, owner in owners:
        cwd = copies.home / "worktrees/left/my work" if key == "left.1" else copies.root
        copies.write("new", key, within=Path(owner.make(key, cwd=cwd).top))

    removing.sweep(copies.among, "session")

    assert copies.keys() == ["mine", "session.1"]
    assert copies.git("show", "refs/trouper/work/left:new") == "left"
    assert copies.git("for-each-ref", "refs/trouper/work", "--format=%(refname)") == "refs/trouper/work/left"


def test_what_git_ignores_is_left_for_a_day(copies: Copies, gone: Copies) -> None:
    """To be looked at does not make the day longer."""
    lock = copies.home / "worktrees" / "s.1" / LOCK
    copies.write("venv/bin/tool", within=Path(gone.make().top))
    lately = time.time() - removing.LEFT_S / 2
    os.utime(lock, (lately, lately))

    removing.sweep(copies.among, "session")
    stayed, used = copies.keys(), lock.stat().st_mtime
    os.utime(lock, (LONG_AGO, LONG_AGO))
    removing.sweep(copies.among, "session")

    assert (stayed, used) == (["s.1"], pytest.approx(lately))
    assert copies.keys() == []


@pytest.mark.parametrize("held", ["s.1", "s"])
def test_whose_session_somebody_has_is_left_wherever_that_program_is(copies: Copies, gone: Copies, held: str) -> None:
    """Its process is not to be seen from here, such as in another container."""
    copies.write("new", within=Path(gone.make("s.1").top))
    (copies.home / "run").mkdir()
    path = copies.home / "run" / f"{held}.lock"
    lock = locks.take(path)

    removing.sweep(copies.among, "session")
    stayed = copies.keys()
    locks.release(path, lock)
    removing.sweep(copies.among, "session")

    assert (stayed, copies.keys()) == (["s.1"], [])
    assert copies.git("show", "refs/trouper/work/s.1:new") == "text"


def test_a_ref_is_nothing_that_others_cannot_write(copies: Copies) -> None:
    top = begun(copies)
    commit(copies, top, "work")

    ref = copies.remove()

    mode = (copies.root / ".git" / ref).stat().st_mode
    assert stat.S_IMODE(mode) & 0o600 == 0o600
    copies.git("update-ref", "-d", ref)
    assert copies.git("for-each-ref", "refs/trouper") == ""


def test_locks_of_a_git_that_was_killed_hold_nothing_up(copies: Copies) -> None:
    top = begun(copies)
    copies.write("a", "other\n", within=top)
    previews = top.parent / "git" / "refs" / "previews"
    previews.mkdir(parents=True, exist_ok=True)
    for name in ("files.lock", "work.lock"):
        (previews / name).touch()

    assert copies.patch().files == ("a",)
    assert copies.remove() == "refs/trouper/work/s.1"
