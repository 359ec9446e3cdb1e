"""`trouper sessions fork`: a new session that begins as another one did."""

import argparse
import uuid

import msgspec

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import CloneSession
from actors.settings.config import Settings
from ui.cli.which_session import HELP, entry_id, meant
from ui.common.exit_codes import DONE
from ui.headless.stdout import write
from ui.start.fronts import encoded

SUMMARY = "a copy of it, or of it up to an entry: prints the id of the new one"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    copy_id: str
    at: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help=HELP)
    parser.add_argument(
        "--at", metavar="ENTRY", default="", help="the last one that is copied (default: all turns that ended)"
    )


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(session_id=options.id, copy_id=uuid.uuid4().hex, at=options.at))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    session_id = (await meant(mailbox, settings, asked.session_id)).session_id
    at = await entry_id(mailbox, session_id, asked.at) if asked.at else ""
    copying = CloneSession(session_id=session_id, copy_id=asked.copy_id, entry_id=at)
    await mailbox.insist("store", copying, Done)
    await write(f"{asked.copy_id}\n")
    return DONE
