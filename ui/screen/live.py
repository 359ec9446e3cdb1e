"""The live rows: what is open, what is running, subagents, the queue, the composer or a question, the status line.

There are always fewer rows than the screen has. What gives way, in order: the open text, the list of
steps, the subagents, the queue, the composer.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from ui.common import harmless
from ui.common.amounts import clock
from ui.common.own_shell import shell_line
from ui.screen import status
from ui.screen.composer.editor import Editor
from ui.screen.controls import Controls
from ui.screen.questions import panel
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.status import StatusLine
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal import cells
from ui.screen.terminal.renderer import View
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.tty import STILL_S
from ui.screen.transcript import todo
from ui.screen.transcript.blocks import CallRow
from ui.screen.transcript.calls import Running
from ui.screen.transcript.subagents import rows as subagent_rows
from ui.start.first_frame import PROMPT, RULE

RUNNING_ROWS = 3
"""Latest lines of a running tool's output."""
COMPOSER_ROWS = 10
BLOCK, BAR = 2, 6
NORMAL_PROMPT = "❮ "
"""While letters are vi's commands."""
SHELL_PROMPT = "$ "
"""While what is typed would be run."""
QUEUE_ROWS = 3
TO_EDIT = " (↑ to edit)"
SPINNER_ROWS = 2
STEP_ROWS = 12
"""Of the agent's list, where all of it is wanted."""
ROOMY = 14
"""A question of a smaller screen gets all of it."""


@dataclass(frozen=True)
class Scene:
    """All there is to see, but for what is in the scrollback already."""

    shown: Shown
    controls: Controls
    around: Surroundings
    theme: Theme
    moving: bool = True
    """The spinner turns; else it stands, and clocks go on in steps of STILL_S."""
    wall: Callable[[], float] = time.time
    """Seconds since the epoch, as entries have them."""

    @property
    def session(self) -> SessionView:
        """That the user looks at."""
        return self.shown.session

    @property
    def cursor_shape(self) -> int:
        """As DECSCUSR has it: a steady block for commands of vi, a bar for text; 0: the terminal's own."""
        return 0 if self.controls.vi is None else BLOCK if self._mode else BAR

    @property
    def title(self) -> str:
        """Of the window: what waits for the user, what works, and which session it is."""
        own = self.shown.own
        sign = "? " if self.controls.questions.current is not None else "… " if own.working else ""
        folder = self.around.folder
        return f"{sign}{own.called or folder.rpartition('/')[2] or folder} · trouper"

    def still_for(self, spin_s: float) -> float:
        """So many seconds it looks as it does unless something is heard. spin_s: between two spinner frames."""
        tick_s = status.CLOCK_S if self.moving else STILL_S
        return min(status.still_for(self.session, spin_s, tick_s), self.around.still_for(self.wall()))

    def view(self, width: int, height: int, now: float) -> View:
        """now: of the clock the controls go by."""
        room = max(height - 1, 1)
        bottom, cursor = self._bottom(width, room, now)
        room -= len(bottom)
        spinner = self._spinner(width, now)
        spinner = spinner[len(spinner) - min(len(spinner), max(room, 0)) :]  # the blank row gives way first
        room -= len(spinner)
        queue = self._queue(width)[: max(room, 0)]
        room -= len(queue)
        agents = self._agents(width, max(room, 0))
        room -= len(agents)
        steps = self._steps(width)[: max(room, 0)]
        room -= len(steps)
        open_rows = self._open(width)
        open_rows = open_rows[max(len(open_rows) - max(room, 0), 0) :]
        top = [*open_rows, *steps, *agents, *spinner, *queue]
        return View(
            [cells.clip(row, width) for row in (*top, *bottom)], len(top) + cursor[0], min(cursor[1], width - 1)
        )

    def _spinner(self, width: int, now: float) -> list[str]:
        if not self.session.working:
            return [""]
        asking = self.controls.questions.current is not None
        words = status.doing(self.session, asking=self.controls.questions.waits, wall=self._clock)
        sign = status.SPINNER[int(now * 8) % len(status.SPINNER)] if self.moving else status.STILL
        # a later life of the screen does not know when the turn began
        began = self.session.turn_started_at if self.session.busy else self.session.compacting_since
        since = [clock(self._since(began))] if began else []
        elsewhere = asking or self.controls.layer is not None
        keys = status.ANSWERED if elsewhere else status.WORKING if self.session.busy else status.WORKING[:1]
        if self.shown.other is not None:
            keys = status.ELSEWHERE
        elif keys[0] == status.WORKING[0] and self.controls.esc_ends_insert:
            keys = (status.AFTER_INSERT, *keys[1:])
        return ["", status.spinner_row(words, sign, (*since, *keys), width, self.theme)]

    def _steps(self, width: int) -> list[str]:
        steps = self.session.steps
        if todo.over(steps):
            return []
        if not self.controls.all_steps:
            return ["", self.theme.row(todo.row(steps, width))]
        return ["", *(self.theme.row(row) for row in todo.listed(steps, STEP_ROWS))]

    def _agents(self, width: int, room: int) -> list[str]:
        askers = self.controls.questions.askers
        at_work = [subagent_rows.asking(one) if one.name in askers else one for one in self.session.subagents.at_work]
        drawn = subagent_rows.rows(at_work, room - 1, width, self.theme, self._clock)
        return ["", *drawn] if drawn else []

    def _queue(self, width: int) -> list[str]:
        sent = self.session.sent
        rows = [f"  … {len(sent) - QUEUE_ROWS} more"] if len(sent) > QUEUE_ROWS else []
        last = next((one for one in reversed(sent) if one.waits), None)
        for one in sent[-QUEUE_ROWS:]:
            edit = TO_EDIT if one is last and self.shown.other is None else ""
            words = cells.clip(f"  ↳ {one.kind if one.waits else '':6}{harmless.one_line(one.text)}", width - len(edit))
            rows.append(words + " " * (width - len(edit) - cells.width(words)) + edit if edit else words)
        return [self.theme.paint("dim", row) for row in rows]

    def _open(self, width: int) -> list[str]:
        rows = [*self.session.open_answer.rows(width, self.theme)]
        agents = self.session.subagents
        running = [call for call_id, call in self.session.calls.items() if not agents.begun_by(call_id)]
        running += self.session.shell.values()
        for at, call in enumerate(running):
            rows += ([""] if at == 0 else []) + self._running(call, width)
        return rows

    def _running(self, call: Running, width: int) -> list[str]:
        elapsed = "" if call.started_at is None else clock(self._since(call.started_at))
        head = CallRow(("busy", "○"), call.name, call.title, [], elapsed).row(width, self.theme)
        lines = [line for line in call.output.split("\n") if line.strip()][-RUNNING_ROWS:]
        return [head, *(self.theme.paint("dim", cells.clip(f"  │ {line}", width)) for line in lines)]

    def _since(self, began: float) -> float:
        return max(self._clock - began, 0.0)

    @property
    def _clock(self) -> float:
        wall = self.wall()
        return wall if self.moving else wall // STILL_S * STILL_S

    def _bottom(self, width: int, room: int, now: float) -> tuple[list[str], tuple[int, int]]:
        """The composer, or a question, or both while something is being typed; and the status line."""
        asking = self.controls.questions.current is not None  # whose Esc is another
        hint = self.controls.hint(now) or ("" if asking else self.shown.hint(again=self.controls.escaped)) or self._mode
        row = StatusLine(self.session, self.around, self.wall()).row(hint, width, self.theme)
        below = [row] if room > 1 else []
        room -= len(below)
        composing = self.controls.composing
        others = (3 if room > ROOMY else 1) if composing else SPINNER_ROWS if room > ROOMY else 0
        asked, cursor = panel.draw(self.controls.questions, width, room - others, self.theme, drafting=composing)
        if not composing:
            return [*asked, *below], cursor
        composer, cursor = self._composer(width, max(room - len(asked), 1))
        room -= len(asked) + len(composer)
        layer = self.controls.layer
        over = layer.rows(width, room, self.theme) if layer is not None and room > 0 else []
        return [*asked, *composer, *over, *below], (cursor[0] + len(asked), cursor[1])

    @property
    def _mode(self) -> str:
        """Of vi, where keys are commands, and what of one is there already."""
        vi = self.controls.vi
        return "" if vi is None or not (vi.normal and self.controls.composing) else f"normal {vi.keys}".rstrip()

    def _composer(self, width: int, room: int) -> tuple[list[str], tuple[int, int]]:
        rule = [self.theme.paint("dim", RULE * width)] if room >= 3 else []
        editor = self.controls.editor
        inner = self.controls.width = max(width - len(PROMPT) - 1, 1)  # the caret may stand behind the last cell
        count = max(min(room - 2 * len(rule), COMPOSER_ROWS), 1)
        rows = editor.layout(inner)
        row, column = editor.caret(inner)
        first = min(max(row - count + 1, 0), max(len(rows) - count, 0))
        shown = [self._composer_row(editor, at, rows[at].start, rows[at].end) for at in range(first, len(rows))]
        return [*rule, *shown[:count], *rule], (len(rule) + row - first, column + len(PROMPT))

    def _composer_row(self, editor: Editor, at: int, start: int, end: int) -> str:
        style, sign = ("warning", SHELL_PROMPT) if shell_line(editor.text)[0] else ("busy", PROMPT)
        sign = NORMAL_PROMPT if sign == PROMPT and self._mode else sign
        prompt = self.theme.paint(style, sign) if at == 0 else " " * len(PROMPT)
        text = editor.shown(editor.text[start:end])
        return prompt + (self.theme.paint("chosen", text) if editor.marked and text else text)
