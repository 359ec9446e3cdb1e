"""`trouper sessions doctor`: is a session in order as it is stored? Repairs into a copy only."""

import argparse
import uuid

import msgspec

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import Checked, CheckSession, RepairSession
from actors.settings.config import Settings
from ui.cli.which_session import HELP, meant
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import one_line
from ui.headless.one_answer import complain
from ui.headless.stdout import write
from ui.start.fronts import encoded

SUMMARY = "is it in order as it is stored?"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    copy_id: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help=HELP)
    parser.add_argument("--repair", action="store_true", help="make a healed copy of it; the session itself stays")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(session_id=options.id, copy_id=uuid.uuid4().hex if options.repair else ""))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    session_id = (await meant(mailbox, settings, asked.session_id)).session_id
    problems = (await mailbox.insist("store", CheckSession(session_id=session_id), Checked)).problems
    for problem in problems:
        await write(f"{one_line(problem)}\n")
    if not problems:
        complain(f"session {session_id[:8]} and the database are in order.")
        return DONE
    if not asked.copy_id:
        complain(f"for a healed copy: trouper sessions doctor {session_id[:8]} --repair")
        return FAILED
    await mailbox.insist("store", RepairSession(session_id=session_id, copy_id=asked.copy_id), Done)
    complain(f"a healed copy is session {asked.copy_id[:8]}; go on with it: trouper -r {asked.copy_id[:8]}")
    return DONE
