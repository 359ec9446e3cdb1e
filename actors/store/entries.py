"""Entries of a session in the database: added at its end, and read along a path of their tree."""

import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from actors.common.attachments import light_entry, newest_that_fit
from actors.errors import failed
from actors.messages.conversation import AssistantMessage, Body, Compacted, Entry, Named, UserMessage
from actors.messages.store import ReadPage, ReadSession
from actors.store import blobs
from actors.store.spending import leases, sums

TITLE_LENGTH = 80
PAGE = 50
"""Entries at least, but for the first one of a path."""
BEGINS_PAGE = (UserMessage.__name__, AssistantMessage.__name__)

_encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Body).decode


def append(database: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Inside the caller's transaction. An id that is there already changes nothing."""
    for entry in entries:
        body, taken = blobs.take_out(entry.body)
        encoded = _encode(body)
        added = database.execute(
            "INSERT OR IGNORE INTO entries(id, session_id, parent, at, body, kind) VALUES (?, ?, ?, ?, ?, ?)",
            (entry.id, entry.session_id, entry.parent, entry.at, encoded, type(body).__name__),
        )
        if not added.rowcount:
            continue
        if taken and added.lastrowid is not None:
            blobs.keep(database, added.lastrowid, taken)
        size = len(encoded) + sum(len(data) for _, data in taken)
        database.execute(
            "UPDATE sessions SET updated_at = max(updated_at, ?), title = iif(title = '', ?, title),"
            " entries = entries + 1, bytes = bytes + ? WHERE id = ?",
            (entry.at, _title(body), size, entry.session_id),
        )
        if isinstance(body, Named):  # here, so that it cannot take the place of a name that came meanwhile
            database.execute("UPDATE sessions SET name = ? WHERE id = ? AND name = ''", (body.name, entry.session_id))
        sums.add(database, entry.session_id, body)
        leases.saved(database, entry.session_id, body)


def _title(body: Body) -> str:
    if not isinstance(body, UserMessage):
        return ""
    return first_words(body.text, TITLE_LENGTH)


def first_words(text: str, most: int) -> str:
    """On one line."""
    return " ".join(text[: 4 * most].split())[:most]


def last_id(database: sqlite3.Connection, session_id: str) -> str:
    """Where the session stands: the active path ends there. "" when it is empty."""
    row = database.execute(
        "SELECT id FROM entries WHERE session_id = ? ORDER BY number DESC LIMIT 1", (session_id,)
    ).fetchone()
    return "" if row is None else str(row[0])


def path(
    database: sqlite3.Connection, session_id: str, end: str | None, *, whole: bool, most: float = math.inf
) -> list[int]:
    """Numbers of the entries from the first to `end`, or where the session stands for None; "" has none before it.

    Unless the whole is wanted it begins at the `read_from` of the latest compaction. At most so many, the last ones.
    Raises Failed(unknown_session).
    """
    entry_id = last_id(database, session_id) if end is None else end
    if end and _step(database, session_id, end) is None:
        raise failed("unknown_session", f"there is no entry {end} in session {session_id[:8]}.", "See: /tree")
    numbers: list[int] = []
    first: str | None = "" if whole else None
    while entry_id and len(numbers) < most and (step := _step(database, session_id, entry_id)):
        number, parent, kind = step
        if numbers and number >= numbers[-1]:
            break  # what comes before was written before: an imported circle ends here
        numbers.append(number)
        if entry_id == first:
            break
        if first is None and kind == Compacted.__name__:
            first = _read_from(database, number)
        entry_id = parent
    return numbers[::-1]


def wanted(database: sqlite3.Connection, session_id: str, asked: ReadSession | ReadPage) -> tuple[list[int], bool]:
    """Numbers of what is read, and whether attachments have their data."""
    if isinstance(asked, ReadPage):
        return page(database, session_id, asked.end, asked.after), False
    if asked.whole_tree:
        return numbers_of(database, session_id), asked.attachments
    return since(database, session_id, asked.after), asked.attachments


def since(database: sqlite3.Connection, session_id: str, entry_id: str) -> list[int]:
    """Numbers of what follows on this entry of the active path; of the whole path where it is not on that."""
    numbers: list[int] = []
    at = last_id(database, session_id)
    while at and at != entry_id and (step := _step(database, session_id, at)):
        number, at, _ = step
        if numbers and number >= numbers[-1]:
            break  # as in `path`
        numbers.append(number)
    return numbers[::-1]


def page(database: sqlite3.Connection, session_id: str, end: str, after: str = "") -> list[int]:
    """Numbers of the entries of one page, see ReadPage. None where `end` is no entry of the session."""
    numbers: list[int] = []
    at = end or last_id(database, session_id)
    while at and at != after and (step := _step(database, session_id, at)):
        number, at, kind = step
        if numbers and number >= numbers[-1]:
            break  # as in `path`
        numbers.append(number)
        if len(numbers) >= PAGE and kind in BEGINS_PAGE:
            break
    return numbers[::-1]


def page_ends(database: sqlite3.Connection, session_id: str, end: str) -> tuple[str, ...]:
    """Ids of the last entries of the pages up to this entry, the first page first."""
    ends, before, left = [end], math.inf, PAGE
    at = end
    while at and (step := _step(database, session_id, at)):
        number, at, kind = step
        if number >= before:
            break  # as in `path`
        before, left = number, left - 1
        if left <= 0 and at and kind in BEGINS_PAGE:
            ends.append(at)
            left = PAGE
    return tuple(ends[::-1])


def _step(database: sqlite3.Connection, session_id: str, entry_id: str) -> tuple[int, str, str] | None:
    row: tuple[int, str, str] | None = database.execute(
        "SELECT number, parent, kind FROM entries INDEXED BY entries_upwards WHERE id = ? AND session_id = ?",
        (entry_id, session_id),
    ).fetchone()
    return row


def _read_from(database: sqlite3.Connection, number: int) -> str:
    (body,) = database.execute("SELECT body FROM entries WHERE number = ?", (number,)).fetchone()
    compacted = decode(body)
    return compacted.read_from if isinstance(compacted, Compacted) else ""


def numbers_of(database: sqlite3.Connection, session_id: str) -> list[int]:
    """All of the session's, in the order they were written."""
    rows = database.execute("SELECT number FROM entries WHERE session_id = ? ORDER BY number", (session_id,))
    return [number for (number,) in rows]


def read(database: sqlite3.Connection, numbers: Sequence[int], *, attachments: bool) -> Iterator[Entry]:
    """In this order, with their large texts; with the data of attachments if that is wanted."""
    for number in numbers:
        yield whole(database, number, bare(database, number), attachments=attachments)


def read_shown(database: sqlite3.Connection, numbers: Sequence[int]) -> Iterator[Entry]:
    """In this order, with what a screen shows of them."""
    for number in numbers:
        entry = bare(database, number)
        body = blobs.put_back_shown(database, number, entry.body)
        yield light_entry(entry if body is entry.body else msgspec.structs.replace(entry, body=body))


def read_for_request(database: sqlite3.Connection, numbers: Sequence[int]) -> Iterator[Entry]:
    """The same; attachments have their data as far as a request could take it, the newest first."""
    found = [bare(database, number) for number in numbers]
    fit = newest_that_fit([entry.body for entry in found])
    for number, entry, fits in zip(numbers, found, fit, strict=True):
        yield whole(database, number, entry, attachments=fits)


def whole(database: sqlite3.Connection, number: int, entry: Entry, *, attachments: bool) -> Entry:
    body = blobs.put_back(database, number, entry.body, attachments=attachments)
    entry = entry if body is entry.body else msgspec.structs.replace(entry, body=body)
    return entry if attachments else light_entry(entry)


def bare(database: sqlite3.Connection, number: int) -> Entry:
    """Without what is kept beside it."""
    entry_id, session_id, parent, at, body = database.execute(
        "SELECT id, session_id, parent, at, body FROM entries WHERE number = ?", (number,)
    ).fetchone()
    return Entry(id=entry_id, session_id=session_id, parent=parent, at=at, body=decode(body))
