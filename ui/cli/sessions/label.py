"""`trouper sessions label`: a name for a place in a session's tree."""

import argparse

import msgspec

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import Label
from actors.settings.config import Settings
from ui.cli.which_session import HELP, entry_id, meant
from ui.common.exit_codes import DONE
from ui.start.fronts import encoded

SUMMARY = "a name for a place in its tree"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    entry: str
    text: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help=HELP)
    parser.add_argument("entry", metavar="ENTRY", help="its id as tree shows it, or the beginning of that")
    parser.add_argument("text", metavar="TEXT", help='"" takes it away')


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(session_id=options.id, entry=options.entry, text=" ".join(options.text.split())))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    session_id = (await meant(mailbox, settings, asked.session_id)).session_id
    entry = await entry_id(mailbox, session_id, asked.entry)
    await mailbox.insist("store", Label(session_id=session_id, entry_id=entry, text=asked.text), Done)
    return DONE
