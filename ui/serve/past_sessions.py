"""What was said in sessions before, for a client: without secrets, and only of the folders that it may know of."""

from datetime import UTC, datetime

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, Body, Entry, ToolResult, TurnEnded, UserMessage
from actors.messages.store import ReadSession, SearchHit, SearchSessions, SessionOpened
from actors.settings.config import Settings
from actors.settings.redaction import redacted
from ui.common.harmless import sanitise
from ui.common.snippets import snippet
from ui.serve.places import kept_place
from ui.serve.terms import Found, FoundSessions, Messages, ReadMessages, Said, SearchWords

EXCERPTS = 3
"""Of one session."""
HITS = 10
"""Looked at for each session that is wanted."""
MOST_TEXT = 4000
"""Characters of one message."""
MOST_IN_ALL = 100_000


async def search(mailbox: Mailbox, settings: Settings, wanted: SearchWords, *, all_folders: bool) -> FoundSessions:
    """Newest first. Raises Failed."""
    cwd = "" if all_folders else settings.cwd
    words = SearchSessions(words=wanted.words, cwd=cwd, limit=wanted.limit * HITS)
    by_session: dict[str, list[SearchHit]] = {}
    async with mailbox.stream("store", words) as stream:
        async for hit in stream:
            if isinstance(hit, SearchHit):
                by_session.setdefault(hit.session_id, []).append(hit)
        await stream.result(Done)
    found = list(by_session.values())[: wanted.limit]
    return FoundSessions(sessions=tuple(_found(hits, wanted.words) for hits in found))


def _found(hits: list[SearchHit], words: str) -> Found:
    """Of one session."""
    newest = hits[0]
    return Found(
        session_id=newest.session_id,
        name=sanitise(redacted(newest.called)),
        folder=newest.cwd,
        when=datetime.fromtimestamp(newest.at, UTC).isoformat(timespec="seconds"),
        excerpts=tuple("".join(text for text, _ in snippet(hit.text, words)) for hit in hits[:EXCERPTS]),
    )


async def read(mailbox: Mailbox, settings: Settings, wanted: ReadMessages, *, all_folders: bool) -> Messages:
    """Its last messages, oldest first. Raises Usage and Failed."""
    await kept_place(mailbox, settings, wanted.session_id, anywhere=all_folders)
    said: list[Said] = []
    async with mailbox.stream("store", ReadSession(session_id=wanted.session_id)) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                said += _said(entry.body)
                del said[: -wanted.last]
        await stream.result(SessionOpened)
    kept: list[Said] = []
    room = MOST_IN_ALL
    for one in reversed(said):
        room -= len(one.text)
        if room < 0:
            break
        kept.append(one)
    return Messages(session_id=wanted.session_id, messages=tuple(reversed(kept)))


def _said(body: Body) -> list[Said]:
    match body:
        case UserMessage(text=text):
            said = [("user", text)]
        case AssistantMessage():
            said = [("assistant", body.text), *(("assistant", f"{one.name} {one.arguments}") for one in body.calls)]
        case ToolResult(output=output):
            said = [("tool", output)]
        case TurnEnded(reason=reason, text=text) if reason != "done":
            said = [("assistant", f"[{reason}] {text}")]
        case _:
            said = []
    return [Said(role=role, text=_shown(text)) for role, text in said if text.strip()]


def _shown(text: str) -> str:
    plain = sanitise(redacted(text))
    return plain if len(plain) <= MOST_TEXT else f"{plain[:MOST_TEXT]}… [cut]"
