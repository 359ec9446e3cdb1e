"""What was committed stays: whatever is said, in whatever order and however it falls into frames."""

from collections.abc import Iterator

import msgspec
import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from actors.messages.base import PromptsWithdrawn
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    CallStarted,
    EndReason,
    Entry,
    PromptQueued,
    ShellEnded,
    ShellStarted,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.tool import ToolProgress
from actors.messages.turn import EntryAdded, Event, Notice, SessionInfo
from tests.ui.screen.states import PROMPTS, Known
from tests.ui.screen.terminals import PLAIN, Emulator
from ui.screen.completion.popup import Popup
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.live import Scene
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal.keys import Key
from ui.screen.terminal.keys import Text as Typed
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.renderer import Renderer, View

WIDTH, HEIGHT = 30, 14
INFO = SessionInfo(session_id="s", model="p/m", cwd="/w", mode="default", busy=False)
TEXTS = ("word ", "one two three four five six ", "\n", "\n\n", "- item\n", "```\n", "x = 1\n", "y" * 70 + "\n")
STEPS = (
    *("prompt", "say", "say", "think", "end", "stop", "call", "progress", "result", "retry", "again", "note"),
    *("shell", "shell ends", "queue", "withdraw"),
)
TYPED = (
    *(Typed("abc"), Key("ctrl+j"), Key("ctrl+u"), Typed("/mo"), Typed("@to"), Typed("!ls"), Key("backspace")),
    *(Key("ctrl+r"), Key("down"), Key("tab"), Key("esc"), Key("ctrl+t")),
)


class Session:
    """An agent that says anything, in an order that agents keep."""

    def __init__(self) -> None:
        self.said = ""
        self.open_calls: list[str] = []
        self.open_commands: list[str] = []
        self.queued: list[str] = []
        self._entries = 0

    def take(self, step: str, data: DataObject) -> Iterator[Event]:
        match step:
            case "say":
                text = data.draw(st.sampled_from(TEXTS))
                self.said += text
                yield TextDelta(text=text)
            case "end" if self.said:
                yield self._answer("end_turn")
                yield self._entry(TurnEnded(turn_id="t", reason="done"))
            case "stop":
                yield from self._stop()
            case "call":
                yield self._answer("tool_calls", f"c{self._entries}")
                yield self._entry(CallStarted(call_id=self.open_calls[-1]))
            case "result" if self.open_calls:
                yield self._result("out")
            case "prompt":
                yield self._entry(UserMessage(text="do it", turn_id="t", prompt_id=f"p{self._entries}"))
            case _:
                yield from self._beside(step)

    def _beside(self, step: str) -> Iterator[Event]:
        """What is no entry of the session."""
        match step:
            case "think":
                yield ThinkingDelta(text="hm")
            case "progress" if self.open_calls:
                yield ToolProgress(call_id=self.open_calls[0], text="line\n")
            case "retry":
                self.said = ""
                yield Retrying(why="busy", wait_s=1.0)
            case "again":  # the agent died, and somebody who subscribes anew is told what is open
                yield msgspec.structs.replace(INFO, busy=True)
                yield TextDelta(text=self.said)
            case "note":
                yield Notice(text="it is so")
            case _:
                yield from self._of_the_user(step)

    def _of_the_user(self, step: str) -> Iterator[Event]:
        """Commands, and prompts that wait."""
        match step:
            case "shell":
                self.open_commands.append(f"s{self._entries}")
                yield self._entry(ShellStarted(id=self.open_commands[-1], command="ls", told=True))
            case "shell ends" if self.open_commands:
                ended = ShellEnded(id=self.open_commands.pop(), command="ls", told=True, output="a.txt\n")
                yield self._entry(ended)
            case "queue":
                self.queued.append(f"q{self._entries}")
                yield self._entry(PromptQueued(prompt_id=self.queued[-1], text="then this", kind="next"))
            case "withdraw" if self.queued:
                withdrawn, self.queued = tuple(self.queued), []
                yield self._entry(PromptsWithdrawn(prompt_ids=withdrawn))

    def _stop(self) -> Iterator[Event]:
        """Esc: what was said is kept, every call gets its result."""
        if self.said:
            yield self._answer("cancelled")
        while self.open_calls:
            yield self._result("interrupted")
        reason: EndReason = "interrupted"
        yield self._entry(TurnEnded(turn_id="t", reason=reason))

    def _answer(self, stop: StopReason, *calls: str) -> Event:
        asked = [ToolCall(call_id=call, name="bash", arguments="{}") for call in calls]
        self.open_calls += calls
        said, self.said = self.said, ""
        blocks = (*([Text(text=said)] if said else []), *asked)
        return self._entry(AssistantMessage(blocks=blocks, stop_reason=stop, model="p/m"))

    def _result(self, output: str) -> Event:
        return self._entry(ToolResult(call_id=self.open_calls.pop(0), name="bash", output=output))

    def _entry(self, body: Body) -> Event:
        self._entries += 1
        return EntryAdded(entry=Entry(id=f"e{self._entries}", session_id="s", parent="", at=0.0, body=body))


class Watched:
    """The screen on a terminal; every row that was committed is remembered."""

    def __init__(self) -> None:
        self.session = SessionView()
        self._shown = Shown(self.session)
        self.controls = Controls(History(list(PROMPTS)), reach=lambda: self._shown.reach)
        self.controls.layers.append(Popup(self.controls.editor, Known()))
        self._scene = Scene(self._shown, self.controls, Surroundings("/w"), PLAIN, moving=False, wall=lambda: 0.0)
        self._renderer = Renderer(WIDTH, HEIGHT)
        self._emulator = Emulator(WIDTH, HEIGHT)
        self._committed: list[str] = []

    def frame(self) -> None:
        fresh, _ = self._shown.take()
        view = self._scene.view(WIDTH, HEIGHT, 0.0)
        self._emulator.write(self._renderer.frame(fresh, view, PLAIN))
        self._committed += [part for piece in fresh for part in shown(piece)]
        assert self.seen == [*self._committed, *live(view)]
        self._emulator.check()

    @property
    def seen(self) -> list[str]:
        return self._emulator.all_rows


def shown(piece: Piece) -> list[str]:
    """Rows as a terminal wraps them."""
    rows = [wcwidth.strip_sequences(row) for row in piece.rows(WIDTH, PLAIN)]
    return [row[at : at + WIDTH].rstrip() for row in rows for at in range(0, max(len(row), 1), WIDTH)]


def live(view: View) -> list[str]:
    rows = [wcwidth.strip_sequences(row).rstrip() for row in view.rows]
    while rows and not rows[-1]:
        rows.pop()
    return rows


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from((*STEPS, *TYPED)), st.booleans()), max_size=60), st.data())
def test_what_was_committed_stays(steps: list[tuple[str | Typed | Key, bool]], data: DataObject) -> None:
    session, watched = Session(), Watched()
    watched.session.apply(INFO)
    watched.frame()

    for step, frame in steps:
        watched.session.stopping |= step == "stop"
        if frame:
            watched.frame()
        for event in session.take(step, data) if isinstance(step, str) else ():
            watched.session.apply(event)
            if frame:
                watched.frame()
        if not isinstance(step, str):
            watched.controls.handle(step, 0.0)
    watched.frame()
