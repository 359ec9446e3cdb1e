"""`trouper agents [list|steer|cancel|resume]`: the subagents of all running programs, seen and steered from outside."""

import argparse
import os
from collections.abc import Sequence

import trio

from actors.settings import config
from ui.cli.agents import listing, orders
from ui.cli.agents.meant import meant
from ui.cli.agents.orders import NotDone
from ui.cli.arguments import Parser
from ui.cli.running_programs import there
from ui.common import json_text
from ui.common.exit_codes import FAILED, INTERRUPTED
from ui.common.usage_errors import Usage
from ui.headless.one_answer import complain, printed
from ui.start.launch_state import Launch

EXAMPLES = """
examples:
  trouper agents                          those of all programs that run here
  trouper agents list --json
  trouper agents steer 3fa9.1 only in src it reads that before its next step
  trouper agents cancel 3fa9.1            until nothing of it runs any more
  trouper agents resume 3fa9.1            one that has ended goes on where it stopped
  trouper -r 3fa9.1                       look at what it does; what you send there goes to it, esc cancels it

ID: of its session, the beginning of its parent's with its number, or its name. exit code 1: it was not done
"""
ORDERS = {"steer": orders.steer, "cancel": orders.cancel, "resume": orders.resume}


def main(arguments: Sequence[str], _launch: Launch) -> int:
    """Returns the exit code. Raises Usage."""
    said = list(arguments)
    options = parser().parse_args(["list", *said] if said in ([], ["--json"]) else said)
    try:
        return _run(options)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    """Raises Usage."""
    home = str(config.home_folder(os.environ))
    if options.what == "list":
        return listing.listed(trio.run(there, home), json=options.json)
    text = " ".join(getattr(options, "text", []))
    if options.what == "steer" and not text.strip():
        raise Usage("say what it should be told: trouper agents steer ID TEXT")
    program, agent = meant(trio.run(there, home), options.id)
    try:
        now, words = trio.run(ORDERS[options.what], program, agent, text)
    except NotDone as why:
        complain(str(why))
        return FAILED
    return printed(json_text.pretty(listing.facts(program, now)) if options.json else f"{words}\n")


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper agents",
        description="The subagents of all running programs: what they do, telling one something, cancelling one.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = made.add_subparsers(dest="what", required=True, metavar="list|steer|cancel|resume")
    every = [what.add_parser("list", help="all of them (default)")]
    for name, summary in (
        ("steer", "tell it something; it reads that before its next step"),
        ("cancel", "end it; what it has done is kept, and it can be gone on with"),
        ("resume", "one that has ended goes on, in its program; TEXT: and is told that"),
    ):
        one = what.add_parser(name, help=summary, description=summary)
        one.add_argument("id", metavar="ID", help="as trouper agents lists it")
        if name != "cancel":
            one.add_argument("text", metavar="TEXT", nargs="+" if name == "steer" else "*")
        every.append(one)
    for one in every:
        one.add_argument("--json", action="store_true")
    return made
