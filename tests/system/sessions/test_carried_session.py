"""A session goes to another machine with the files of its workspace: another home, another folder, and back in time."""

import hashlib
import json
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.harness import Place, answer, call

pytestmark = pytest.mark.slow


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Place]:
    """Another machine."""
    folder = tmp_path / "other"
    folder.mkdir()
    place = Place(folder)
    yield place
    place.close()


def two_turns(place: Place) -> str:
    """The session; the first turn writes with a tool, the second with a command."""
    (place.workspace / "a.txt").write_text("mine\n")
    (place.workspace / "a.txt").chmod(0o640)
    (place.workspace / "link").symlink_to("a.txt")
    model = place.script(
        answer("", call("read", path="a.txt")),
        answer("", call("write", path="a.txt", content="changed\n")),
        answer("One."),
        answer("", call("bash", command="mkdir -p made; echo new > made/b.txt; rm link")),
        answer("Two."),
    )
    first = place.prompt(model)
    assert first.finish().code == 0
    session_id = str(first.wait_for("session")["id"])
    assert place.prompt(model, "-r", session_id, "--allow", "Bash(rm link)").finish().code == 0
    return session_id


def export(place: Place, session_id: str, file: Path, *more: str) -> str:
    """What it says."""
    done = place.run("sessions", "export", session_id, "--format", "trouper", "--out", str(file), *more)
    assert done.code == 0, done.err
    return done.err


def bring(place: Place, file: Path) -> dict[str, str]:
    done = place.run("sessions", "import", str(file), "--cwd", str(place.workspace), "--json")
    (outcome,) = json.loads(done.out)
    return dict(outcome)


def files(place: Place) -> dict[str, tuple[str, int]]:
    return {
        str(path.relative_to(place.workspace)): (
            str(path.readlink()) if path.is_symlink() else path.read_text(),
            0 if path.is_symlink() else stat.S_IMODE(path.stat().st_mode),
        )
        for path in place.workspace.rglob("*")
        if (path.is_symlink() or path.is_file()) and ".trouper" not in path.parts
    }


def test_its_files_go_back_on_the_other_machine(place: Place, other: Place, tmp_path: Path) -> None:
    session_id = two_turns(place)
    told = export(place, session_id, tmp_path / "s.trouper")
    (other.workspace / "a.txt").write_text("changed\n")
    (other.workspace / "made").mkdir()
    (other.workspace / "made" / "b.txt").write_text("new\n")
    (other.workspace / "own.txt").write_text("of this machine\n")

    brought = bring(other, tmp_path / "s.trouper")
    there = files(other)
    shown = other.run("sessions", "rewind", session_id, "--to", "1")
    untouched = files(other)
    done = other.run("sessions", "rewind", session_id, "--to", "1", "--yes")
    back = files(other)
    undone = other.run("sessions", "rewind", session_id, "--undo", "--yes")

    assert "2 checkpoints" in told
    assert "your own machines" in told
    assert (brought["state"], brought["left_behind"]) == ("imported", "")
    assert (shown.code, done.code, undone.code) == (2, 0, 0), shown.err + done.err + undone.err
    assert "+mine\n" in shown.out
    assert untouched == there == files(other)
    assert back == {
        "a.txt": ("mine\n", 0o640),
        "link": ("a.txt", 0),
        "own.txt": ("of this machine\n", 0o644),
    }


def test_it_is_gone_on_with_and_comes_home_again(place: Place, other: Place, tmp_path: Path) -> None:
    session_id = two_turns(place)
    export(place, session_id, tmp_path / "s.trouper")
    bring(other, tmp_path / "s.trouper")
    (other.workspace / "a.txt").write_text("changed\n")
    model = other.script(*[answer("")] * 5, answer("", call("bash", command="echo more >> a.txt")), answer("Three."))
    went_on = other.prompt(model, "-r", session_id).finish()
    last = other.run("sessions", "rewind", session_id, "--yes")

    assert (went_on.code, last.code) == (0, 0), went_on.err + last.err
    assert (other.workspace / "a.txt").read_text() == "changed\n"
    assert "4 checkpoints" in export(other, session_id, tmp_path / "again.trouper")


@pytest.mark.parametrize("cwd", ["/not/here", "work", "../work"])
def test_where_its_folder_is_not_here_it_is_asked_for(place: Place, other: Place, tmp_path: Path, cwd: str) -> None:
    session_id = two_turns(place)
    good, moved = tmp_path / "s.trouper", tmp_path / "moved.trouper"
    export(place, session_id, good)
    with zipfile.ZipFile(good) as whole, zipfile.ZipFile(moved, "w") as changed:
        for name in ("entries.jsonl", "checkpoints.bundle"):
            changed.writestr(name, whole.read(name))
        manifest = json.loads(whole.read("manifest.json")) | {"cwd": cwd}
        changed.writestr("manifest.json", json.dumps(manifest))

    refused = other.run("sessions", "import", str(moved))

    assert refused.code == 1
    assert "is not here. Say which one it is: --cwd DIR" in refused.err
    assert bring(other, moved)["state"] == "imported"


def test_without_files_there_is_nothing_of_them_in_it(place: Place, other: Place, tmp_path: Path) -> None:
    session_id = two_turns(place)

    told = export(place, session_id, tmp_path / "s.trouper", "--without-files")
    brought = bring(other, tmp_path / "s.trouper")
    refused = other.run("sessions", "rewind", session_id, "--to", "1", "--yes")
    alone = other.run("sessions", "rewind", session_id, "--to", "1", "--yes", "--conversation")

    assert told == ""
    assert "checkpoints.bundle" not in zipfile.ZipFile(tmp_path / "s.trouper").namelist()
    assert brought["state"] == "imported"
    assert (refused.code, alone.code) == (1, 0)
    assert "not kept" in refused.err


def test_an_archive_that_was_made_to_do_harm_brings_nothing(place: Place, other: Place, tmp_path: Path) -> None:
    session_id = two_turns(place)
    good, bad = tmp_path / "s.trouper", tmp_path / "bad.trouper"
    export(place, session_id, good)
    with zipfile.ZipFile(good) as whole, zipfile.ZipFile(bad, "w") as changed:
        manifest = json.loads(whole.read("manifest.json"))
        bundle = whole.read("checkpoints.bundle").replace(b"refs/checkpoints/", b"refs/heads/xxxxxxx/")
        manifest["files"]["checkpoints.bundle"]["sha256"] = hashlib.sha256(bundle).hexdigest()
        manifest["files"]["checkpoints.bundle"]["bytes"] = len(bundle)
        changed.writestr("entries.jsonl", whole.read("entries.jsonl"))
        changed.writestr("checkpoints.bundle", bundle)
        changed.writestr("manifest.json", json.dumps(manifest))

    refused = bring(other, bad)

    assert refused["state"] == "failed"
    assert "not as trouper sessions export writes them" in refused["problem"]
    assert json.loads(other.run("sessions", "list", "--all", "--json").out) == []
    assert list((other.home / "checkpoints").glob("*/refs/*")) == []
    assert list((other.home / "checkpoints").glob("*/objects/*")) == []


def test_where_there_can_be_no_checkpoints_the_session_comes_without(
    place: Place, other: Place, tmp_path: Path
) -> None:
    session_id = two_turns(place)
    export(place, session_id, tmp_path / "s.trouper")
    home = Path(other.environment["HOME"])

    done = other.run("sessions", "import", str(tmp_path / "s.trouper"), "--cwd", str(home), "--json")

    (outcome,) = json.loads(done.out)
    assert outcome["state"] == "imported"
    assert "is no folder of one project" in outcome["left_behind"]
