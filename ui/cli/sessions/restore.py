"""`trouper sessions restore`: a deleted session is had back."""

import argparse

import msgspec

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import TrashSession
from actors.settings.config import Settings
from ui.cli.which_session import HELP, meant
from ui.common.exit_codes import DONE
from ui.headless.one_answer import complain
from ui.start.fronts import encoded

SUMMARY = "have a deleted one back"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help=HELP)


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(session_id=options.id))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    found = await meant(mailbox, settings, asked.session_id, trashed=True)
    await mailbox.insist("store", TrashSession(session_id=found.session_id, restore=True), Done)
    complain(f"session {found.session_id[:8]} ({found.name or found.title}) is back.")
    return DONE
