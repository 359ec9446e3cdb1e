"""`trouper doctor`: what this machine, this folder and these settings make possible, really tried."""

import argparse
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from actors.errors import BadConfiguration
from actors.mailbox import Mailbox
from actors.settings import config
from actors.settings.config import Settings
from ui.cli.arguments import Parser, add_common
from ui.common import json_text
from ui.common.doctor import asking, rows
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import sanitise
from ui.headless import one_answer
from ui.headless.stdout import write
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper doctor
  trouper doctor --mode auto --model anthropic/claude-sonnet-5-5
  trouper doctor --json | jq '.checks[] | select(.state != "ok")'

exit codes: 0 ready to work, 1 something makes work impossible, 2 usage
"""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    interactive: bool
    json: bool
    broken: str
    """Why the config cannot be used; "" where it can."""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = parser().parse_args(arguments)
    settings, broken = _prepared(options, launch)
    config.tried_sandbox(Path(settings.home)).unlink(missing_ok=True)  # the sandbox is tried anew
    wanted = Wanted(interactive=os.isatty(0) and os.isatty(1), json=options.json, broken=broken)
    settings = msgspec.structs.replace(settings, front=encoded(wanted))
    actors = ("store", "providers", "gate", "tools:main", "ui")
    return supervise(Run(settings=settings, launch=launch, entry="ui.cli.subcommands.doctor:run", actors=actors))


def _prepared(options: argparse.Namespace, launch: Launch) -> tuple[Settings, str]:
    """Why the config files cannot be used: that is a finding, and the rest is looked at without them."""
    try:
        return session_settings.prepare(options, launch), ""
    except BadConfiguration as error:  # which is raised again where it is not the files
        return session_settings.prepare_without_files(options, launch), str(error)


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(_answer, mailbox, settings, wanted))


async def _answer(mailbox: Mailbox, settings: Settings, wanted: Wanted) -> int:
    found = await asking.found(mailbox, settings, interactive=wanted.interactive, broken=wanted.broken)
    if wanted.json:
        checks = {"ok": rows.works(found), "checks": found}
        await write(json_text.pretty(checks))
    else:
        await write(sanitise(rows.table(found)))
    return DONE if rows.works(found) else FAILED


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper doctor",
        description="What this machine, this folder and these settings make possible, and what to do next.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--json", action="store_true")
    add_common(made)
    return made
