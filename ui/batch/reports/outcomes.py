"""What came of the tasks of a run, as all reports tell it: the rows of its journal in, facts out, no secrets. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec

from actors.common.budget import in_words
from actors.common.plurals import how_many
from actors.messages.batch import RunOpened, RunRow, TaskRow
from actors.messages.usage import NOTHING_USED, Usage
from actors.settings.redaction import redacted
from ui.batch.results import Check, Result
from ui.common.harmless import one_line
from ui.session_files.transcript import readable

Verdict = Literal["passed", "failed", "error", "skipped"]
"""failed: it ended and is not done; error: it could not be worked on; skipped: it has not ended, or never began."""
ERRORS = {"failed", "no_credentials"}
"""Reasons: of the service, the session, the disk."""


class Line(Result, frozen=True, kw_only=True):
    """A result with what only reports tell of it."""

    failed_tries: int = 0
    """Of the model service."""
    waited_s: float = 0.0
    refused: tuple[str, ...] = ()
    agents: dict[str, str] = msgspec.field(default_factory=dict)
    """That it has started: how each stands, by its name."""
    notices: tuple[str, ...] = ()
    """What did not count for it, and why."""


@dataclass(frozen=True)
class Outcome:
    """Of one task. All text is harmless, and what looks like a secret is left out, but in `result`."""

    task: TaskRow
    result: Line | None
    """None: it has not ended."""

    @property
    def id(self) -> str:
        return one_line(redacted(self.task.id)) or "?"

    @property
    def reason(self) -> str:
        """How it ended, or in which state it is."""
        return one_line(self.result.reason) if self.result else self.task.state

    @property
    def verdict(self) -> Verdict:
        if self.result is None or (self.reason == "budget" and not self.result.turns):
            return "skipped"
        if self.reason == "done":
            return "passed"
        return "failed" if self.failed_check or self.reason not in ERRORS else "error"

    @property
    def failed_check(self) -> Check | None:
        """The command that had to pass, and did not."""
        if self.result is None:
            return None
        return next((one for one in (self.result.setup, self.result.check) if one and one.exit_code != 0), None)

    @property
    def why(self) -> str:
        """In a line; "" where it is done."""
        if self.result is None:
            return {"pending": "it was not begun"}.get(self.task.state, "it has not ended")
        if self.reason == "done":
            return ""
        said = one_line(redacted(self.result.error or ""))
        return said or (check_in_words(self.failed_check) if self.failed_check else self.reason)

    @property
    def answer(self) -> str:
        return readable(self.result.answer) if self.result else ""

    @property
    def model(self) -> str:
        return one_line(redacted(self.result.model)) if self.result else ""

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(one_line(redacted(tag)) for tag in self.result.tags) if self.result else ()

    @property
    def used(self) -> Usage:
        """Nothing where it has not ended."""
        return (self.result.usage or Usage()) if self.result else NOTHING_USED

    @property
    def tokens(self) -> int:
        return self.used.input_tokens + self.used.output_tokens

    @property
    def seconds(self) -> float:
        return self.result.ms / 1000 if self.result else 0.0

    @property
    def attempts(self) -> int:
        return self.task.attempts or (self.result.attempts if self.result else 0)


@dataclass(frozen=True)
class Outcomes:
    """Of a run."""

    run: RunRow
    tasks: Sequence[Outcome]
    at: float
    """When it is told. Seconds since the epoch."""

    @cached_property
    def reasons(self) -> Counter[str]:
        """How many tasks, by how they ended or what state they are in."""
        return Counter(task.reason for task in self.tasks)

    @cached_property
    def used(self) -> Usage:
        return sum((task.used for task in self.tasks), start=NOTHING_USED)

    @property
    def tokens(self) -> int:
        return self.used.input_tokens + self.used.output_tokens

    @property
    def seconds(self) -> float:
        """Of all tasks added up: several worked at once."""
        return sum(task.seconds for task in self.tasks)

    @property
    def retries(self) -> int:
        """Attempts after the first."""
        return sum(max(task.attempts - 1, 0) for task in self.tasks)

    def count(self, verdict: Verdict) -> int:
        return sum(1 for task in self.tasks if task.verdict == verdict)

    @property
    def title(self) -> str:
        return f"Batch {self.run.run_id}"

    @property
    def facts(self) -> dict[str, str]:
        """For people; what is nothing is left out."""
        told = {
            "Tasks": f"{how_many(len(self.tasks), 'task')} from {one_line(redacted(self.run.tasks))}",
            "Ended": ", ".join(f"{count} {reason}" for reason, count in self.reasons.most_common()),
            "Retries": str(self.retries or ""),
            "Time": f"{duration(self.seconds)} of work, all tasks added up" if self.seconds else "",
            "Tokens": f"{self.tokens:,}" if self.tokens else "",
            "Cost": in_words(self.used).removeprefix("cost "),
            "Folder": one_line(redacted(self.run.cwd)),
            "Results": one_line(redacted(self.run.out)),
        }
        return {name: value for name, value in told.items() if value}


def outcomes(opened: RunOpened, at: float) -> Outcomes:
    """A result that cannot be read counts as none: its task has not ended as far as anybody can tell."""
    return Outcomes(run=opened.run, tasks=[outcome(row) for row in opened.tasks], at=at)


def outcome(row: TaskRow) -> Outcome:
    """As `outcomes`."""
    try:
        return Outcome(row, msgspec.json.decode(row.result, type=Line) if row.result else None)
    except msgspec.DecodeError:
        return Outcome(row, None)


def check_in_words(check: Check) -> str:
    """make test: exit code 2."""
    how = "took too long" if check.exit_code is None else f"exit code {check.exit_code}"
    return f"{one_line(redacted(check.command))}: {how}"


def duration(seconds: float) -> str:
    """For people: 0.4 s, 12 s, 3 min 20 s, 2 h 05 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def changed_lines(patch: str) -> tuple[int, int, int]:
    """Files that a patch of git changes, lines that it adds, lines that it takes away."""
    files = added = removed = 0
    in_hunk = False
    for line in patch.split("\n"):
        if line.startswith("diff --git "):
            files, in_hunk = files + 1, False
        elif line.startswith("@@ "):
            in_hunk = True
        elif in_hunk:
            added += line.startswith("+")
            removed += line.startswith("-")
    return files, added, removed
