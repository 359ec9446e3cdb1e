"""/copy: the last answer as it was written, or one of its blocks of code, into the clipboard of the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.mailbox import Mailbox
from actors.messages.conversation import AssistantMessage, Entry
from actors.messages.store import ReadSession
from ui.common import harmless
from ui.screen.questions.choice_list import Ask, choose
from ui.screen.sessions.stored import read as stored
from ui.screen.terminal.tty import MOST_COPIED

LATEST = 100
"""Entries that are looked at for an answer."""


@dataclass(frozen=True)
class Copied:
    what: str
    text: str


async def last_answer(mailbox: Mailbox, session_id: str) -> str:
    """ "" where there is none. Raises Failed."""
    entries = await stored(mailbox, ReadSession(session_id=session_id, last=LATEST), Entry)
    texts = (entry.body.text for entry in reversed(entries) if isinstance(entry.body, AssistantMessage))
    return next((text for text in texts if text.strip()), "")


def pieces(answer: str) -> list[Copied]:
    """All of it, and each of its blocks of code without the fence."""
    from markdown_it import MarkdownIt  # no screen begins with it

    blocks = [token for token in MarkdownIt().parse(answer) if token.type == "fence"]
    fenced = [
        Copied(f"block {number}{f' ({harmless.one_line(block.info)})' if block.info.strip() else ''}", block.content)
        for number, block in enumerate(blocks, 1)
    ]
    return [Copied("the last answer", answer), *fenced]


async def chosen(ask: Ask, of: Sequence[Copied]) -> int | None:
    """Where there is only one, that."""
    if len(of) == 1:
        return 0
    rows = [
        (f"{one.what}: {harmless.one_line(one.text)}", how_many(one.text.rstrip().count("\n") + 1, "line"))
        for one in of
    ]
    return await choose(ask, "Copy what?", rows, 1)


def too_long(text: str) -> str:
    """Why it is not copied; "" when it can be."""
    size = len(text.encode())
    if size <= MOST_COPIED:
        return ""
    return f"that is {how_many(size, 'byte')}, and terminals take {MOST_COPIED:,} at once: /export FILE has all of it"
