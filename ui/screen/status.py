"""The spinner line and the status line: what matters most stays when the room gets narrow."""

import math
from collections.abc import Iterable
from pathlib import Path

from actors.common.budget import in_words
from actors.common.checkout import git_branch
from actors.common.plurals import how_many
from ui.common import harmless
from ui.common.amounts import clock, thousands
from ui.common.modes import LOOKING, SHORT
from ui.screen.session_view import SessionView
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Spans
from ui.screen.terminal.theme import Theme
from ui.start.first_frame import short

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
STILL = "·"
ANSWERED = ("ctrl+c stops",)
"""The keys while a question or a list has the others."""
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


def status_row(session: SessionView, place: str, hint: str, width: int, theme: Theme) -> str:
    """model · mode and its risk · sandbox · folder (branch) · tokens · cost · agents · name, and a hint at the right.

    The name of the session has the room that the others leave. All of it in red where nothing asks and nothing is
    sandboxed.
    """
    tokens = session.usage.input_tokens + session.usage.output_tokens
    unsafe = session.sandbox in ("none", "landlock")
    mode = "UNRESTRICTED" if session.unrestricted and session.mode not in LOOKING else SHORT[session.mode]
    parts = [  # the number says what goes first when there is no room
        (2, "dim", harmless.one_line(f"{session.name.rpartition('/')[2]} {session.effort}")),
        (0, "warning", f"agent {session.steered}" if session.steered else "read-only")
        if session.read_only
        else (0, "dim", mode),
        (1 if unsafe else 3, "warning" if unsafe else "dim", f"sandbox: {session.sandbox}" if session.sandbox else ""),
        (2, "warning", "all in the sandbox unasked" if session.sandbox_unasked and not unsafe else ""),
        (5, "dim", place),
        (4, "dim", f"{thousands(tokens)} tok" if tokens else ""),
        (6, "dim", in_words(session.used)),
        (1, "busy", how_many(session.jobs, "job") if session.jobs else ""),
        (1, "busy", how_many(session.subagents.in_background, "agent") if session.subagents.in_background else ""),
    ]
    kept = [(order, (style, part)) for order, style, part in parts if part]
    while len(kept) > 1 and _width([span for _, span in kept]) + len(hint) + 4 > width:
        kept.remove(max(kept, key=lambda part: part[0]))
    room = width - _width([span for _, span in kept]) - len(hint) - 4 - len(" · ")
    if session.called and room >= LEAST_NAME:
        kept.append((len(parts), ("dim", cells.clip(session.called, min(room, MOST_NAME)))))
    if session.unrestricted:
        kept = [(order, ("error", part)) for order, (_, part) in kept]
    left: Spans = [("", " ")]
    for at, (_, span) in enumerate(kept):
        left += [span] if at == 0 else [("dim", " · "), span]
    room = width - cells.width("".join(text for _, text in left)) - cells.width(hint) - 1
    return cells.clip(theme.row([*left, ("dim", " " * max(room, 1) + hint if hint else "")]), width)


def _width(parts: Spans) -> int:
    return cells.width(" · ".join(text for _, text in parts))


def place(cwd: str) -> str:
    """The folder as people write it, with the git branch."""
    branch = git_branch(Path(cwd))
    return harmless.sanitise(short(cwd) + (f" ({branch})" if branch else ""))
