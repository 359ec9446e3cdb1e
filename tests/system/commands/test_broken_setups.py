"""Broken setups, each really made: `trouper doctor` names the cause and the remedy, and looks at all the rest."""

import json
import os
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from actors.common.folders import left_commands, worktree_places
from actors.messages.store import DATABASE, DATABASE_FORMAT
from tests.fakes.in_thread import in_thread
from tests.fakes.local_server import open_local_server
from tests.system.harness import LAUNCHER, Place, until
from tests.system.own_mounts import INSIDE, run_inside, small

pytestmark = pytest.mark.slow
UNREACHED = "http://127.0.0.1:1/v1"
Made = dict[str, str] | None
"""What is added to the environment."""


@dataclass(frozen=True)
class Broken:
    """One setup and what is to be said of it."""

    make: Callable[[Place], Made]
    row: str
    found: str
    advice: str
    state: str = "problem"
    arguments: tuple[str, ...] = ()
    """Instead of a model that answers from a script."""
    server: dict[str, object] = field(default_factory=dict)
    """What a model's service on this machine answers."""


def config(text: str) -> Callable[[Place], Made]:
    def make(place: Place) -> Made:
        (place.home / "config.toml").write_text(text)
        return None

    return make


def environment(**variables: str) -> Callable[[Place], Made]:
    return lambda _: variables


def kept(text: str, mode: int = 0o600) -> Callable[[Place], Made]:
    def make(place: Place) -> Made:
        (place.home / "auth.json").write_text(text)
        (place.home / "auth.json").chmod(mode)
        return None

    return make


def no_file(place: Place) -> Made:
    (place.home / "auth.json").mkdir()
    return None


def random_database(place: Place) -> Made:
    (place.home / DATABASE).write_bytes(os.urandom(5000))
    return None


def torn_database(place: Place) -> Made:
    place.run("-p", "Hi!", "--model", place.script({"text": "Hi!"}))
    path = place.home / DATABASE
    with sqlite3.connect(path) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    data[(page - 1) * size + 8 : page * size] = os.urandom(size - 8)
    path.write_bytes(data)
    return None


def newer_database(place: Place) -> Made:
    with sqlite3.connect(place.home / DATABASE) as database:
        database.execute(f"PRAGMA user_version = {DATABASE_FORMAT + 1}")
    return None


def without(*programs: str) -> Callable[[Place], Made]:
    """A PATH that has everything but these."""

    def make(place: Place) -> Made:
        folder = place.temporary / "programs"
        folder.mkdir()
        for path in reversed(os.environ["PATH"].split(":")):
            for program in Path(path).iterdir() if Path(path).is_dir() else ():
                if program.name not in programs:
                    (folder / program.name).unlink(missing_ok=True)
                    (folder / program.name).symlink_to(program)
        return {"PATH": str(folder)}

    return make


def program(name: str, script: str) -> Callable[[Place], Made]:
    """One that is found before the real one."""

    def make(place: Place) -> Made:
        folder = place.home.parent / "own-programs"
        folder.mkdir()
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
        return {"PATH": f"{folder}:{os.environ['PATH']}"}

    return make


def stale_lock(place: Place) -> Made:
    (place.home / "run").mkdir()
    (place.home / "run" / "0123abcd.lock").write_text("{}")
    return None


def dead_socket(place: Place) -> Made:
    (place.home / "run").mkdir()
    with socket.socket(socket.AF_UNIX) as listening, chdir(place.home / "run"):  # its path may be too long
        listening.bind("gone.sock")
    return None


def orphaned_worktree(place: Place) -> Made:
    folder = place.home / worktree_places.FOLDER / "app-1"
    folder.mkdir(parents=True)
    gone = str(place.home.parent / "gone")
    note = worktree_places.Note(
        key="3fa9c2", name="app", below=".", repository=gone, common=gone, objects=(), start="", base="", made_at=0.0
    )
    (folder / worktree_places.NOTE).write_bytes(msgspec.json.encode(note))
    return None


def left_process(place: Place) -> Made:
    """Of a worker that was killed, and so was its guardian: doctor says so, and the start has ended it."""
    (place.home / "run").mkdir()
    (place.home / "run" / f"dead{left_commands.SUFFIX}").touch()
    mark = {left_commands.MARK: "dead-1"}
    subprocess.run(["sh", "-c", "sleep 1000 >/dev/null 2>&1 &"], env={**os.environ, **mark}, check=True)
    return None


def future(place: Place) -> Made:
    (place.home / "config.toml").touch()
    os.utime(place.home / "config.toml", (4e9, 4e9))
    return None


def open_home(place: Place) -> Made:
    place.home.chmod(0o777)
    return None


def untrusted_server(place: Place) -> Made:
    (place.workspace / ".mcp.json").write_text('{"mcpServers": {"theirs": {"command": "true"}}}')
    return None


def file_as_home(place: Place) -> Made:
    place.home.rmdir()
    place.home.touch()
    return None


MINE = ("--model", "mine/one")
SERVICE = '[providers.mine]\napi = "openai-chat"\nbase_url = "{}"\n'
SIGN_IN = '{"codex": {"kind": "sign-in", "access": "a", "expires_at": 1.0, "issuer": "https://auth.openai.com"}}'
TABLE = {
    "a typo in the config": Broken(config("modle = 'a/b'\n"), "config", 'unknown key "modle"', "mend that file"),
    "no TOML at all": Broken(config("model = \n"), "config", "is not valid TOML", "mend that file"),
    "a value that cannot be": Broken(config("sandbox = 3\n"), "config", "sandbox", "mend that file"),
    "a key of another service": Broken(
        environment(ANTHROPIC_API_KEY="sk-or-v1-0123456789abcdef0123456789"),
        "credentials: anthropic", "it looks like a key of openrouter (ANTHROPIC_API_KEY)", "put the right key into",
        "warning",
    ),
    "no key at all": Broken(environment(), "model", "", "trouper auth", arguments=()),
    "a provider that nobody knows": Broken(
        environment(), "model", 'No provider is named "anthrpic"', "trouper models", arguments=("--model", "anthrpic/x")
    ),
    "a sign-in that has ended": Broken(
        kept(SIGN_IN), "credentials: codex", "the sign-in has ended", "trouper auth login codex", "warning"
    ),
    "damaged credentials": Broken(kept("{"), "credentials", "it is damaged", "move it away"),
    "credentials that cannot be read": Broken(no_file, "credentials", "cannot be used", "Put it right"),
    "credentials that all can read": Broken(
        kept("{}", 0o644), "credentials: auth.json", "can be read by others (mode 644)", "chmod 600", "warning"
    ),
    "no network": Broken(config(SERVICE.format(UNREACHED)), "model", "127.0.0.1:1", "", arguments=MINE),
    "no such host": Broken(
        config(SERVICE.format("https://nowhere.invalid/v1")), "model", "nowhere.invalid", "", arguments=MINE
    ),
    "a service that fails": Broken(
        config(SERVICE), "model", "HTTP 500", "", arguments=MINE, server={"GET /v1/models": 500}
    ),
    "a service that knows no such key": Broken(
        config(SERVICE), "model", "HTTP 401: Invalid API Key", "", arguments=MINE, server={"GET /v1/models": 401}
    ),
    "a page instead of a service": Broken(
        config(SERVICE), "model", "it answers, and lists no models", "", "note", MINE,
        {"GET /v1/models": b"<html>Sign in to the hotel's network</html>"},
    ),
    "a service that never answers": Broken(
        config(SERVICE), "model", "has not answered within", "", arguments=MINE, server={"GET /v1/models": None}
    ),
    "no bubblewrap": Broken(without("bwrap"), "sandbox", "no bubblewrap: it is not installed", "apt install", "note"),
    "no git": Broken(without("git"), "git", "not found", "install git", "note"),
    "a git that fails": Broken(program("git", "exit 3"), "git", "ends with code 3", "install git", "warning"),
    "a git that hangs": Broken(program("git", "sleep 60"), "git", "does not say its version", "by hand", "warning"),
    "a database that is none": Broken(random_database, "database", "file is not a database", "sets it aside"),
    "a damaged database": Broken(torn_database, "database", "is damaged", ".recover"),
    "a database of a newer version": Broken(newer_database, "database", "a newer Trouper", "update Trouper"),
    "a home that is a file": Broken(file_as_home, "home", "cannot be written", "TROUPER_HOME"),
    "a home that all may change": Broken(open_home, "home: mode", "mode 777", "chmod 700", "warning"),
    "a server that crashes": Broken(
        config('[mcp.broken]\ncommand = "false"\n'), "mcp: broken", "", "trouper mcp logs broken", "warning"
    ),
    "a server that hangs": Broken(
        config('[mcp.slow]\ncommand = "sleep"\nargs = ["1000"]\nstart_timeout_s = 1\n'),
        "mcp: slow", "", "trouper mcp logs slow", "warning",
    ),
    "a server that is not installed": Broken(
        config('[mcp.gone]\ncommand = "no-such-program"\n'), "mcp: gone", "no-such-program", "mcp get gone", "warning"
    ),
    "a server of the workspace": Broken(untrusted_server, "mcp: theirs", "not trusted", "mcp trust theirs", "note"),
    "a stale lock": Broken(stale_lock, "left over: locks", "0123abcd.lock", "the next session removes", "note"),
    "a dead socket": Broken(dead_socket, "left over: sockets", "gone.sock", "the next session removes", "note"),
    "an orphaned worktree": Broken(
        orphaned_worktree, "left over: worktrees", "its repository", "trouper worktrees remove", "note"
    ),
    "a process of a dead session": Broken(left_process, "left over: processes", "1 of dead", "kill -9", "note"),
    "a clock that is behind": Broken(future, "clock", "files here were written on 2096", "set it", "warning"),
    "a terminal that can nothing": Broken(environment(TERM="dumb"), "terminal", "TERM=dumb", "--plain", "note"),
    "no UTF-8": Broken(
        environment(LC_ALL="de_DE.ISO-8859-1"), "locale", "not UTF-8", "export LANG=C.UTF-8", "note"
    ),
    "a weaker sandbox": Broken(
        config('sandbox = "landlock"\n'), "sandbox: processes", "a command sees process", 'sandbox = "auto"', "warning"
    ),
    "no sandbox": Broken(config('sandbox = "none"\n'), "sandbox", "none", 'sandbox = "auto"', "warning"),
}  # fmt: skip


@contextmanager
def served(answers: dict[str, object]) -> Iterator[str]:
    """The address of a service; "" where none is wanted."""
    if not answers:
        yield ""
        return
    with in_thread(partial(open_local_server, answers)) as server:
        yield f"{server.url}/v1"


def looked(place: Place, *arguments: str, **variables: str) -> tuple[int, dict[str, Any]]:
    """The exit code, and the rows by name: the worst of a name counts."""
    said = place.run("doctor", "--json", *arguments, **variables)
    assert said.out, said.err
    rows: dict[str, Any] = {}
    for check in json.loads(said.out)["checks"]:
        rows.setdefault(check["name"], check)
    return said.code, rows


@pytest.mark.parametrize("name", TABLE)
def test_the_cause_and_the_remedy_are_named(place: Place, name: str) -> None:
    broken = TABLE[name]
    subprocess.run(["git", "init", "-q", place.workspace], check=True)
    with served(broken.server) as url:
        variables = broken.make(place) or {}
        if url:
            (place.home / "config.toml").write_text(SERVICE.format(url))
        arguments = broken.arguments or (() if name == "no key at all" else ("--model", place.script()))
        code, rows = looked(place, *arguments, **variables)

    row = rows[broken.row]
    assert row["state"] == broken.state, row
    assert broken.found in row["found"]
    assert broken.advice in row.get("advice", "")
    assert code == (1 if broken.state == "problem" else 0)
    assert {"workspace", "version", "terminal", "clock"} <= set(rows)


@pytest.mark.skipif(INSIDE, reason="it starts those that run inside")
@pytest.mark.parametrize("inner", ["read_only_home", "full_disk"])
def test_a_disk_that_takes_nothing(request: pytest.FixtureRequest, tmp_path: Path, inner: str) -> None:
    run_inside(request, tmp_path, {"read_only_home": test_read_only_home, "full_disk": test_full_disk}[inner])


@pytest.mark.skipif(not INSIDE, reason="only where mounts are its own")
def test_read_only_home(place: Place) -> None:
    with small(place.home, "1m"):
        subprocess.run(["mount", "-o", "remount,ro", place.home], check=True)
        code, rows = looked(place)

    assert (code, rows["home"]["state"]) == (1, "problem")
    assert "Read-only file system" in rows["home"]["found"]
    assert "mount it writable" in rows["home"]["advice"]


@pytest.mark.skipif(not INSIDE, reason="only where mounts are its own")
def test_full_disk(place: Place) -> None:
    with small(place.home, "64k"):
        (place.home / "run").mkdir()
        (place.home / "logs").mkdir()
        with suppress(OSError):
            (place.home / "all").write_bytes(b"x" * 1_000_000)
        code, rows = looked(place, "--model", place.script())

    assert (code, rows["home"]["state"], rows["disk: home"]["state"]) == (1, "problem", "problem")
    assert "No space left" in rows["home"]["found"]
    assert "free some space" in rows["home"]["advice"]
    assert rows["sandbox: network"]["state"] == "ok"


def test_a_limit_of_files(place: Place) -> None:
    if shutil.which("prlimit") is None:
        pytest.skip("prlimit is not installed")
    command = ["prlimit", "--fsize=16384", sys.executable, "-P", str(LAUNCHER), "doctor", "--json"]
    ran = subprocess.run(command, env=place.environment, cwd=place.workspace, capture_output=True, check=False)
    rows = {row["name"]: row for row in json.loads(ran.stdout)["checks"]}

    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    assert (ran.returncode, rows["disk: limit"]["state"]) == (1, "problem")
    assert "16,384 bytes" in rows["disk: limit"]["found"]
    assert "ulimit -f" in rows["disk: limit"]["advice"]


def test_what_hangs_holds_up_nothing_else(place: Place) -> None:
    hanging = [f'[mcp.slow{number}]\ncommand = "sleep"\nargs = ["1000"]\nstart_timeout_s = 1\n' for number in range(3)]
    with served({"GET /v1/models": None}) as url:
        variables = program("git", "sleep 60")(place) or {}
        (place.home / "config.toml").write_text("".join((SERVICE.format(url), *hanging)))
        _, rows = looked(place, *MINE, **variables)

    assert {rows[f"mcp: slow{number}"]["state"] for number in range(3)} == {"warning"}
    assert (rows["git"]["state"], rows["model"]["state"]) == ("warning", "problem")
    assert rows["sandbox"]["state"] == "ok"


def test_nothing_is_changed_by_looking(place: Place) -> None:
    place.run("-p", "Hi!", "--model", place.script({"text": "Hi!"}))
    before = (place.home / DATABASE).read_bytes()
    names = sorted(path.name for path in place.home.iterdir())

    looked(place, "--model", place.script())

    assert (place.home / DATABASE).read_bytes() == before
    assert sorted(path.name for path in place.home.iterdir()) == names
    assert list(place.workspace.iterdir()) == []
    until(lambda: place.left() == [])


def test_no_program_of_the_workspace_is_run(place: Place) -> None:
    ran = place.home.parent / "ran"
    for name in ("git", "bwrap", "gh", "bash", "rg"):
        (place.workspace / name).write_text(f"#!/bin/sh\necho {name} >> {ran}\n")
        (place.workspace / name).chmod(0o755)

    for path in (f"{place.workspace}:{os.environ['PATH']}", f".:{os.environ['PATH']}"):
        _, rows = looked(place, "--model", place.script(), PATH=path)
        assert not rows["git"]["found"].startswith(str(place.workspace))

    assert not ran.exists()
