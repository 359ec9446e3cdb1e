"""What was said and done, as pieces that become rows at any width: the transcript is a list of them."""

from dataclasses import dataclass
from typing import Protocol

import msgspec

from actors.messages.conversation import Source, ToolCall, ToolResult
from ui import cells, diff, harmless, prose
from ui.cells import Span, Spans
from ui.md import Chunk, CodeLine
from ui.theme import Theme

FAILURE_ROWS = 3
"""Last lines of a failed call's output."""
_TITLE_KEYS = ("command", "path", "pattern", "query", "url")


class Piece(Protocol):
    """Pieces go to the scrollback for good; the latest are kept to draw the visible page again after a resize."""

    def rows(self, width: int, theme: Theme) -> list[str]: ...


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
        wrapped = cells.wrap([("user", self.text)], width - 2)
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
                spans = [("", f"{title}  " if title else ""), ("link", url)]
            rows += hanging(theme, ("dim", f"{number:>{numbered}}. "), cells.wrap(spans, width - numbered - 2))
        return rows


@dataclass(frozen=True)
class Note:
    """Something the program itself has to say."""

    text: str
    level: str = "info"

    def rows(self, width: int, theme: Theme) -> list[str]:
        sign, style = {"error": ("✗ ", "error"), "warning": ("! ", "warning")}.get(self.level, ("· ", "dim"))
        rows = hanging(theme, (style, sign), cells.wrap([(style, self.text)], width - 2))
        return ["", *rows] if "\n" in self.text else rows


@dataclass(frozen=True)
class ToolDone:
    name: str
    title: str
    result: ToolResult
    gap: bool

    def rows(self, width: int, theme: Theme) -> list[str]:
        return ([""] if self.gap else []) + [self._head(width, theme)] + [theme.row(row) for row in self._body()]

    def _head(self, width: int, theme: Theme) -> str:
        result = self.result
        style = "bad" if result.failed or result.denied else "good"
        outcome: Spans = [("warning", "  denied")] if result.denied else []
        if result.failed and not result.denied:
            outcome = [("bad", "  ✗")]
        if result.diff:
            added, removed = diff.counts(harmless.sanitise(result.diff))
            outcome += [("added", f"  +{added}"), ("removed", f" −{removed}")]
        elif (summary := harmless.one_line(result.summary)) and summary not in self.title:
            outcome.append(("dim", f"  {summary}"))
        return CallRow((style, "●"), self.name, self.title, outcome, seconds(result.ms / 1000)).row(width, theme)

    def _body(self) -> list[Spans]:
        if self.result.diff:
            return diff.rows(harmless.sanitise(self.result.diff))
        if self.result.failed and not self.result.denied:
            lines = [line for line in harmless.sanitise(self.result.output).split("\n") if line.strip()]
            return [[("dim", f"  │ {line}")] for line in lines[-FAILURE_ROWS:]]
        return []


@dataclass(frozen=True)
class Stopped:
    """A turn that did not end well."""

    reason: str
    text: str

    def rows(self, width: int, theme: Theme) -> list[str]:
        if self.reason == "interrupted":
            return ["", theme.paint("warning", cells.clip("■ interrupted", width))]
        words = {"turn_limit": "stopped at the turn limit", "timeout": "stopped: out of time"}
        spans = [
            ("error", words.get(self.reason, self.reason.replace("_", " "))),
            ("", f": {self.text}" * bool(self.text)),
        ]
        return ["", *hanging(theme, ("error", "✗ "), cells.wrap(spans, width - 2))]


def hanging(theme: Theme, first: tuple[str, str], wrapped: list[Spans]) -> list[str]:
    blank = " " * cells.width(first[1])
    return [theme.row([first if at == 0 else ("", blank), *row]) for at, row in enumerate(wrapped)]


@dataclass(frozen=True)
class CallRow:
    """● Name title  outcome ... time: one row, the title gives way first."""

    sign: Span
    name: str
    title: str
    outcome: Spans
    time: str

    def row(self, width: int, theme: Theme) -> str:
        fixed = 3 + cells.width(self.name) + sum(cells.width(text) for _, text in self.outcome)
        title = cells.clip(self.title, max(width - fixed - len(self.time) - 2, 8))
        row = theme.row([self.sign, ("", " "), ("strong", self.name), ("", f" {title}"), *self.outcome])
        room = width - cells.width(row) - len(self.time)
        return cells.clip(row, width) if room < 1 else row + " " * room + theme.paint("dim", self.time)


def seconds(duration: float) -> str:
    if duration < 60:
        return f"{duration:.1f}s"
    return f"{int(duration // 60)}:{int(duration % 60):02d}"


def title(call: ToolCall) -> str:
    """What the call is about, in one line: its command, its path, else its arguments."""
    try:
        arguments = msgspec.json.decode(call.arguments, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        return harmless.one_line(call.arguments)
    named = [arguments[key] for key in _TITLE_KEYS if key in arguments]
    texts = [value for value in (*named, *arguments.values()) if isinstance(value, str)]
    return harmless.one_line(texts[0] if texts else call.arguments)
