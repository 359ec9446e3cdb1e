"""`trouper sessions list`: the sessions of a folder, or of all, newest first."""

import argparse
import time
from collections.abc import Sequence
from itertools import pairwise, takewhile

import msgspec

from actors.common.plurals import how_many
from actors.mailbox import Mailbox
from actors.messages.store import ListSessions, Sessions, SessionSummary
from actors.settings.config import Settings
from ui.cli.arguments import positive
from ui.common import json_text
from ui.common.exit_codes import DONE
from ui.common.harmless import one_line
from ui.headless.one_answer import complain
from ui.headless.stdout import write
from ui.start.fronts import encoded

SUMMARY = "newest first"
SHORT = 8
"""Characters of an id that are shown at least."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    everywhere: bool = False
    json: bool = False
    limit: int = 50


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="of every folder, not only this one")
    parser.add_argument("--limit", type=positive, default=50, metavar="N", help="at most so many (default 50)")
    parser.add_argument("--json", action="store_true", help="all that is known of each")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(everywhere=options.all, json=options.json, limit=options.limit))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    words = ListSessions(cwd="" if asked.everywhere else settings.cwd, limit=asked.limit)
    await _list(await mailbox.insist("store", words, Sessions), asked, settings.cwd)
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
