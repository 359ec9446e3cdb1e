"""Sessions of other agents in the real program: imported, looked at, and gone on with."""

import contextlib
import json
import os
import shutil
import sqlite3
import zipfile
from pathlib import Path

import pytest

from actors.providers.scripted import Script, ScriptedAnswer
from tests import ROOT
from tests.fakes.in_thread import in_thread
from tests.fakes.model_server import open_model_server
from tests.system.harness import Event, Place, answer, until
from tests.system.sessions.requests import unpaired, words

pytestmark = pytest.mark.slow
SAMPLES = ROOT / "tests" / "data" / "foreign"
AGENTS = ("claude", "codex", "pi")
FORMATS = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic-messages": "/v1/messages",
}
each_agent = pytest.mark.parametrize("agent", AGENTS)


def taken_in(place: Place, *paths: Path, more: tuple[str, ...] = ()) -> list[Event]:
    done = place.run("sessions", "import", *map(str, paths), "--cwd", str(place.workspace), "--json", *more)
    found: list[Event] = json.loads(done.out)
    return found


@each_agent
def test_a_session_that_was_imported_is_gone_on_with(place: Place, agent: str) -> None:
    (outcome,) = taken_in(place, SAMPLES / f"{agent}.jsonl")
    script = Script(end=ScriptedAnswer(text="As I said."))

    with in_thread(lambda: open_model_server(script)) as models:
        (place.home / "config.toml").write_text(
            "".join(f'[providers.{api}]\napi = "{api}"\nbase_url = "{models.url}/v1"\n' for api in FORMATS)
        )
        codes = [
            place.run("-r", outcome["session_id"][:8], "-p", "How tall was it?", "--model", f"{api}/test-model").code
            for api in FORMATS
        ]
        requests = {got.path: got.body for got in models.asked}

    assert outcome["state"] == "imported"
    assert codes == [0, 0, 0]
    assert {path: unpaired(path, body) for path, body in requests.items()} == {path: [] for path in FORMATS.values()}
    for body in requests.values():
        assert "How tall is the oak?" in words(body)
        assert "The oak is 21 m tall." in words(body)
        assert "Draw it in ASCII." not in words(body)
        assert "Measure the fence too." in words(body)
        assert "not in the imported session" in words(body)
        assert "weather" not in words(body)


@each_agent
def test_the_same_session_is_imported_once(place: Place, agent: str) -> None:
    (first,) = taken_in(place, SAMPLES / f"{agent}.jsonl")
    (again,) = taken_in(place, SAMPLES / f"{agent}.jsonl")
    listed = json.loads(place.run("sessions", "list", "--all", "--json").out)

    assert (first["state"], again["state"]) == ("imported", "there already")
    assert first["session_id"] == again["session_id"]
    assert [one["session_id"] for one in listed] == [first["session_id"]]


def test_one_that_was_deleted_stays_so_and_the_way_back_is_named(place: Place) -> None:
    (first,) = taken_in(place, SAMPLES / "pi.jsonl")
    place.run("sessions", "delete", first["session_id"], "--yes")

    (again,) = taken_in(place, SAMPLES / "pi.jsonl")
    told = place.run("sessions", "import", str(SAMPLES / "pi.jsonl"), "--cwd", str(place.workspace))
    command = told.out.rpartition("with: trouper ")[2].split()
    restored = place.run(*command)
    (there,) = taken_in(place, SAMPLES / "pi.jsonl")

    assert (again["state"], told.code, restored.code) == ("deleted", 0, 0)
    assert (there["state"], there["session_id"]) == ("there already", first["session_id"])


def test_a_folder_that_is_not_here_is_asked_for_before_anything_is_taken_in(place: Place, tmp_path: Path) -> None:
    gone = place.run("sessions", "import", str(SAMPLES / "pi.jsonl"))
    (imported,) = taken_in(place, SAMPLES / "pi.jsonl")
    elsewhere = place.run("sessions", "import", str(SAMPLES / "pi.jsonl"), "--cwd", str(tmp_path))

    assert gone.code == 1
    assert "is not here. Say which one it is: --cwd DIR" in gone.err
    assert imported["state"] == "imported"
    assert f"it is there already, as session {imported['session_id'][:8]} of {place.workspace}" in elsewhere.out


def test_an_import_that_was_broken_off_is_finished(place: Place) -> None:
    (whole,) = taken_in(place, SAMPLES / "pi.jsonl")
    before = place.run("sessions", "export", whole["session_id"]).out
    _forget_after(place, whole["session_id"], entries=7)

    (finished,) = taken_in(place, SAMPLES / "pi.jsonl")

    assert finished["state"] == "imported"
    assert place.run("sessions", "export", whole["session_id"]).out == before


def _forget_after(place: Place, session_id: str, entries: int) -> None:
    """As if the program had been killed there."""
    with sqlite3.connect(place.home / "trouper.db") as database:
        numbers = "SELECT number FROM entries WHERE session_id = ? ORDER BY number LIMIT -1 OFFSET ?"
        database.execute(f"DELETE FROM entry_blobs WHERE entry IN ({numbers})", (session_id, entries))  # noqa: S608
        database.execute(f"DELETE FROM entries WHERE number IN ({numbers})", (session_id, entries))  # noqa: S608
    database.close()


@pytest.mark.parametrize("killed", ["store", "ui"])
def test_an_import_outlives_its_processes(place: Place, tmp_path: Path, killed: str) -> None:
    turns = 4000
    file = tmp_path / "long.jsonl"
    with file.open("w") as out:
        out.write(json.dumps({"type": "session", "id": "long", "cwd": str(place.workspace)}) + "\n")
        for turn in range(turns):
            for role in ("user", "assistant"):
                message = {"role": role, "content": [{"type": "text", "text": f"{role} {turn}"}]}
                out.write(json.dumps({"type": "message", "message": message}) + "\n")

    importing = place.start("sessions", "import", str(file), "--json")
    until(lambda: _entries(place) > turns // 4)
    importing.kill_if_alive(killed)
    done = importing.finish()
    (again,) = taken_in(place, file)

    (outcome,) = json.loads(done.out)
    assert outcome["state"] == "imported"
    assert _entries(place) == 3 * turns + 2
    assert again["state"] == "there already"


def _entries(place: Place) -> int:
    """In the store, of all sessions; 0 as long as there is none."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{place.home}/trouper.db?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM entries").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def test_a_session_that_went_on_is_not_touched_by_another_import(place: Place, tmp_path: Path) -> None:
    grown = tmp_path / "session.jsonl"
    shutil.copy(SAMPLES / "pi.jsonl", grown)
    (first,) = taken_in(place, grown)
    place.prompt(place.script(answer("Yes.")), "-r", first["session_id"]).finish()
    before = place.run("sessions", "export", first["session_id"]).out
    with grown.open("a") as file:
        file.write('\n{"type":"message","id":"f","parentId":"00000014","message":{"role":"user","content":"More?"}}\n')

    (again,) = taken_in(place, grown)

    assert again["state"] == "there already"
    assert place.run("sessions", "export", first["session_id"]).out == before


def test_a_folder_is_imported_whole_and_subagents_are_part_of_their_session(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    (folder / "a" / "subagents").mkdir(parents=True)
    for agent in AGENTS:
        shutil.copy(SAMPLES / f"{agent}.jsonl", folder / "a")
    shutil.copy(SAMPLES / "claude.jsonl", folder / "a" / "subagents" / "agent-1.jsonl")
    (folder / "notes.jsonl").write_text("{}\n")

    outcomes = taken_in(place, folder)

    assert [(Path(one["file"]).name, one["form"], one["state"]) for one in outcomes] == [
        ("claude.jsonl", "claude", "imported"),
        ("codex.jsonl", "codex", "imported"),
        ("pi.jsonl", "pi", "imported"),
        ("notes.jsonl", "", "failed"),
    ]


def test_what_is_said_of_an_import_cannot_steer_a_terminal(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "\x1b]0;x\x07.jsonl"
    odd = '{"type":"\\u001b[31mred","uuid":"x"}\n'
    path.write_text((SAMPLES / "claude.jsonl").read_text().rpartition("\n")[0] + "\n" + odd)

    done = place.run("sessions", "import", str(path), "--cwd", str(place.workspace))
    listed = place.run("sessions", "list", "--all")

    assert done.code == 0, done.err
    assert "\\x1b[31mred 1" in done.out
    assert not set(done.out + done.err + listed.out) & {"\x1b", "\x07"}


def test_without_a_file_it_says_what_there_is_of_this_folder(place: Place) -> None:
    home = Path(place.environment["HOME"])
    first = json.dumps({"type": "session", "id": "x", "cwd": str(place.workspace)})
    here = home / ".pi" / "agent" / "sessions" / "--here--" / "1.jsonl"
    elsewhere = here.parent.parent / "--elsewhere--" / "2.jsonl"
    for path, line in ((here, first), (elsewhere, first.replace(str(place.workspace), "/elsewhere"))):
        path.parent.mkdir(parents=True)
        path.write_text(f"{line}\n")

    done = place.run("sessions", "import")
    as_data = json.loads(place.run("sessions", "import", "--json").out)

    assert done.code == 0
    assert f"trouper sessions import {here}" in done.out
    assert str(elsewhere) not in done.out
    assert [(one["agent"], one["path"]) for one in as_data] == [("pi", str(here))]


@pytest.mark.parametrize("kind", ["nothing", "a pipe", "text", "a folder without sessions"])
def test_what_is_no_session_is_refused_with_a_reason(place: Place, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    match kind:
        case "a pipe":
            os.mkfifo(path)
        case "text":
            path.write_text("hello\n")
        case "a folder without sessions":
            path.mkdir()
        case _:
            pass

    done = place.run("sessions", "import", str(path))

    assert done.code != 0
    assert {
        "nothing": "there is no such file",
        "a pipe": "that is no regular file",
        "text": "it is no session of Claude Code, Codex or pi",
        "a folder without sessions": "there are no session files in",
    }[kind] in done.err


def test_a_whole_session_goes_to_another_machine_and_back(place: Place, tmp_path: Path) -> None:
    (outcome,) = taken_in(place, SAMPLES / "claude.jsonl")
    file = tmp_path / "session.trouper"
    exported = place.run("sessions", "export", outcome["session_id"], "--format", "trouper", "--out", str(file))
    before = place.run("sessions", "export", outcome["session_id"]).out
    for name in ("trouper.db", "trouper.db-wal", "trouper.db-shm"):
        (place.home / name).unlink(missing_ok=True)

    (arrived,) = taken_in(place, file)
    (again,) = taken_in(place, file)

    assert exported.code == 0, exported.err
    assert (arrived["form"], arrived["state"], again["state"]) == ("trouper", "imported", "there already")
    assert arrived["session_id"] == outcome["session_id"]
    assert place.run("sessions", "export", outcome["session_id"]).out == before


def test_an_archive_whose_session_id_is_a_path_writes_nowhere(place: Place, tmp_path: Path) -> None:
    (outcome,) = taken_in(place, SAMPLES / "claude.jsonl")
    file, bad = tmp_path / "session.trouper", tmp_path / "bad.trouper"
    place.run("sessions", "export", outcome["session_id"], "--format", "trouper", "--out", str(file))
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(bad, "w") as changed:
        for name in whole.namelist():
            changed.writestr(name, whole.read(name).replace(outcome["session_id"].encode(), b"../../harm"))

    (refused,) = taken_in(place, bad)

    assert refused["state"] == "failed"
    assert list(tmp_path.glob("**/harm*")) == []
