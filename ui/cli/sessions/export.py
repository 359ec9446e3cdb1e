"""`trouper sessions export`: every entry of a session, one JSON object a line."""

import argparse

import msgspec

from actors.mailbox import Mailbox
from actors.messages.conversation import Entry
from actors.messages.store import ReadSession, SessionOpened
from actors.settings.config import Settings
from ui.common import json_text
from ui.common.exit_codes import DONE
from ui.headless.stdout import write
from ui.start.fronts import encoded

SUMMARY = "every entry, one JSON object a line"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the beginning of it is enough")
    parser.add_argument("--json", action="store_true", help="as it is done anyway")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(session_id=options.id))


async def answer(mailbox: Mailbox, _settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    async with mailbox.stream("store", ReadSession(session_id=asked.session_id)) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                await write(json_text.line(entry))
        await stream.result(SessionOpened)
    return DONE
