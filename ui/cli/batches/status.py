"""`trouper batch status`: how a batch stands, by its journal, whether a program runs it or not."""

import time
from collections.abc import Sequence
from functools import partial

import msgspec

from actors.mailbox import Mailbox
from actors.messages.batch import ReadRun, RunOpened
from actors.settings.config import Settings
from ui.batch.live.standing import Standing
from ui.batch.live.table import rows
from ui.batch.live.visitor import standing_of
from ui.batch.reports.json_report import report
from ui.batch.reports.outcomes import Outcomes, outcomes
from ui.cli.batches import meant
from ui.cli.batches.meant import Meant
from ui.common import json_text
from ui.common.exit_codes import DONE
from ui.headless import one_answer
from ui.headless.stdout import write
from ui.screen.terminal.theme import theme
from ui.session_files.transcript import readable
from ui.start.launch_state import Launch
from ui.start.session_run import supervise

EXAMPLES = """  trouper batch status                  of the latest one
  trouper batch status tasks.jsonl --json
"""
ROWS = (100, 60)
"""Columns and rows of what is at work, whoever reads it."""
MOST = 20
"""Tasks that are named."""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    made = meant.parser("status", "How a batch stands, whether it runs or not.", EXAMPLES, needed=False)
    made.add_argument("--json", action="store_true", help="as report.json, with what is at work under live")
    return supervise(meant.begun("ui.cli.batches.status:run", made.parse_args(arguments), launch, actors=ACTORS))


ACTORS = ("store", "ui")


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    await one_answer.run(mailbox, partial(_answer, mailbox, settings))


async def _answer(mailbox: Mailbox, settings: Settings) -> int:
    front = msgspec.msgpack.decode(settings.front, type=Meant)
    opened = await mailbox.insist("store", ReadRun(said=front.run_id), RunOpened)
    told, live = outcomes(opened, time.time()), await standing_of(settings.home, front.run_id)
    if front.json:
        await write(json_text.pretty({**report(told), "live": live}))
    else:
        await write(text(told, live))
    return DONE


def text(run: Outcomes, live: Standing | None) -> str:
    """For people."""
    facts = "".join(f"  {name.lower()}: {value}\n" for name, value in run.facts.items())
    return f"{run.title}: {_state(run, live)}\n{facts}{_at_work(run, live)}{_not_done(run)}"


def _state(run: Outcomes, live: Standing | None) -> str:
    if live is not None:
        return "pauses" if live.state == "pausing" else "runs"
    if run.run.state == "running":
        return "was cut off"
    return {"done": "all is done", "failed": "has ended, not all is done"}.get(run.run.state, run.run.state)


def _at_work(run: Outcomes, live: Standing | None) -> str:
    if live is not None:
        return "".join(f"{readable(row).rstrip()}\n" for row in rows(live, run.at, ROWS, theme(colour=False)))
    if all(task.task.has_ended for task in run.tasks):
        return ""
    return f"  to go on: trouper batch --resume {run.run.run_id}\n"


def _not_done(run: Outcomes) -> str:
    failed = [task for task in run.tasks if task.result is not None and task.verdict != "passed"]
    lines = [f"  {task.id}: {task.reason}, {task.why}\n" for task in failed[:MOST]]
    more = [f"  and {len(failed) - MOST} more\n"] if len(failed) > MOST else []
    again = [f"  to run them again: trouper batch retry {run.run.run_id}\n"] if failed else []
    return "".join([*lines, *more, *again])
