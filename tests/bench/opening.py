"""A long session gone on with: from exec until its end is on the screen and what is typed is shown."""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Carried,
    Compacted,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.usage import Usage
from actors.store import entries, schema, sessions
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure
from tests.bench.screen import type_and_see
from tests.bench.terminal import PATIENCE_S, Terminal

TURNS = 10_000
"""Of five entries."""
EACH = 300
"""Turns between two compactions."""
SMALL, LARGE = 80, 4_000
"""Lines of an output; the second is kept beside its entry."""
LAST = "Qoppa"
LEAVE = "\x15\x04"
TARGET_MS = 300
USED = Usage(input_tokens=1000, output_tokens=50, cost_usd=0.001)
KINDS = (("compacted", SMALL, True), ("not compacted", SMALL, False), ("not compacted, large outputs", LARGE, False))


def opening(bench: Bench, runs: int) -> list[Figure]:
    figures = []
    home = bench.place.home / ".trouper"
    for what, lines, compacts in KINDS:
        session_id = uuid.uuid4().hex
        _write(home, str(bench.place.workspace), session_id, lines, compacts=compacts)
        agent = replace(bench.trouper, screen=(*bench.trouper.screen, "-r", session_id))
        values = []
        for _ in range(runs):
            with bench.screen(agent) as terminal:
                shown = type_and_see(terminal)
                values.append((max(shown, terminal.wait_for(LAST)) - terminal.began) * 1000)
                _leave(terminal)
        what = f"exec to the end of {5 * TURNS:,} entries shown and typed text, too: {what}"
        figures.append(Figure(what=what, unit="ms", values=values, target=TARGET_MS))
        for file in home.glob(f"{schema.FILE}*"):
            file.unlink()
    return figures


def _leave(terminal: Terminal) -> None:
    """As a user does: after a kill the next start checks the database."""
    terminal.type(LEAVE)
    with contextlib.suppress(CannotMeasure):
        while terminal.read(PATIENCE_S):
            continue


def _write(home: Path, cwd: str, session_id: str, lines: int, *, compacts: bool) -> None:
    (home / "run").mkdir(exist_ok=True)
    database, _ = schema.open_database(home)
    sessions.make(database, session_id, cwd, "bench/instant", "")
    schema.in_one_transaction(
        database, lambda: entries.append(database, _entries(session_id, lines, compacts=compacts))
    )
    database.close()


def _entries(session_id: str, lines: int, *, compacts: bool) -> Iterator[Entry]:
    parent = ""
    for number in range(TURNS):
        first = ""
        for body in _turn(number, lines):
            entry = Entry(id=uuid.uuid4().hex, session_id=session_id, parent=parent, body=body, at=float(number))
            parent, first = entry.id, first or entry.id
            yield entry
        if compacts and number % EACH == EACH - 1:
            carried = Carried(said=tuple(f"prompt {number}" for number in range(50)), summary="so " * 500)
            body = Compacted(why="window", kept_from=first, read_from=first, carried=carried)
            entry = Entry(id=uuid.uuid4().hex, session_id=session_id, parent=parent, body=body, at=float(number))
            parent = entry.id
            yield entry


def _turn(number: int, lines: int) -> tuple[Body, ...]:
    name = f"t{number}"
    call = ToolCall(call_id=name, name="read", arguments='{"path":"a.py"}')
    answer = f"Done {number}. {LAST}" if number == TURNS - 1 else f"Done {number}."
    return (
        UserMessage(text=f"prompt {number} " + "word " * 20, turn_id=name, prompt_id=name),
        AssistantMessage(blocks=(Text(text="I look."), call), stop_reason="tool_calls", model="p/m", usage=USED),
        ToolResult(call_id=name, name="read", output=f"line {number}\n" * lines),
        AssistantMessage(blocks=(Text(text=answer),), stop_reason="end_turn", model="p/m", usage=USED),
        TurnEnded(turn_id=name, reason="done"),
    )
