"""What was said and done, as pieces that become rows at any width: the transcript is a list of them."""

import re
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.messages.conversation import Source, ToolResult
from ui.common import harmless
from ui.common.attached_files import shown
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import diff, prose, todo
from ui.screen.transcript.markdown import Chunk, CodeLine

FAILURE_LINES = 3
"""The last of a failed call's output."""
REASON_ROWS = 4
"""Of one of them, or of why a call was denied."""

LONGEST = 10_000
"""Characters that are looked at for those rows: the rest would cost a frame a third of a second with a megabyte."""
PROMPT_LINES = 10
PROMPT_CHARACTERS = 2000
"""Of a prompt in the transcript: a longer one is cut."""
OPENS = " · ctrl+o"
"""What shows all of it."""
SHORT_TITLE = 8
"""Cells of a call's title that it has on every screen, what is dim of the outcome gives way to them."""
NARROWEST = 20
"""Cells of a second column."""
_COLUMN = re.compile(r"\S+(?: \S+)*  +(?=\S)")


@dataclass(frozen=True)
class Plain:
    """A row that was painted already, such as the header."""

    row: str

    def rows(self, width: int, theme: Theme) -> list[str]:  # noqa: ARG002
        return [cells.clip(self.row, width)]


@dataclass(frozen=True)
class UserSaid:
    text: str
    attached: tuple[str, ...] = ()
    """A line for each file that went with it."""

    def rows(self, width: int, theme: Theme) -> list[str]:
        wrapped = [row for line in in_short(self.text) for row in cells.wrap([line], width - 2)]
        files = [theme.paint("dim", cells.clip(f"  {line}", width)) for line in self.attached]
        return ["", *hanging(theme, ("busy", "❯ "), wrapped), *files]


@dataclass(frozen=True)
class ModelSaid:
    chunk: Chunk
    gap: bool

    def rows(self, width: int, theme: Theme) -> list[str]:
        chunk = self.chunk
        spans = [list(chunk.spans)] if isinstance(chunk, CodeLine) else prose.rows(chunk.source, width)
        return ([""] if self.gap else []) + [theme.row(row) for row in spans]


@dataclass(frozen=True)
class SourcesNamed:
    """Where the service found what it said."""

    sources: tuple[Source, ...]

    def rows(self, width: int, theme: Theme) -> list[str]:
        numbered = len(str(len(self.sources)))
        rows = [""]
        for number, source in enumerate(self.sources, 1):
            title, url = harmless.one_line(source.title), harmless.one_line(source.url)
            spans = [("", title)] if title else [("dim", url)]
            if url.startswith(("https://", "http://")):
                spans = [("", f"{title}  " if title else ""), ("link" if " " in url else f"link {url}", url)]
            rows += hanging(theme, ("dim", f"{number:>{numbered}}. "), cells.wrap(spans, width - numbered - 2))
        return rows


@dataclass(frozen=True)
class Note:
    """Something the program itself has to say."""

    text: str
    level: str = "info"

    def rows(self, width: int, theme: Theme) -> list[str]:
        sign, style = {"error": ("✗ ", "error"), "warning": ("! ", "warning")}.get(self.level, ("· ", "dim"))
        wrapped = [row for line in self.text.split("\n") for row in _in_columns(style, line, width - 2)]
        rows = hanging(theme, (style, sign), wrapped)
        return ["", *rows] if "\n" in self.text else rows


@dataclass(frozen=True)
class Address:
    """To be copied: a row of nothing else, however long, that the terminal wraps and so copies as one line."""

    text: str

    def rows(self, width: int, theme: Theme) -> list[str]:  # noqa: ARG002
        return ["", theme.paint("code" if " " in self.text else f"code {self.text}", self.text), ""]


def in_short(text: str) -> list[Span]:
    """A prompt: all of it, or how a long one begins and ends. A line each."""
    lines = text.split("\n")
    if len(lines) <= PROMPT_LINES and len(text) <= PROMPT_CHARACTERS:
        return [("user", text)]
    if len(lines) <= PROMPT_LINES:
        hidden = len(text) - PROMPT_CHARACTERS
        return [("user", text[:PROMPT_CHARACTERS]), ("dim", f"… {how_many(hidden, 'more character')}{OPENS}")]
    first, last = lines[: PROMPT_LINES - 4], lines[-2:]
    hidden = len(lines) - len(first) - len(last)
    cut = [[("user", line[: PROMPT_CHARACTERS // PROMPT_LINES]) for line in some] for some in (first, last)]
    return [*cut[0], ("dim", f"… {how_many(hidden, 'more line')}{OPENS}"), *cut[1]]


def in_brief(text: str) -> Note:
    """What the program tells the model at length: its first sentence."""
    first = text.split("\n\n")[0].split(". ")[0]
    return Note(text if first == text else f"{first.removesuffix('.')}. …")


@dataclass(frozen=True)
class ToolDone:
    name: str
    title: str
    result: ToolResult
    gap: bool
    steps: tuple[todo.Step, ...] = ()
    """Of the agent's list, when the call has noted one."""

    def rows(self, width: int, theme: Theme) -> list[str]:
        body = [theme.row(row) for row in (*self._body(width), *self._warning(width))]
        return [*([""] if self.gap else []), self._head(width, theme), *body]

    def _head(self, width: int, theme: Theme) -> str:
        result = self.result
        style, outcome = self._outcome()
        if result.diff:
            added, removed = diff.counts(harmless.sanitise(result.diff))
            outcome += [("added", f"  +{added}"), ("removed", f" −{removed}")]
            summary = self._summary().removeprefix(f"+{added} −{removed}").lstrip(", ")
        else:
            summary = "" if result.denied else self._summary()
        if summary and summary not in self.title:
            outcome.append(("dim", f"  {summary}"))
        title = "" if self.steps else self.title
        time, hint = seconds(result.ms / 1000), OPENS * self._hides
        return CallRow((style, "●"), self.name, title, outcome, time, hint).row(width, theme)

    @property
    def _hides(self) -> bool:
        """Output of more than a line that no row shows."""
        result = self.result
        shown = result.diff or self.steps or result.failed or result.denied
        return not shown and "\n" in result.output.strip()

    def _outcome(self) -> tuple[str, Spans]:
        """What was refused is no failure of the tool."""
        if self.result.denied:
            return "warning", [("warning", "  denied")]
        return ("bad", [("bad", "  ✗")]) if self.result.failed else ("good", [])

    def _summary(self) -> str:
        attached = ", ".join(shown(attachment) for attachment in self.result.attachments)
        return harmless.one_line(self.result.summary) or attached

    def _body(self, width: int) -> list[Spans]:
        result = self.result
        if result.denied:
            return self._why(width)
        if self.steps and not result.failed:
            return todo.rows(self.steps)
        if result.diff:
            return diff.rows(harmless.sanitise(result.diff))
        if result.failed:
            lines = [line for line in harmless.sanitise(result.output[-LONGEST:]).split("\n") if line.strip()]
            rows = [row for line in lines[-FAILURE_LINES:] for row in _beside("dim", [line], width)]
            hidden = sum(bool(line.strip()) for line in result.output.split("\n")) - FAILURE_LINES
            return [*rows, [("dim", f"  └ … {how_many(hidden, 'more line')}{OPENS}")]] if hidden > 0 else rows
        return []

    def _warning(self, width: int) -> list[Spans]:
        lines = filter(None, harmless.sanitise(self.result.warning).split("\n"))
        return [[("warning", "  ! "), *row] for line in lines for row in cells.wrap([("", line)], width - 4)]

    def _why(self, width: int) -> list[Spans]:
        """What is said to people: the output is for the model, and tells it what to do now."""
        said = harmless.one_line(self.result.summary) or harmless.one_line(self.result.output)
        return _beside("warning", [said], width)


@dataclass(frozen=True)
class Stopped:
    """A turn that did not end well."""

    reason: str
    text: str

    def rows(self, width: int, theme: Theme) -> list[str]:
        if self.reason == "interrupted":
            return ["", theme.paint("warning", cells.clip("■ interrupted", width))]
        words = {"turn_limit": "stopped at the turn limit", "timeout": "stopped", "no_progress": "paused"}
        spans = [
            ("error", words.get(self.reason, self.reason.replace("_", " "))),
            ("", f": {self.text}" * bool(self.text)),
        ]
        return ["", *hanging(theme, ("error", "✗ "), cells.wrap(spans, width - 2))]


def _beside(style: str, texts: list[str], width: int) -> list[Spans]:
    """The first rows of them, behind a gutter; a sign says that there is more."""
    rows = [row for text in texts for row in cells.wrap([("dim", text[:LONGEST])], width - 6)]
    if len(rows) > REASON_ROWS:
        rows = [*rows[: REASON_ROWS - 1], [*rows[REASON_ROWS - 1], ("dim", " …")]]
    return [[(style, "  │ "), *row] for row in rows]


def _in_columns(style: str, line: str, width: int) -> list[Spans]:
    """What does not fit goes on below the second column, where the line has one."""
    column = _COLUMN.match(line)
    indent = len(column[0]) if column and column[0].isascii() and width - len(column[0]) >= NARROWEST else 0
    rows = cells.wrap([(style, line[indent:])], width - indent)
    if not indent:
        return rows
    return [[(style, line[:indent] if at == 0 else " " * indent), *row] for at, row in enumerate(rows)]


def hanging(theme: Theme, first: tuple[str, str], wrapped: list[Spans]) -> list[str]:
    blank = " " * cells.width(first[1])
    return [theme.row([first if at == 0 else ("", blank), *row]) for at, row in enumerate(wrapped)]


@dataclass(frozen=True)
class CallRow:
    """● Name title  outcome ... time: one row. The title gives way first, but a short one never; then the outcome."""

    sign: Span
    name: str
    title: str
    outcome: Spans
    time: str
    hint: str = ""
    """Where there is room beside all of the title."""

    def row(self, width: int, theme: Theme) -> str:
        free = width - 3 - cells.width(self.name)
        outcome = sum(cells.width(text) for _, text in self.outcome)
        state = sum(cells.width(text) for style, text in self.outcome if style != "dim")
        least = min(SHORT_TITLE, free - state)  # the time gives way before
        room = max(free - outcome - len(self.time) - 2, least, 0)
        title = cells.clip(self.title, room)
        fits = self.hint and cells.width(self.title) + cells.width(self.hint) <= room
        told = [("", f" {title}" * bool(title)), *self.outcome, *([("dim", self.hint)] if fits else [])]
        row = theme.row([self.sign, ("", " "), ("strong", self.name), *told])
        room = width - cells.width(row) - len(self.time)
        return cells.clip(row, width) if room < 1 else row + " " * room + theme.paint("dim", self.time)


def seconds(duration: float) -> str:
    if duration < 60:
        return f"{duration:.1f}s"
    return f"{int(duration // 60)}:{int(duration % 60):02d}"
