"""`trouper doctor`: what this machine, this folder and these settings make possible, really tried."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.settings import config
from actors.settings.config import Settings
from ui.cli.arguments import Parser, add_common
from ui.cli.health import settings_although
from ui.common import json_text
from ui.common.doctor import asking, rows
from ui.common.doctor.asking import Here
from ui.common.doctor.home import unusable
from ui.common.doctor.rows import Report
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import sanitise
from ui.headless import one_answer
from ui.headless.stdout import write
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper doctor
  trouper doctor --online                            also every other service and MCP servers elsewhere
  trouper doctor --mode auto --model anthropic/claude-sonnet-5-5
  trouper doctor --json | jq '.checks[] | select(.state != "ok")'

exit codes: 0 ready to work, 1 something makes work impossible, 2 usage, 130 given up
"""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    json: bool
    here: Here


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = parser().parse_args(arguments)
    here = Here(interactive=os.isatty(0) and os.isatty(1), online=options.online)
    home = config.home_folder(os.environ)
    fault = unusable(home)
    settings, broken = settings_although.read(options, launch, without=fault is not None and fault.hangs)
    here = replace(here, broken=broken)
    if fault:
        report = trio.run(asking.without_actors, settings, here, fault.why)
        one_answer.printed(_said(report, as_json=options.json))
        return FAILED
    config.tried_sandbox(home).unlink(missing_ok=True)  # the sandbox is tried anew
    here = replace(here, before=asking.before(settings))
    settings = msgspec.structs.replace(settings, front=encoded(Wanted(json=options.json, here=here)))
    # without the store: it would set a damaged database aside, and this command changes nothing
    actors = ("providers", "gate", "tools:main", "ui")
    return supervise(Run(settings=settings, launch=launch, entry="ui.cli.health.doctor:run", actors=actors))


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(_answer, mailbox, settings, wanted))


async def _answer(mailbox: Mailbox, settings: Settings, wanted: Wanted) -> int:
    report = await asking.found(mailbox, settings, wanted.here)
    await write(_said(report, as_json=wanted.json))
    return DONE if report.works else FAILED


def _said(report: Report, *, as_json: bool) -> str:
    return json_text.pretty(report.object) if as_json else sanitise(rows.table(report))


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper doctor",
        description="What this machine, this folder and these settings make possible, and what to do next.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--json", action="store_true", help="the same for programs")
    made.add_argument("--online", action="store_true", help="ask every service for its list, not the model's alone")
    add_common(made)
    return made
