"""The real program under test: places with a home of their own, sessions whose lines, processes and end are awaited."""

import contextlib
import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec
import psutil

from actors.messages.system import ActorState, Tree
from supervisor import tree_client
from tests.processes import still_alive, watch
from tests.system import warm

LAUNCHER = warm.LAUNCHER
BOUND_S = 120.0
"""Guards against hanging only: nothing that works comes near it."""
PROMPT = ("-p", "go on", "--mode", "auto", "--output", "stream-json", "--model")
Event = dict[str, Any]


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str

    @property
    def events(self) -> list[Event]:
        return [json.loads(line) for line in self.out.splitlines()]


class Lines:
    """What a pipe says, collected by a thread; the thread begins when it is told to."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._changed = threading.Condition()
        self._whole: list[bytes] = []
        self._ended = False
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        if not self._thread.ident:
            self._thread.start()

    def _read(self) -> None:
        for line in self._pipe:
            with self._changed:
                self._whole.append(line)
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def until(self, found: Callable[[list[bytes]], bool]) -> None:
        """Until the lines satisfy it. Raises AssertionError when there are no more, or none for too long."""
        with self._changed:
            satisfied = self._changed.wait_for(lambda: found(self._whole) or self._ended, BOUND_S)
            assert satisfied, f"still waiting; the last lines: {self._whole[-3:]}"
            assert found(self._whole), f"it ended; the last lines: {self._whole[-3:]}"

    def all(self) -> list[bytes]:
        """Once the pipe is closed."""
        if self._pipe.closed:
            return self._whole
        self.start()
        self._thread.join(BOUND_S)
        assert not self._thread.is_alive(), "somebody still holds the pipe"
        self._pipe.close()
        return self._whole

    def fileno(self) -> int:
        return self._pipe.fileno()

    def close(self) -> None:
        """Read no more of what nobody has begun to read."""
        self._pipe.close()

    def so_far(self) -> list[bytes]:
        with self._changed:
            return list(self._whole)


class Session:
    """One run of the program."""

    def __init__(
        self, arguments: Sequence[str], place: "Place", environment: Mapping[str, str], *, reading: bool, stdin: int
    ) -> None:
        """stdin: as of Popen."""
        self._place = place
        whole = {**place.environment, **environment}
        warmed = None if place.cold or stdin != subprocess.DEVNULL else warm.start(arguments, place.workspace, whole)
        self._process = warmed or subprocess.Popen(
            [sys.executable, "-P", str(LAUNCHER), *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=place.workspace,
            env=whole,
            start_new_session=True,
        )
        self.pid = self._process.pid
        self.was_killed = False
        self._dead = {0}
        """Pids of those that were killed; 0: of one that is not there just now."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.out, self.err = Lines(self._process.stdout), Lines(self._process.stderr)
        self.err.start()
        if reading:
            self.out.start()

    def wait_for(self, kind: str, **fields: object) -> Event:
        """The first event of this type with these fields, whenever it came."""
        wanted = {"type": kind, **fields}

        def found(lines: list[bytes]) -> list[Event]:
            return [event for event in map(json.loads, lines) if wanted.items() <= event.items()]

        self.out.until(lambda lines: bool(found(lines)))
        return found(self.out.so_far())[0]

    def events(self) -> list[Event]:
        """Those that are there now."""
        return [json.loads(line) for line in self.out.so_far()]

    def tree(self) -> Tree:
        """What `trouper top` shows of this session."""
        trees: list[Tree] = []

        def there() -> bool:
            trees[:] = [tree for tree in tree_client.running(self._place.home) if tree.pid == self.pid]
            return bool(trees)

        until(there)
        return trees[0]

    def actors(self) -> dict[str, ActorState]:
        return {actor.name: actor for actor in self.tree().actors}

    def restarts(self) -> dict[str, int]:
        """Of those that were restarted."""
        return {name: actor.restarts for name, actor in self.actors().items() if actor.restarts}

    def kill(self, actor: str) -> None:
        """SIGKILL, once it is there, and wait for its end.

        The tree names the dead a moment longer: killed again it is its next life.
        """
        living: list[int] = []

        def there() -> bool:
            living[:] = [state.pid for name, state in self.actors().items() if name == actor]
            return bool(living) and living[0] not in self._dead

        until(there)
        kill(living[0])
        self._dead.add(living[0])

    def kill_if_alive(self, actor: str) -> None:
        """SIGKILL, unless it or the session is down at this moment."""
        with contextlib.suppress(OSError, msgspec.DecodeError):
            for tree in tree_client.running(self._place.home):
                for state in tree.actors:
                    if tree.pid == self.pid and state.name == actor and state.pid:
                        os.kill(state.pid, signal.SIGKILL)

    def zygote(self) -> int:
        """The child of the supervisor that is no actor."""
        actors = {actor.pid for actor in self.actors().values()}
        return next(child.pid for child in psutil.Process(self.pid).children() if child.pid not in actors)

    def processes(self) -> list[psutil.Process]:
        """The supervisor and everything below it; some may end at any moment, and none is there when it has ended."""
        with contextlib.suppress(psutil.NoSuchProcess):
            supervisor = psutil.Process(self.pid)
            return [supervisor, *supervisor.children(recursive=True)]
        return []

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def kill_supervisor(self) -> list[int]:
        """SIGKILL. Which processes of the session outlive it; how soon they end is measured by tests/bench."""
        watched = watch(process.pid for process in self.processes()[1:])
        self.was_killed = True
        self._process.kill()
        self._process.wait()
        return still_alive(watched, BOUND_S)

    def wait(self) -> int:
        """Its exit code, whether or not anybody reads what it says."""
        return self._process.wait(BOUND_S)

    def finish(self) -> Finished:
        """Wait for its end."""
        code = self.wait()
        out, err = b"".join(self.out.all()).decode(), b"".join(self.err.all()).decode()
        return Finished(code, out, err)

    def close(self) -> None:
        """Whatever a failed test has left."""
        if self._process.poll() is None:
            self.kill_supervisor()
        self.out.all()
        self.err.all()


class Place:
    """A home, a workspace and a temporary folder; sessions that run there."""

    def __init__(self, top: Path) -> None:
        self.home, self.workspace, self.temporary = top / "home", top / "work", top / "tmp"
        for folder in (self.home, self.workspace, self.temporary):
            folder.mkdir()
        own = {"TROUPER_HOME": str(self.home), "TMPDIR": str(self.temporary), "HOME": str(top)}
        self.environment = {**_without_ours(os.environ), **own}
        self.cold = False
        """Sessions begin with a fresh interpreter: for tests of the start itself."""
        self._top = top
        self._sessions: list[Session] = []

    def script(self, *answers: Event, name: str = "script", **rest: object) -> str:
        """The --model that answers so."""
        path = self._top / f"{name}.json"
        path.write_text(json.dumps({"answers": answers, **rest}))
        return f"scripted:{path}"

    def start(self, *arguments: str, **environment: str) -> Session:
        return self._begin(arguments, environment, reading=True)

    def run(self, *arguments: str, **environment: str) -> Finished:
        return self.start(*arguments, **environment).finish()

    def prompt(self, model: str, *more: str, **environment: str) -> Session:
        """A headless session in which everything is allowed and every event is shown."""
        return self._begin((*PROMPT, model, *more), environment, reading=True)

    def prompt_unread(self, model: str) -> Session:
        """The same, and nobody reads what it says before `out.start`."""
        return self._begin((*PROMPT, model), {}, reading=False)

    def _begin(self, arguments: Sequence[str], environment: Mapping[str, str], *, reading: bool) -> Session:
        return self._kept(Session(arguments, self, environment, reading=reading, stdin=subprocess.DEVNULL))

    def talk(self, stdin: int, *arguments: str, **environment: str) -> Session:
        """One that is talked to. stdin: the descriptor it reads."""
        return self._kept(Session(arguments, self, environment, reading=True, stdin=stdin))

    def _kept(self, session: Session) -> Session:
        self._sessions.append(session)
        return session

    def entries(self, session_id: str) -> list[Event]:
        """What the store has of it; each entry follows the one before."""
        entries = self.run("sessions", "export", session_id).events
        assert [entry.get("parent", "") for entry in entries] == ["", *(entry["id"] for entry in entries)][:-1]
        return entries

    def remembered(self, beginning: str) -> list[str]:
        """What the store keeps under keys that begin so; nothing before it has opened its file."""
        with contextlib.closing(sqlite3.connect(f"file:{self.home}/trouper.db?mode=ro", uri=True)) as database:
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'remembered'").fetchone():
                return []
            rows = database.execute("SELECT value FROM remembered WHERE key LIKE ?", (f"{beginning}%",))
            return [value for (value,) in rows]

    def tree(self) -> Tree:
        """What `trouper top` shows of the only session that runs here."""
        trees: list[Tree] = []

        def there() -> bool:
            trees[:] = tree_client.running(self.home)
            return len(trees) == 1

        until(there)
        return trees[0]

    def log(self) -> list[Event]:
        return [json.loads(line) for line in (self.home / "logs" / "trouper.log").read_text().splitlines()]

    def left(self) -> list[str]:
        """Processes that work in this place, whoever's children they are by now."""
        found = []
        for process in psutil.process_iter():
            try:
                if Path(process.cwd()).is_relative_to(self._top):
                    found.append(" ".join(process.cmdline()))
            except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
                continue  # OSError: it works in a folder, of another test, so deep that its path is too long
        return found

    def close(self) -> None:
        for session in self._sessions:
            session.close()
        if any(session.was_killed for session in self._sessions):
            until(lambda: self.left() == [])  # what was started while its processes were listed ends a moment later


def answer(text: str = "", *calls: Event, **more: object) -> Event:
    """One answer of the scripted model."""
    return {"text": text, "calls": calls, **more}


def call(name: str, **arguments: object) -> Event:
    return {"name": name, "arguments": arguments}


class Fifo:
    """In the workspace: a command that reads it waits until the test lets it go on."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._descriptor = os.open(path, os.O_RDWR)  # with both ends here, opening it waits for nobody

    def let_go(self) -> None:
        os.write(self._descriptor, b"go\n")

    def close(self) -> None:
        os.close(self._descriptor)


FORGOTTEN = {
    *("turn_id", "prompt_id", "run_id", "ms", "thought_ms", "model", "seen", "sections", "checkpoint_id", "problem"),
}
UNKNOWN = "interrupted, outcome unknown"
OF_A_DEATH = "\n[The worker that ran the calls before has died"
"""How what a new worker says of the one before it begins; it is the end of its first result."""


def transcript(entries: Iterable[Event]) -> list[Event]:
    """Without what differs from run to run, or only was billed; calls that ran side by side in the order of ids."""
    bodies = [_remembered(entry["body"]) for entry in entries if entry["body"]["type"] != "BrokenTry"]
    about_calls = itertools.groupby(bodies, key=lambda body: "call_id" in body)
    return [
        body
        for about_call, run in about_calls
        for body in (sorted(run, key=lambda body: str(body["call_id"])) if about_call else run)
    ]


def _remembered(body: Event) -> Event:
    kept = {key: value for key, value in body.items() if key not in FORGOTTEN}
    return kept | {"output": kept["output"].partition(OF_A_DEATH)[0]} if "output" in kept else kept


def lost(bodies: Iterable[Event]) -> set[str]:
    """The calls whose outcome is unknown."""
    return {body["call_id"] for body in bodies if UNKNOWN in body.get("output", "")}


def forgiving(bodies: Sequence[Event], undisturbed: Sequence[Event]) -> list[Event]:
    """With the undisturbed result for every call whose outcome is unknown."""
    results = {body["call_id"]: body for body in undisturbed if body["type"] == "ToolResult"}
    unknown = lost(bodies)
    return [
        results[body["call_id"]] if body["type"] == "ToolResult" and body["call_id"] in unknown else body
        for body in bodies
    ]


def kill(pid: int) -> None:
    """SIGKILL, and wait for its end."""
    watched = os.pidfd_open(pid)
    os.kill(pid, signal.SIGKILL)
    assert still_alive([(pid, watched)], BOUND_S) == []


def until(holds: Callable[[], bool]) -> None:
    """For what gives no event: a file, a row of the tree."""
    deadline = time.monotonic() + BOUND_S
    while not holds():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.005)


def _without_ours(environ: Mapping[str, str]) -> dict[str, str]:
    """Nobody's keys and settings."""
    foreign = ("TROUPER_", "ANTHROPIC_", "OPENAI_", "OPENROUTER_", "OLLAMA_")
    return {name: value for name, value in environ.items() if not name.startswith(foreign)}
