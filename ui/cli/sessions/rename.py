"""`trouper sessions rename`: a name for a session."""

import argparse

import msgspec

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import NameSession
from actors.settings.config import Settings
from ui.cli.which_session import HELP, meant
from ui.common.exit_codes import DONE
from ui.headless.one_answer import complain
from ui.start.fronts import encoded

SUMMARY = "a name for it"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    name: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help=HELP)
    parser.add_argument("name", metavar="NAME", help='"" goes back to its first prompt')


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(session_id=options.id, name=" ".join(options.name.split())))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    found = await meant(mailbox, settings, asked.session_id)
    await mailbox.insist("store", NameSession(session_id=found.session_id, name=asked.name), Done)
    complain(f'session {found.session_id[:8]} is called "{asked.name or found.title}".')
    return DONE
