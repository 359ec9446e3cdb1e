"""What `recall` gives: where the words were said in the part of a session that its model is sent no more."""

import time

from actors.common.found_words import around
from actors.common.own_tools import parsed
from actors.common.plurals import how_many
from actors.gate.own_tools import RecallSaid
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, ToolCall, ToolResult, UserMessage
from actors.messages.store import SearchHit, SearchSessions

MOST = 8
"""Entries that are shown."""
LENGTH = 1500
"""Characters of each, around what was found."""
WHO = {UserMessage.__name__: "the user", AssistantMessage.__name__: "you", ToolResult.__name__: "a result"}
HEAD = "Found in {number} of this session, newest first. It was said then: files and states may have changed since.\n"
NOTHING = (
    "Nothing that was said before the latest summary has all of these words; what came after it is before you. Try "
    "fewer words, or other ones; the last may be the beginning of a word. Of results the first 16 KB are searched."
)


async def result(mailbox: Mailbox, call: ToolCall, session_id: str) -> ToolResult:
    """Raises Failed."""
    words = parsed(call, RecallSaid).words
    hits = await _hits(mailbox, SearchSessions(words=words, summed_up_of=session_id, limit=MOST))
    output = "\n".join((HEAD.format(number=how_many(len(hits), "entry")), *(_told(hit, words) for hit in hits)))
    summary = how_many(len(hits), "entry") if hits else "nothing"
    return ToolResult(call_id=call.call_id, name=call.name, output=output if hits else NOTHING, summary=summary)


async def _hits(mailbox: Mailbox, wanted: SearchSessions) -> list[SearchHit]:
    async with mailbox.stream("store", wanted) as stream:
        hits = [item async for item in stream if isinstance(item, SearchHit)]
        await stream.result(Done)
    return hits


def _told(hit: SearchHit, words: str) -> str:
    at = time.strftime("%Y-%m-%d %H:%M", time.localtime(hit.at))
    return f"[{WHO[hit.kind]}, {at}]\n{around(hit.text, words, LENGTH)}\n"
