"""`trouper sessions list|show|export`: what the store holds, for people and as JSON."""

import argparse
import time
from collections.abc import Sequence
from functools import partial
from itertools import pairwise, takewhile
from typing import Literal

import msgspec

from actors.common.plurals import how_many
from actors.mailbox import Mailbox
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    ModelChosen,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.store import ListSessions, ReadSession, SessionOpened, Sessions, SessionSummary
from actors.settings.config import Settings
from ui.cli.arguments import Parser, positive, without_common
from ui.common import json_text
from ui.common.attached_files import shown
from ui.common.exit_codes import DONE
from ui.common.harmless import one_line, sanitise
from ui.common.model_change import from_now_on
from ui.headless import one_answer
from ui.headless.one_answer import complain
from ui.headless.stdout import write
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper sessions list                  sessions of this folder, newest first
  trouper sessions list --all --json
  trouper sessions show 3fa9             a transcript; the beginning of the id is enough
  trouper sessions export 3fa9 > s.jsonl one JSON object an entry; of attachments no data
"""
SHORT = 8
"""Characters of an id that are shown at least."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    what: Literal["list", "show", "export"]
    session_id: str = ""
    everywhere: bool = False
    json: bool = False
    limit: int = 50


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code."""
    options = parser().parse_args(arguments)
    settings = session_settings.prepare(options, launch)
    wanted = Wanted(
        what=options.what,
        session_id=getattr(options, "id", ""),
        everywhere=getattr(options, "all", False),
        json=options.json,
        limit=getattr(options, "limit", 50),
    )
    settings = msgspec.structs.replace(settings, front=encoded(wanted))
    return supervise(
        Run(settings=settings, launch=launch, entry="ui.cli.subcommands.sessions:run", actors=("store", "ui"))
    )


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(_answer, mailbox, settings, wanted))


async def _answer(mailbox: Mailbox, settings: Settings, wanted: Wanted) -> int:
    if wanted.what == "list":
        asked = ListSessions(cwd="" if wanted.everywhere else settings.cwd, limit=wanted.limit)
        await _list(await mailbox.insist("store", asked, Sessions), wanted, settings.cwd)
    else:
        await _show(mailbox, wanted)
    return DONE


async def _list(found: Sessions, wanted: Wanted, cwd: str) -> None:
    if wanted.json:
        await write(json_text.pretty(found.sessions))
    elif not found.sessions:
        complain(f"there are no sessions {'yet' if wanted.everywhere else f'in {cwd}'}. Start one: trouper")
    else:
        short = short_ids([summary.session_id for summary in found.sessions])
        width = max(map(len, short.values()))
        rows = (_row(short[summary.session_id].ljust(width), summary, wanted) for summary in found.sessions)
        await write("".join(rows))


def short_ids(ids: Sequence[str]) -> dict[str, str]:
    """For each the shortest beginning that no other has; those of one batch begin alike."""
    ordered = sorted(ids)
    alike = [_common(*pair) for pair in pairwise(ordered)]
    return {
        one: one[: max(SHORT, before + 1, after + 1)]
        for one, before, after in zip(ordered, [0, *alike], [*alike, 0], strict=False)
    }


def _common(one: str, other: str) -> int:
    """Characters at the beginning of both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _row(short: str, summary: SessionSummary, wanted: Wanted) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(summary.updated_at))
    where = f"  {summary.cwd}" if wanted.everywhere else ""
    return one_line(f"{short}  {when}  {how_many(summary.entries, 'entry'):>12}{where}  {summary.title}") + "\n"


async def _show(mailbox: Mailbox, wanted: Wanted) -> None:
    async with mailbox.stream("store", ReadSession(session_id=wanted.session_id)) as stream:
        async for entry in stream:
            if not isinstance(entry, Entry):
                continue
            if wanted.what == "export" or wanted.json:
                await write(json_text.line(entry))
            else:
                await write(_told(entry.body))
        await stream.result(SessionOpened)


def _told(body: Body) -> str:
    match body:
        case UserMessage(text=text, attachments=attachments):
            files = "".join(f"  {shown(one)}\n" for one in attachments)
            return sanitise(f"\n> {text}\n{files}\n")
        case ModelChosen():
            return sanitise(f"· {from_now_on(body.model, body.effort)}\n") if body.model else ""
        case AssistantMessage():
            calls = "".join(f"● {call.name} {call.arguments}\n" for call in body.calls)
            return sanitise(f"{body.text}\n" if body.text else "") + sanitise(calls)
        case ToolResult():
            return sanitise(f"  {'✗' if body.failed else '✓'} {body.output.strip()}\n")
        case TurnEnded(reason=reason, text=text) if reason != "done":
            return sanitise(f"[{reason}] {text}\n")
        case _:
            return ""


def parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    made = Parser(
        prog="trouper sessions", description="List, show and export sessions.", epilog=EXAMPLES, formatter_class=raw
    )
    without_common(made)
    what = made.add_subparsers(dest="what", required=True, metavar="list|show|export")
    listing = what.add_parser("list", help="newest first")
    listing.add_argument("--all", action="store_true", help="of every folder, not only this one")
    listing.add_argument("--limit", type=positive, default=50, metavar="N", help="at most so many (default 50)")
    listing.add_argument("--json", action="store_true", help="all that is known of each")
    for name, text in (("show", "a transcript"), ("export", "every entry, one JSON object a line")):
        one = what.add_parser(name, help=text)
        one.add_argument("id", metavar="ID", help="the beginning of it is enough")
        one.add_argument("--json", action="store_true", help="as export does it")
    return made
