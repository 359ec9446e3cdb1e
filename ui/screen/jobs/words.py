"""How jobs look: a row of a list, the question what to do with one, and the end of what one has printed."""

from collections.abc import Sequence
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.messages.conversation import ToolCall
from actors.messages.job import JobIs
from actors.messages.tool import Choice, UserAsked
from ui.common import harmless
from ui.common.amounts import clock
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import CallRow

LOOK, STOP, NOTHING = "look", "stop", "nothing"
MOST_ROWS = 30
"""Of its output, the last."""
MOST_NAMED = 200
"""Characters of a command in a row."""
SIGN = "$"


def command(job: JobIs) -> str:
    return harmless.one_line(job.line)[:MOST_NAMED]


def facts(job: JobIs) -> tuple[str, ...]:
    """In columns: how it stands, since when, how much it has printed, where it listens."""
    ports = f"port {', '.join(map(str, job.ports))}{' of the sandbox' * job.apart}" if job.ports else ""
    printed = how_many(job.printed, "byte") if job.printed else "no output"
    return (harmless.one_line(job.ended) or "running", clock(job.seconds), printed, ports)


def in_list(jobs: Sequence[JobIs]) -> list[tuple[str, ...]]:
    return [(command(job), *facts(job)) for job in jobs]


def question(job: JobIs) -> UserAsked:
    """What can be done with it as it stands."""
    choices = [
        Choice(id=LOOK, key="a", label="look at its last output"),
        *([] if job.ended else [Choice(id=STOP, key="s", label="stop it, with all that it has started")]),
        Choice(id=NOTHING, key="n", label="nothing"),
    ]
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=command(job),
        detail=f"{job.id}: {', '.join(filter(None, facts(job)))}",
        choices=tuple(choices),
        default=LOOK,
        escape=NOTHING,
        call=ToolCall(call_id=f"job {job.id}", name="", arguments="{}"),
    )


@dataclass(frozen=True)
class Printed:
    """What it is, how it stands and the end of its output."""

    job: JobIs

    def rows(self, width: int, theme: Theme) -> list[str]:
        job = self.job
        state, since, *rest = facts(job)
        told = f"  {', '.join(filter(None, (state, *rest)))}"
        head = CallRow(("dim" if job.ended else "busy", "●"), SIGN, command(job), [("dim", told)], since)
        rows = [head.row(width, theme)]
        lines = harmless.sanitise(job.output).strip("\n").split("\n") if job.output.strip() else []
        shown = [row for line in lines[-MOST_ROWS:] for row in cells.wrap([("", line)], width - 4)][-MOST_ROWS:]
        return ["", *rows, *(theme.row([("dim", "  │ "), *row]) for row in shown)]
