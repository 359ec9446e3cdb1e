"""`trouper sessions search`: where in all sessions something was said, newest first."""

import argparse
import os
import sys
import time

import msgspec
import trio

from actors.common.plurals import how_many
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, ToolResult, UserMessage
from actors.messages.store import Indexing, SearchHit, SearchSessions
from actors.settings.config import Settings
from ui.cli.arguments import positive
from ui.common import json_text
from ui.common.amounts import age
from ui.common.exit_codes import DONE
from ui.common.harmless import one_line
from ui.common.snippets import Piece, snippet
from ui.headless.one_answer import complain
from ui.headless.stdout import say, write
from ui.start.fronts import encoded

SUMMARY = "where something was said, newest first"
PATIENCE_S = 1.0
"""After that it is told what is waited for."""
ROLES = {UserMessage.__name__: "user", AssistantMessage.__name__: "model", ToolResult.__name__: "tool"}
MARKED = "\x1b[1m{}\x1b[22m"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    words: str
    here: bool = False
    json: bool = False
    limit: int = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words", nargs="+", metavar="WORDS", help="all of them; the last may be the beginning of a word"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--all", action="store_true", help="in every session (default)")
    where.add_argument("--cwd", metavar="FOLDER", help="only in those of this folder")
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="at most so many (default 20)")
    parser.add_argument("--json", action="store_true", help="session_id, entry_id, at, snippet and more of each")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    here = options.cwd is not None
    return encoded(Wanted(words=" ".join(options.words), here=here, json=options.json, limit=options.limit))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    words = SearchSessions(words=asked.words, cwd=settings.cwd if asked.here else "", limit=asked.limit)
    hits = await _hits(mailbox, words)
    if asked.json:
        await write(json_text.pretty([_as_json(hit, asked.words) for hit in hits]))
    elif hits:
        await write("".join(_told(hit, asked.words, time.time(), marked=_marks()) for hit in hits))
    else:
        complain(f'nobody has said "{asked.words}".')
    return DONE


async def _hits(mailbox: Mailbox, words: SearchSessions) -> list[SearchHit]:
    hits = []
    told = trio.current_time()
    async with mailbox.stream("store", words) as stream:
        async for item in stream:
            match item:
                case SearchHit():
                    hits.append(item)
                case Indexing(left=left) if trio.current_time() - told > PATIENCE_S:
                    told = trio.current_time()
                    say(f"… making the sessions ready to be searched; left: {how_many(left, 'entry')}")
                case _:
                    pass
        await stream.result(Done)
    return hits


def _as_json(hit: SearchHit, words: str) -> dict[str, object]:
    return {
        "session_id": hit.session_id,
        "entry_id": hit.entry_id,
        "at": hit.at,
        "role": ROLES[hit.kind],
        "name": hit.called,
        "cwd": hit.cwd,
        "snippet": "".join(text for text, _ in snippet(hit.text, words)),
    }


def _told(hit: SearchHit, words: str, now: float, *, marked: bool) -> str:
    """Two lines. now: seconds since the epoch."""
    ago = age(max(now - hit.at, 0.0))
    head = one_line(f"{hit.session_id[:8]}  {ago:>6}  {ROLES[hit.kind]:<5}  {hit.called}")
    return f"{head}\n    {''.join(_shown(piece, marked=marked) for piece in snippet(hit.text, words))}\n"


def _shown(piece: Piece, *, marked: bool) -> str:
    text, is_found = piece
    return MARKED.format(text) if is_found and marked else text


def _marks() -> bool:
    from ui.screen.terminal.theme import wants_colour

    return sys.stdout.isatty() and wants_colour(os.environ)
