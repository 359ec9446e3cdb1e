"""What became of a subagent, as pieces of a row or two: it began, it was told something, it ended, it was merged."""

from dataclasses import dataclass

from actors.common.budget import in_words
from actors.common.plurals import how_many
from actors.messages.subagent import SubagentEnded, SubagentMerged, SubagentPrompted, SubagentSpawned
from actors.messages.usage import Usage
from ui.common import harmless
from ui.common.amounts import clock, thousands
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import CallRow

SIGNS: dict[str, Span] = {"completed": ("good", "✔"), "failed": ("bad", "✗"), "cancelled": ("warning", "■")}
"""By how it ended."""
NAMED = 8
"""Files."""


@dataclass(frozen=True)
class Begun:
    body: SubagentSpawned
    gap: bool

    def rows(self, width: int, theme: Theme) -> list[str]:
        body = self.body
        waits = f"after {', '.join(body.depends_on)}: " if body.depends_on else ""
        title = f"{body.kind} · {waits}{body.prompt}" if body.kind else f"{waits}{body.prompt}"
        where = [("dim", "  in the background")] if body.background else []
        return _spaced(self.gap, [_call(("dim", "○"), body.name, title, where).row(width, theme)])


@dataclass(frozen=True)
class Steered:
    body: SubagentPrompted

    def rows(self, width: int, theme: Theme) -> list[str]:
        said = f"  ↳ {harmless.one_line(self.body.name)}: {harmless.one_line(self.body.text)}"
        return [theme.paint("dim", cells.clip(said, width))]


@dataclass(frozen=True)
class Over:
    body: SubagentEnded
    took_s: float | None
    """None: nobody knows when it began."""
    gap: bool

    def rows(self, width: int, theme: Theme) -> list[str]:
        body = self.body
        sign = SIGNS[body.state]
        words = first_line(body.summary)
        says_so = body.state == "completed" or words.startswith(body.state)
        outcome = [] if says_so else [(sign[0], f"  {body.state}")]
        if facts := used(body.used):
            outcome.append(("dim", f"  {facts}"))
        took = "" if self.took_s is None else clock(self.took_s)
        head = _call(sign, body.name, words, outcome, took).row(width, theme)
        return _spaced(self.gap, [head, *self._files(width, theme)])

    def _files(self, width: int, theme: Theme) -> list[str]:
        """Where its changes wait: how to have them comes first, for the rest may be cut."""
        files = self.body.patch_files
        if not files:
            return []
        name = harmless.one_line(self.body.name)
        words = f"  └ {how_many(len(files), 'changed file')} · /agents merge {name} · {named(files)}"
        return [theme.paint("dim", cells.clip(words, width))]


@dataclass(frozen=True)
class Merged:
    body: SubagentMerged
    gap: bool

    def rows(self, width: int, theme: Theme) -> list[str]:
        count = how_many(len(self.body.files), "file")
        return _spaced(
            self.gap,
            [_call(("good", "●"), "merged", f"{self.body.name} · {count}: {named(self.body.files)}").row(width, theme)],
        )


def first_line(text: str) -> str:
    """Of a summary: the first one that says something."""
    lines = (line.strip(" #*") for line in harmless.sanitise(text).split("\n"))
    return next(filter(None, lines), "")


def named(files: tuple[str, ...]) -> str:
    more = [f"and {len(files) - NAMED} more"] * (len(files) > NAMED)
    return ", ".join([*(harmless.one_line(path) for path in files[:NAMED]), *more])


def used(usage: Usage) -> str:
    """Tokens and cost, in words; "" where nothing was used."""
    tokens = usage.input_tokens + usage.output_tokens
    return " · ".join(filter(None, [f"{thousands(tokens)} tok" if tokens else "", in_words(usage)]))


def _call(sign: Span, name: str, title: str, outcome: list[Span] | None = None, time: str = "") -> CallRow:
    return CallRow(sign, harmless.one_line(name), harmless.one_line(title), outcome or [], time)


def _spaced(gap: bool, rows: list[str]) -> list[str]:
    return ["", *rows] if gap else rows
