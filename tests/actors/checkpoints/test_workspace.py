"""What a restore brings back, what it removes and what it leaves alone."""

import os
import shutil
from pathlib import Path

import pytest

from actors.checkpoints import scan
from actors.checkpoints.workspace import Workspace
from actors.errors import Failed
from tests.actors.checkpoints.places import Place, state


def test_what_a_turn_has_made_goes_and_what_the_user_has_made_stays(place: Place) -> None:
    place.write("there.txt", "old\n")
    checkpoint = place.take()
    place.write("there.txt", "new\n")
    place.write("made/by/turn.txt")
    place.take(moment="after")
    notes = place.write("made/notes.txt", "the user's\n")

    told = place.diff(checkpoint)
    restored = place.restore(checkpoint)

    assert (told.restored, told.removed, told.kept) == (("there.txt",), ("made/by/turn.txt",), ("made/notes.txt",))
    assert "-new\n+old\n" in told.diff
    assert restored.done.kept == ("made/notes.txt",)
    assert notes.read_text() == "the user's\n"
    assert not (place.root / "made" / "by").exists()


def test_what_was_made_is_known_after_the_next_prompts_too(place: Place) -> None:
    place.write("there.txt")
    checkpoint = place.take("t1")
    made = place.write("made.txt")
    place.take("t1", "after")
    for turn in ("t2", "t3"):
        place.take(turn)
        place.take(turn, "after")

    place.restore(checkpoint)

    assert not made.exists()


@pytest.mark.parametrize("damage", ["torn", "gone"])
def test_what_is_damaged_is_set_aside_and_the_next_is_recorded(place: Place, damage: str) -> None:
    for name in ("a", "b"):
        place.write(name, f"{name}\n" * 1000)
    place.take("t1")
    place.write("a", "other\n")
    for path in (place.workspace.repository.folder / "objects").rglob("*.pack"):
        path.chmod(0o600)
        path.write_bytes(path.read_bytes()[:50]) if damage == "torn" else path.unlink()
    place.workspace = Workspace(place.home, place.root, place.environ)
    before = place.state()

    checkpoint = place.take("t2")
    (place.root / "b").unlink()
    place.restore(checkpoint)

    assert place.state() == before
    assert list(place.workspace.repository.folder.glob("damaged-*/refs/checkpoints/5e55/*-before"))


def test_what_the_user_has_edited_since_is_named_before_it_is_lost(place: Place) -> None:
    for name in ("a", "b"):
        place.write(name, "old\n")
    checkpoint = place.take()
    place.write("a", "by the turn\n")
    place.write("b", "by the turn\n")
    place.take(moment="after")
    place.write("b", "by the user\n")

    assert place.diff(checkpoint).edited == ("b",)


def test_an_undo_removes_what_the_restore_had_brought_back(place: Place) -> None:
    place.write("kept")
    gone = place.write("gone", "text\n")
    checkpoint = place.take()
    gone.unlink()
    place.take(moment="after")

    restored = place.restore(checkpoint)
    back = gone.read_text()
    place.restore(restored.undo_id)

    assert back == "text\n"
    assert not gone.exists()


def test_the_same_turn_is_recorded_once(place: Place) -> None:
    path = place.write("a", "first\n")
    first = place.take()
    path.write_text("second\n")

    assert place.take() == first
    assert place.take("t2") != first


def test_nothing_new_costs_no_new_commit(place: Place) -> None:
    place.write("a")
    commits = {place.take(turn) for turn in ("t1", "t2", "t3")}

    assert len(commits) == 1
    assert len(place.workspace.records("5e55").checkpoints) == 3
    assert place.workspace.records("other").checkpoints == ()


def test_what_was_being_written_when_somebody_was_killed_is_no_record(place: Place) -> None:
    place.write("a")
    kept = place.take("t1")
    refs = place.workspace.repository.folder / "refs" / "checkpoints"
    (ref,) = (path for path in refs.rglob("*") if path.is_file())
    (ref.parent / f".{ref.name}.k1ll3d").write_text("")
    place.write("a", "changed\n")
    place.take("t2")

    assert len(place.workspace.records("5e55").checkpoints) == 2
    assert place.restore(kept).done.restored == ("a",)


def test_the_users_repository_is_left_alone(place: Place) -> None:
    place.git("init", "-q")
    place.write("a", "one\n")
    place.git("add", "a")
    place.git("commit", "-qm", "one")
    place.write("a", "two\n")
    place.git("add", "a")
    place.write("a", "three\n")
    place.git("stash", "-q")
    place.git("stash", "apply", "-q", "--index")
    for hook in ("post-checkout", "post-index-change", "pre-commit", "reference-transaction", "post-commit"):
        place.write(f".git/hooks/{hook}", f"#!/bin/sh\ntouch {place.root}/ran\n", 0o755)
    before = state(place.root / ".git")

    checkpoint = place.take()
    place.write("a", "four\n")
    place.diff(checkpoint)
    place.restore(checkpoint)

    assert state(place.root / ".git") == before
    assert (place.root / "a").read_text() == "three\n"
    assert not (place.root / "ran").exists()


def test_nothing_that_a_workspace_configures_is_run_or_changes_a_byte(place: Place) -> None:
    place.git("init", "-q")
    touch = f"touch {place.root}/ran"
    attributes = "* text=auto eol=crlf ident filter=bad diff=bad working-tree-encoding=UTF-16 merge=bad\n"
    (place.root / ".gitattributes").write_text(attributes)
    (place.root / ".git" / "info" / "attributes").write_text(attributes)
    place.write(".gitmodules", f'[submodule "x"]\n\tpath = x\n\turl = ./x\n\tupdate = !{touch}\n')
    settings = {
        "filter.bad.clean": touch,
        "filter.bad.smudge": touch,
        "filter.bad.process": touch,
        "diff.bad.textconv": touch,
        "diff.bad.command": touch,
        "diff.external": touch,
        "core.fsmonitor": f"{touch}; false",
        "core.pager": touch,
        "core.hooksPath": str(place.root),
        "alias.status": f"!{touch}",
        "core.autocrlf": "true",
        "core.worktree": "/tmp",
    }
    for key, value in settings.items():
        place.git("config", key, value)
    content = b"one\r\ntwo\n$Id: x$\n\xff\x00"
    (place.root / "a").write_bytes(content)

    checkpoint = place.take()
    (place.root / "a").write_bytes(b"changed")
    place.diff(checkpoint)
    place.restore(checkpoint)

    assert (place.root / "a").read_bytes() == content
    assert not (place.root / "ran").exists()


def test_what_git_ignores_is_neither_recorded_nor_removed(place: Place) -> None:
    place.write(".gitignore", "build/\n*.o\n")
    out, thing = place.write("build/out", "made\n"), place.write("src/thing.o", "made\n")
    checkpoint = place.take()
    place.write(".gitignore", "nothing\n")
    out.write_text("made anew\n")
    place.take(moment="after")

    told = place.diff(checkpoint, remove_others=True)
    place.restore(checkpoint, remove_others=True)

    assert (told.restored, told.removed, told.kept) == ((".gitignore",), (), ())
    assert (out.read_text(), thing.read_text()) == ("made anew\n", "made\n")


def test_what_came_to_be_ignored_since_is_brought_back_all_the_same(place: Place) -> None:
    path = place.write("data.txt", "old\n")
    checkpoint = place.take()
    path.write_text("new\n")
    place.write(".gitignore", "data.txt\n")

    restored = place.restore(checkpoint, remove_others=True)
    back = path.read_text()
    place.restore(restored.undo_id)

    assert (back, path.read_text()) == ("old\n", "new\n")


def test_what_git_tracks_although_it_is_ignored_is_recorded(place: Place) -> None:
    place.git("init", "-q")
    path = place.write("dist/kept.js", "old\n")
    place.git("add", "dist/kept.js")
    place.write(".gitignore", "dist/\n")
    place.write("dist/other.js", "old\n")
    checkpoint = place.take()
    path.unlink()

    assert place.diff(checkpoint).restored == ("dist/kept.js",)


def test_the_lists_of_the_user_and_of_the_repository_count(place: Place) -> None:
    place.git("init", "-q")
    (place.root / ".git" / "info" / "exclude").write_text("local/\n")
    mine = Path(place.environ["HOME"]) / ".config" / "git" / "ignore"
    mine.parent.mkdir(parents=True)
    mine.write_text("*.swp\n")
    place.write("local/x")
    place.write("a.swp")
    checkpoint = place.take()
    shutil.rmtree(place.root / "local")
    (place.root / "a.swp").unlink()

    assert place.diff(checkpoint).is_empty


def test_of_a_repository_around_only_the_workspace_is_recorded_by_its_rules(place: Place) -> None:
    place.git("init", "-q")
    place.write(".gitignore", "/pkg/out/\n*.log\n")
    place.write("other/x", "old\n")
    path = place.write("pkg/a", "old\n")
    place.write("pkg/out/x")
    place.write("pkg/a.log")
    place.workspace = Workspace(place.home, place.root / "pkg", place.environ)
    checkpoint = place.take()
    path.write_text("new\n")
    shutil.rmtree(place.root / "pkg" / "out")
    place.write("other/x", "new\n")
    (place.root / "pkg" / "a.log").unlink()

    told = place.diff(checkpoint)
    place.restore(checkpoint)

    assert told.restored == ("a",)
    assert path.read_text() == "old\n"
    assert (place.root / "other" / "x").read_text() == "new\n"


def test_a_workspace_that_the_repository_around_it_ignores_is_recorded(place: Place) -> None:
    place.git("init", "-q")
    place.write(".gitignore", "scratch/\n")
    path = place.write("scratch/a", "old\n")
    place.workspace = Workspace(place.home, place.root / "scratch", place.environ)
    checkpoint = place.take()
    path.write_text("new\n")

    place.restore(checkpoint)

    assert path.read_text() == "old\n"


def test_repositories_within_are_left_alone(place: Place) -> None:
    place.git("init", "-q")
    inner = place.write("lib/inner/a", "old\n").parent
    place.git("init", "-q", cwd=inner)
    place.git("add", "a", cwd=inner)
    place.git("commit", "-qm", "one", cwd=inner)
    place.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    checkpoint = place.take()
    (inner / "a").write_text("new\n")
    (inner / "b").write_text("new\n")
    (place.root / "sub" / "a").write_text("new\n")
    before = place.state()

    told = place.diff(checkpoint, remove_others=True)
    place.restore(checkpoint, remove_others=True)

    assert (told.is_empty, told.kept) == (True, ())
    assert place.state() == before


def test_a_folder_that_has_become_a_link_lets_nothing_be_written_outside(place: Place, tmp_path: Path) -> None:
    place.write("folder/deep/a", "old\n")
    place.write("link.txt", "old\n")
    checkpoint = place.take()
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "a").write_text("not ours\n")
    shutil.rmtree(place.root / "folder")
    (place.root / "folder").symlink_to(outside)
    (place.root / "link.txt").unlink()
    (place.root / "link.txt").symlink_to(outside / "deep" / "a")
    before = state(outside)

    blocked = place.restore(checkpoint)
    kept = (place.root / "folder").is_symlink()
    place.restore(checkpoint, remove_others=True)

    assert state(outside) == before
    assert kept
    assert blocked.done.not_restored == ("folder/deep/a: folder is in the way",)
    assert (place.root / "folder" / "deep" / "a").read_text() == "old\n"
    assert not (place.root / "link.txt").is_symlink()


def test_what_has_not_been_recorded_is_not_overwritten(place: Place) -> None:
    path = place.write("a", "old\n")
    checkpoint = place.take()
    path.write_bytes(b"x" * (scan.LARGEST + 1))

    told = place.diff(checkpoint)
    restored = place.restore(checkpoint, remove_others=True)

    assert told.not_restored == restored.done.not_restored == ("a: not recorded as it is now: 20 MB",)
    assert path.stat().st_size == scan.LARGEST + 1


def test_a_file_that_is_too_large_is_left_out_and_named_and_stays(place: Place) -> None:
    large = place.write("large.bin")
    large.write_bytes(b"x" * (scan.LARGEST + 1))
    place.write("a")
    workspace = place.workspace

    checkpoint = place.take()
    large.write_text("small now\n")
    told = place.diff(checkpoint)
    done = place.restore(checkpoint, remove_others=True).done

    assert told.left_out == done.left_out == ("large.bin: 20 MB",)
    assert (told.counts, told.is_empty) == ((0, 0, 0, 0, 0, 1), True)
    assert list(workspace.repository.load(checkpoint).files) == [b"a"]
    assert large.read_text() == "small now\n"


@pytest.mark.parametrize("below", ["", "user"])
def test_a_home_folder_has_no_checkpoints(tmp_path: Path, below: str) -> None:
    (tmp_path / "user").mkdir()

    with pytest.raises(Failed, match="is no folder of one project"):
        Workspace(tmp_path / "home", tmp_path / below, {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "user")})


def test_a_workspace_of_very_many_files_has_none(place: Place) -> None:
    for number in range(scan.MOST_FILES + 1):
        (place.root / str(number)).symlink_to("x")

    with pytest.raises(Failed, match="more than 30,000 files"):
        place.take()


def test_a_checkpoint_that_is_not_kept_any_more_changes_nothing(place: Place) -> None:
    path = place.write("a")

    for checkpoint in ("", "0" * 40, "HEAD", "--help"):
        with pytest.raises(Failed, match="not kept any more"):
            place.restore(checkpoint)

    assert path.read_text() == "text\n"


def test_it_is_for_its_user_alone(place: Place) -> None:
    place.write(".env", "KEY=1\n", 0o600)
    place.take()
    folder = place.home / "checkpoints"

    modes = {path.stat().st_mode & 0o077 for path in [folder, *folder.glob("*")]}

    assert modes == {0}


def test_home_and_settings_in_the_workspace_are_left_alone(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.workspace = Workspace(place.root / "state", place.root, place.environ)
    settings = place.write(".trouper/config.toml", "old\n")
    place.write("a", "old\n")
    checkpoint = place.take()
    settings.write_text("new\n")
    place.write("state/x")

    assert place.diff(checkpoint, remove_others=True).is_empty
