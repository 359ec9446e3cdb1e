"""Search over the words of all sessions: the index is brought up to date, then asked, and nobody waits for either."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing
from itertools import islice
from pathlib import Path

import trio

from actors.errors import failed
from actors.messages.conversation import Compacted
from actors.messages.store import Indexing, SearchHit, SearchSessions
from actors.store import entries, search_index
from actors.store.schema import explain, is_damage, open_to_read


async def search(home: Path, wanted: SearchSessions) -> AsyncGenerator[Indexing | SearchHit, None]:
    """In a thread, with connections of its own. Raises Failed."""
    path = home / search_index.FILE
    try:
        async with aclosing(_search(home, wanted)) as found:
            async for item in found:
                yield item
    except OSError as error:
        raise failed(
            "disk_full", f"cannot open {path}: {error.strerror}.", "Free some space, then search again."
        ) from error
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise explain(error, path) from error
        search_index.remove(home)
        raise failed("store_damaged", f"{path} was damaged ({error}).", "Search again: it is made anew.") from error


async def _search(home: Path, wanted: SearchSessions) -> AsyncGenerator[Indexing | SearchHit, None]:
    in_a_thread = trio.to_thread.run_sync
    with (
        closing(open_to_read(home)) as database,
        closing(await in_a_thread(search_index.open_index, home)) as index,
    ):
        while await in_a_thread(search_index.forget_some, index, database):
            pass
        while left := await in_a_thread(search_index.add_some, index, database):
            yield Indexing(left=left)
        for hit in await in_a_thread(_hits, index, database, wanted):
            yield hit


def query(words: str) -> str:
    """Each word as it is written, whatever it means to FTS5; the last may go on. "" where there is none."""
    quoted = [f'"{word.replace(chr(34), chr(34) * 2)}"' for word in words.split() if any(map(str.isalnum, word))]
    return f"{' '.join(quoted)}*" if quoted else ""


def _hits(index: sqlite3.Connection, database: sqlite3.Connection, wanted: SearchSessions) -> list[SearchHit]:
    """Newest first."""
    match = query(wanted.words)
    if not match:
        return []
    numbers = index.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC", (match,))
    among = _summed_up(database, wanted.summed_up_of) if wanted.summed_up_of else None
    hits = (_hit(index, database, number, wanted.cwd) for (number,) in numbers if among is None or number in among)
    return list(islice((hit for hit in hits if hit is not None), wanted.limit))


def _summed_up(database: sqlite3.Connection, session_id: str) -> set[int]:
    """Numbers of the entries before the latest compaction of its active path, also of those it left as they were."""
    numbers = entries.path(database, session_id, None, whole=True)
    compacted = "SELECT number FROM entries WHERE session_id = ? AND kind = ?"
    of_any_path = {number for (number,) in database.execute(compacted, (session_id, Compacted.__name__))}
    latest = max(of_any_path.intersection(numbers), default=0)
    return {number for number in numbers if number < latest}


def _hit(index: sqlite3.Connection, database: sqlite3.Connection, number: int, cwd: str) -> SearchHit | None:
    """None: of another folder, or thrown away."""
    place = database.execute(
        "SELECT session_id, e.id, at, kind, iif(name = '', title, name), cwd FROM entries e"
        " JOIN sessions s ON s.id = session_id"
        " WHERE number = ?1 AND trashed_at IS NULL AND (?2 = '' OR cwd = ?2)",
        (number, cwd),
    ).fetchone()
    if place is None:
        return None
    (text,) = index.execute("SELECT text FROM words WHERE rowid = ?", (number,)).fetchone()
    session_id, entry_id, at, kind, called, folder = place
    return SearchHit(session_id=session_id, entry_id=entry_id, at=at, kind=kind, text=text, called=called, cwd=folder)
