"""`trouper sessions list`: the sessions of a folder, or of all, newest first."""

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import pairwise, takewhile

import msgspec

from actors.mailbox import Mailbox
from actors.messages.store import ListSessions, Sessions, SessionSummary
from actors.settings.config import Settings
from ui.cli.arguments import positive
from ui.common import json_text
from ui.common.amounts import age, price, size
from ui.common.exit_codes import DONE
from ui.common.harmless import one_line
from ui.headless.one_answer import complain
from ui.headless.stdout import say, write
from ui.start.fronts import encoded

SUMMARY = "newest first"
SHORT = 8
"""Characters of an id that are shown at least."""
RIGHT = {0, 2, 5, 6}
"""Columns of numbers."""


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
        await write(table(found.sessions, time.time(), everywhere=wanted.everywhere))
        if sys.stdout.isatty():
            say(f"Go on with one: trouper -r NUMBER{' --all' if wanted.everywhere else ''}, or its id or words of it")


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


def table(sessions: Sequence[SessionSummary], now: float, *, everywhere: bool) -> str:
    """A line each, with the number that it is resumed by. now: seconds since the epoch."""
    short = short_ids([one.session_id for one in sessions])
    rows = [_row(number, short[one.session_id], one, now) for number, one in enumerate(sessions, 1)]
    if everywhere:
        rows = [(*row, one_line(one.cwd)) for row, one in zip(rows, sessions, strict=True)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) if at in RIGHT else cell.ljust(width) for at, (cell, width) in cells)
        for cells in (list(enumerate(zip(row, widths, strict=True))) for row in rows)
    ]
    return "".join(f"{line}  {one_line(called(one))}\n" for line, one in zip(lines, sessions, strict=True))


def called(one: SessionSummary) -> str:
    return one.name or one.title


def _row(number: int, short: str, one: SessionSummary, now: float) -> tuple[str, ...]:
    model = one.model.rpartition("/")[2]
    what = (short, age(max(now - one.updated_at, 0.0)), one.branch, model, price(one.cost_usd), size(one.bytes))
    return (str(number), *(one_line(cell) for cell in what))
