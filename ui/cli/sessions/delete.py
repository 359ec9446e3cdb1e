"""`trouper sessions delete`: to the trash, from which they can be had back for 30 days."""

import argparse
import sys

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.messages.store import SessionSummary
from actors.settings.config import Settings
from ui.cli.which_session import HELP, meant
from ui.common.exit_codes import DONE, FAILED
from ui.common.usage_errors import Usage
from ui.headless.one_answer import complain
from ui.headless.stdout import say
from ui.screen.sessions.deletion import called, throw_away
from ui.start.fronts import encoded

SUMMARY = "to the trash, for 30 days"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_ids: tuple[str, ...]
    sure: bool


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help=HELP)
    parser.add_argument("--yes", action="store_true", help="without asking")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    if not options.yes and (sys.stdin is None or not sys.stdin.isatty()):
        raise Usage("there is nobody to ask whether they are to be deleted; say --yes.")
    return encoded(Wanted(session_ids=tuple(options.ids), sure=options.yes))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    found = [await meant(mailbox, settings, said) for said in asked.session_ids]  # before any is gone: numbers move
    for one in dict.fromkeys(found):
        if not asked.sure and not await trio.to_thread.run_sync(_agreed, one, abandon_on_cancel=True):
            complain("it is kept.")
            return FAILED
        complain(await throw_away(mailbox, one))
    return DONE


def _agreed(one: SessionSummary) -> bool:
    say(f"trouper: delete {called(one)}? [y/N] ", end="")
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}
