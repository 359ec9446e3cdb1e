"""`trouper sessions show`: a transcript of a session for the terminal."""

import argparse

import msgspec

from actors.mailbox import Mailbox
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    ModelChosen,
    ShellEnded,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.store import ReadSession, SessionOpened
from actors.settings.config import Settings
from actors.settings.mcp.names import shown_tool
from ui.cli.which_session import HELP, meant
from ui.common import json_text
from ui.common.attached_files import shown, shown_quotation
from ui.common.exit_codes import DONE
from ui.common.harmless import sanitise
from ui.common.model_change import from_now_on
from ui.headless.stdout import write
from ui.start.fronts import encoded

SUMMARY = "a transcript"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    json: bool = False


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help=HELP)
    parser.add_argument("--json", action="store_true", help="every entry, one JSON object a line")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(session_id=options.id, json=options.json))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    session_id = (await meant(mailbox, settings, asked.session_id)).session_id
    async with mailbox.stream("store", ReadSession(session_id=session_id)) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                await write(json_text.line(entry) if asked.json else _told(entry.body))
        await stream.result(SessionOpened)
    return DONE


def _told(body: Body) -> str:
    match body:
        case UserMessage(text=text, attachments=attachments, quoted=quoted):
            files = "".join(f"  {one}\n" for one in (*map(shown, attachments), *map(shown_quotation, quoted)))
            return sanitise(f"\n> {text}\n{files}\n")
        case ModelChosen():
            return sanitise(f"· {from_now_on(body.model, body.effort)}\n") if body.model else ""
        case AssistantMessage():
            calls = "".join(f"● {shown_tool(call)} {call.arguments}\n" for call in body.calls)
            return sanitise(f"{body.text}\n" if body.text else "") + sanitise(calls)
        case ToolResult():
            return sanitise(f"  {'✗' if body.failed else '✓'} {body.output.strip()}\n")
        case ShellEnded(command=command, output=output, failed=failed):
            return sanitise(f"\n$ {command}\n  {'✗' if failed else '✓'} {output.strip()}\n")
        case TurnEnded(reason=reason, text=text) if reason != "done":
            return sanitise(f"[{reason}] {text}\n")
        case _:
            return ""
