"""The spinner line and the status line: what matters most stays when the room gets narrow."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from actors.common.budget import in_words
from actors.common.plurals import how_many
from actors.messages.tool import Mode
from actors.messages.usage import Usage
from ui.common import harmless
from ui.common.amounts import clock, thousands
from ui.common.modes import LOOKING, SHORT
from ui.screen.session_view import SessionView
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Spans
from ui.screen.terminal.theme import Theme

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
STILL = "·"
ANSWERED = ("ctrl+c stops",)
"""The keys while a question or a list has the others."""
WARNED, FULL = 0.65, 0.8
"""Shares of the window: at the second one the agent sums up."""
CLOCK_S = 1.0
"""For how long subagents have worked, how long one is quiet and how long is waited: nobody tells that."""
LEAST_NAME, MOST_NAME = 12, 40
"""Cells of the session's name; where there are not so many it is not shown."""
AFTER_INSERT = "esc esc stops"
"""For the first of these, where vi's first one only ends the insert mode."""
WORKING = ("esc stops", "enter steers", "alt+enter queues")
ELSEWHERE = ("enter steers it",)
"""While one looks at a subagent's session."""


def doing(session: SessionView, *, asking: bool, wall: float = 0.0) -> str:
    """One word or two for what goes on. wall: seconds since the epoch."""
    if session.stopping:
        return "Stopping"
    if asking:
        return "Waiting for you"
    if session.compacting_since is not None and not session.busy:
        return "Compacting"
    if session.shell and not session.busy:
        return "Running your command"
    if session.retry is not None:
        if session.retry.at is None:
            return f"Waiting: {session.retry.why}"
        left = math.ceil(session.retry.at - wall)
        return f"Retrying in {clock(left)}: {session.retry.why}" if left > 0 else f"Retrying: {session.retry.why}"
    return _working(session)


def _working(session: SessionView) -> str:
    agents = session.subagents
    if names := sorted({call.name for call_id, call in session.calls.items() if not agents.begun_by(call_id)}):
        return f"Running {', '.join(names)}"
    # a model that has spoken has nothing more to say before it hears of one
    if (session.calls or session.has_spoken) and (awaited := agents.awaited(background=session.has_spoken)):
        return f"Waiting for {awaited}"
    return "Thinking" if session.thinking or not session.open_answer.tail() else "Writing"


def spinner_row(words: str, sign: str, more: Iterable[str], width: int, theme: Theme) -> str:
    """more: what there is room for of it."""
    room = width - 2 - cells.width(words)
    rest = ""
    for part in (f" · {each}" for each in more):
        if len(rest) + len(part) <= room:
            rest += part
    return cells.clip(theme.row([("busy", f"{sign} "), ("", words), ("dim", rest)]), width)


@dataclass(frozen=True)
class Part:
    style: str
    forms: tuple[tuple[int, str], ...]
    """From long to short. The number says what gives way first when there is no room: the largest."""

    @classmethod
    def of(cls, style: str, *forms: tuple[int, str]) -> "Part":
        """Without those that say nothing."""
        return cls(style, tuple((order, text) for order, text in forms if text))

    @property
    def text(self) -> str:
        return self.forms[0][1]

    @property
    def shortened(self) -> "Part":
        return Part(self.style, self.forms[1:])


@dataclass(frozen=True)
class StatusLine:
    """model · mode and its risk · sandbox · folder (branch) · context · tokens · cost · what is waited for · jobs ·
    agents · what was restarted · name, and a hint at the right.

    The name of the session has the room that the others leave. All of it in red where nothing asks and nothing is
    sandboxed.
    """

    session: SessionView
    around: Surroundings
    wall: float = 0.0
    """Seconds since the epoch."""

    def row(self, hint: str, width: int, theme: Theme) -> str:
        return _row(self._facts, hint, width, theme, theme.worn)

    @property
    def _facts(self) -> "_Facts":
        session, around = self.session, self.around
        return _Facts(
            called=session.called,
            model=session.name,
            effort=session.effort,
            read_only=session.read_only,
            steered=session.steered,
            mode=session.mode,
            unrestricted=session.unrestricted,
            sandbox=session.sandbox,
            sandbox_unasked=session.sandbox_unasked,
            folder=around.folder,
            branch=around.branch,
            tokens=session.usage.input_tokens + session.usage.output_tokens,
            window=around.windows.get(session.name, 0),
            used=session.used,
            waits=_wait(session, self.wall),
            jobs=session.jobs,
            agents=session.subagents.in_background,
            restarted=around.restarted(self.wall),
        )


class _Facts(NamedTuple):
    """All that the row is made of: while it is the same, so is the row."""

    called: str
    model: str
    effort: str
    read_only: str
    steered: str
    mode: Mode
    unrestricted: bool
    sandbox: str
    sandbox_unasked: bool
    folder: str
    branch: str
    tokens: int
    window: int
    used: Usage
    waits: str
    jobs: int
    agents: int
    restarted: str


@lru_cache(maxsize=1)
def _row(facts: _Facts, hint: str, width: int, theme: Theme, worn: int) -> str:  # noqa: ARG001  # it looks otherwise then
    parts = _fitting(facts, width - len(hint) - 4)
    left: Spans = [("", " ")]
    for at, part in enumerate(parts):
        span = ("error" if facts.unrestricted else part.style, part.text)
        left += [span] if at == 0 else [("dim", " · "), span]
    room = width - cells.width("".join(text for _, text in left)) - cells.width(hint) - 1
    return cells.clip(theme.row([*left, ("dim", " " * max(room, 1) + hint if hint else "")]), width)


def _fitting(facts: _Facts, room: int) -> list[Part]:
    parts = [part for part in _parts(facts) if part.forms]
    while len(parts) > 1 and _width(parts) > room:
        first = max(range(len(parts)), key=lambda at: parts[at].forms[0][0])
        parts[first : first + 1] = [parts[first].shortened] if len(parts[first].forms) > 1 else []
    left = room - _width(parts) - len(" · ")
    if facts.called and left >= LEAST_NAME:
        parts.append(Part.of("dim", (0, cells.clip(facts.called, min(left, MOST_NAME)))))
    return parts


def _parts(facts: _Facts) -> tuple[Part, ...]:
    model, branch = harmless.one_line(facts.model.rpartition("/")[2]), harmless.one_line(facts.branch)
    return (
        Part.of("dim", (7, f"{model} {facts.effort}" if model and facts.effort else ""), (3, model)),
        _mode(facts),
        *_sandbox(facts),
        Part.of("dim", (8, f"{facts.folder} ({branch})" if branch else facts.folder), (5, branch)),
        _context(facts.tokens, facts.window),
        Part.of("dim", (9, f"{thousands(facts.tokens)} tok" if facts.tokens else "")),
        Part.of("dim", (3, in_words(facts.used))),
        Part.of("warning", (1, facts.waits)),
        Part.of("busy", (1, how_many(facts.jobs, "job") if facts.jobs else "")),
        Part.of("busy", (1, how_many(facts.agents, "agent") if facts.agents else "")),
        Part.of("warning", (1, facts.restarted)),
    )


def _mode(facts: _Facts) -> Part:
    if facts.read_only:
        return Part.of("warning", (0, f"agent {facts.steered}" if facts.steered else "read-only"))
    mode = "UNRESTRICTED" if facts.unrestricted and facts.mode not in LOOKING else SHORT[facts.mode]
    return Part.of("dim", (0, mode))


def _sandbox(facts: _Facts) -> tuple[Part, ...]:
    said = f"sandbox: {facts.sandbox}" if facts.sandbox else ""
    if facts.sandbox in ("none", "landlock"):
        return (Part.of("warning", (1, said)),)
    unasked = "all in the sandbox unasked" if facts.sandbox_unasked else ""
    return Part.of("dim", (6, said)), Part.of("warning", (2, unasked))


def _context(tokens: int, window: int) -> Part:
    """How full the model's window is. window: tokens; 0: not known."""
    share = tokens / window if window else 0.0
    style = "error" if share >= FULL else "warning" if share >= WARNED else "dim"
    return Part.of(style, (4, f"{max(round(share * 100), 1)}%" if share else ""))


def _wait(session: SessionView, wall: float) -> str:
    """For a rate limit, or a service that is not there."""
    at = session.retry.at if session.retry else None
    return f"waits {clock(math.ceil(at - wall))}" if at is not None and at > wall else ""


def _width(parts: Iterable[Part]) -> int:
    return cells.width(" · ".join(part.text for part in parts))


def still_for(session: SessionView, spin_s: float, tick_s: float) -> float:
    """So many seconds nothing of what is told of the session changes by itself: spinner, clocks, countdowns."""
    ticks = [tick_s] * bool(session.subagents.at_work or session.retry)
    return min((*[spin_s] * session.working, *ticks), default=math.inf)
