"""What is large in an entry is kept beside it, once for the same content, and is read only by who wants it."""

import hashlib
import sqlite3

import msgspec

from actors.messages.conversation import Attachment, Body, PromptQueued, ToolResult, UserMessage

LARGE = 16 * 1024
"""Bytes of a text; attachments are always kept beside."""
TEXTS = ("output", "diff")
"""Fields of a ToolResult: each is also the name of its place."""
ATTACHMENT = "attachment/{}"
ALL_TEXTS, DIFF, ATTACHMENTS = "[od]*", "diff", "attachment/*"
"""Patterns of places."""

Blob = tuple[str, bytes]
"""A place in the body, and what belongs there."""


def take_out(body: Body) -> tuple[Body, list[Blob]]:
    """The body without what is large, and that."""
    taken: list[Blob] = []
    if isinstance(body, ToolResult):
        texts = {name: getattr(body, name).encode() for name in TEXTS}
        large = {name: text for name, text in texts.items() if len(text) > LARGE}
        taken += large.items()
        body = msgspec.structs.replace(body, **dict.fromkeys(large, "")) if large else body
    if isinstance(body, UserMessage | PromptQueued | ToolResult) and any(one.data for one in body.attachments):
        taken += [(ATTACHMENT.format(n), one.data) for n, one in enumerate(body.attachments) if one.data]
        emptied = tuple(msgspec.structs.replace(one, data=b"", size=_size(one)) for one in body.attachments)
        body = msgspec.structs.replace(body, attachments=emptied)
    return body, taken


def _size(one: Attachment) -> int:
    return len(one.data) or one.size


def keep(database: sqlite3.Connection, number: int, taken: list[Blob]) -> None:
    """Inside the caller's transaction. number: the entry's."""
    for place, data in taken:
        digest = hashlib.sha256(data).hexdigest()
        database.execute("INSERT OR IGNORE INTO blobs(hash, data) VALUES (?, ?)", (digest, data))
        database.execute("INSERT INTO entry_blobs(entry, place, hash) VALUES (?, ?, ?)", (number, place, digest))


def put_back(database: sqlite3.Connection, number: int, body: Body, *, attachments: bool) -> Body:
    """The body with its large texts, and its attachments' data if that is wanted."""
    if not isinstance(body, UserMessage | PromptQueued | ToolResult):
        return body
    if isinstance(body, ToolResult):
        body = _with_texts(database, number, body, ALL_TEXTS)
    if not attachments or not body.attachments:
        return body
    found = _read(database, number, ATTACHMENTS)
    filled = (_filled(one, found.get(ATTACHMENT.format(n))) for n, one in enumerate(body.attachments))
    return msgspec.structs.replace(body, attachments=tuple(filled))


def put_back_shown(database: sqlite3.Connection, number: int, body: Body) -> Body:
    """The body with its diff, and with its output where the call failed: a screen shows no other."""
    if not isinstance(body, ToolResult):
        return body
    return _with_texts(database, number, body, ALL_TEXTS if body.failed else DIFF)


def _with_texts(database: sqlite3.Connection, number: int, body: ToolResult, places: str) -> ToolResult:
    texts = {place: data.decode() for place, data in _read(database, number, places).items()}
    return msgspec.structs.replace(body, **texts) if texts else body


def _filled(one: Attachment, data: bytes | None) -> Attachment:
    return one if data is None else msgspec.structs.replace(one, data=data)


def _read(database: sqlite3.Connection, number: int, places: str) -> dict[str, bytes]:
    rows = database.execute(
        "SELECT place, data FROM entry_blobs JOIN blobs USING (hash) WHERE entry = ? AND place GLOB ?",
        (number, places),
    )
    return dict(rows)


def forget_unused(database: sqlite3.Connection) -> None:
    """Inside the caller's transaction: those that no entry has any more."""
    database.execute("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM entry_blobs)")
