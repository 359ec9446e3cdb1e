"""Which session is meant: by its id, its name, its number in the list, or words of its name or first prompt."""

import sqlite3
import time
from collections.abc import Callable

import msgspec

from actors.common.plurals import how_many
from actors.errors import failed
from actors.messages.store import HolderOf, OpenSession

LIST = "List them with: trouper sessions list"
NAMED = 5
"""Sessions that are named where more than one is meant."""
WORDS = 40
"""Characters of what each is called there."""


class _Known(msgspec.Struct, array_like=True, frozen=True):
    session_id: str
    cwd: str
    name: str
    title: str
    trashed_at: float | None

    @property
    def is_trashed(self) -> bool:
        return self.trashed_at is not None

    @property
    def is_below(self) -> bool:
        """Another one's: of a subagent, or of a task of a batch."""
        return "." in self.session_id

    @property
    def is_listed(self) -> bool:
        """Without a prompt there is nothing to go on with."""
        return self.title != "" and not self.is_below

    @property
    def called(self) -> str:
        return self.name or self.title

    @property
    def short(self) -> str:
        """Ids of one batch begin alike, and those below one session: what comes after their dash or dot is needed."""
        return self.session_id if "-" in self.session_id or self.is_below else self.session_id[:8]


_Test = Callable[[_Known], bool]


def find(database: sqlite3.Connection, said: str, cwd: str, *, everywhere: bool = False, trashed: bool = False) -> str:
    """An id. Ids are looked for in every folder; all else in this one, unless everywhere or where cwd is "".

    trashed: among those that were thrown away. Raises Failed(unknown_session or ambiguous_session).
    """
    meant = all_meant(database, said, cwd, everywhere=everywhere, trashed=trashed)
    if len(meant) > 1:
        raise _ambiguous(said, [one for one in _known(database) if one.session_id in meant])
    return meant[0]


def all_meant(
    database: sqlite3.Connection, said: str, cwd: str, *, everywhere: bool = False, trashed: bool = False
) -> list[str]:
    """The same, the newest first, where more than one may be meant. Raises Failed(unknown_session)."""
    if _is_id(database, said, trashed=trashed):
        return [said]
    known = _known(database)
    scope = "" if everywhere else cwd
    meant = _meant(said, [one for one in known if one.is_trashed == trashed], scope)
    if meant:
        return [one.session_id for one in meant]
    thrown_away = _meant(said, [one for one in known if one.is_trashed != trashed], scope)
    if thrown_away and not trashed:
        raise _deleted(thrown_away[0])
    what = "deleted session" if trashed else "session"
    where = " in this folder" if scope else ""
    text = f'there is no {what} with "{said}" as its id, or in its name or first prompt{where}.'
    raise failed("unknown_session", text, LIST)


def by_beginning(database: sqlite3.Connection, said: str) -> str | None:
    """The one whose id begins so, in any folder; None: there was never one.

    Raises Failed(unknown_session) where it was thrown away, Failed(ambiguous_session).
    """
    meant = [one for one in _known(database) if not one.is_below and one.session_id.startswith(said)]
    there = [one for one in meant if not one.is_trashed]
    if meant and not there:
        raise _deleted(meant[0])
    if len(there) > 1:
        raise _ambiguous(said, there)
    return there[0].session_id if there else None


def to_open(database: sqlite3.Connection, wanted: OpenSession | HolderOf) -> str:
    """Raises Failed(unknown_session or ambiguous_session)."""
    if not wanted.session_id:
        return latest(database, wanted.cwd)
    return find(database, wanted.session_id, wanted.cwd, everywhere=wanted.everywhere)


def latest(database: sqlite3.Connection, cwd: str) -> str:
    """Of the folder. Raises Failed(unknown_session)."""
    for one in _known(database):
        if one.cwd == cwd and one.is_listed and not one.is_trashed:
            return one.session_id
    raise failed("unknown_session", f"there is no earlier session in {cwd}.", LIST)


def _is_id(database: sqlite3.Connection, said: str, *, trashed: bool) -> bool:
    state = "SELECT (trashed_at IS NOT NULL) = ? FROM sessions WHERE id = ?"
    found: tuple[int] | None = database.execute(state, (trashed, said)).fetchone()
    return found == (True,)


def _known(database: sqlite3.Connection) -> list[_Known]:
    """Newest first."""
    rows = database.execute(
        "SELECT id, cwd, name, title, trashed_at FROM sessions ORDER BY updated_at DESC, rowid DESC"
    )
    return msgspec.convert(rows.fetchall(), list[_Known])


def _meant(said: str, known: list[_Known], scope: str) -> list[_Known]:
    """By the first way that finds any: what is whole counts more than a part. scope: a folder, or "" for all.

    Those below another one are found by their ids alone, from the dot on.
    """
    here = [one for one in known if scope in {"", one.cwd} and not one.is_below]
    known = known if "." in said else [one for one in known if not one.is_below]
    folded = said.casefold()
    words = folded.split()
    ways = (
        [one for one in among if test(one)]
        for among, test in (
            (known, lambda one: one.session_id == said),
            (here, lambda one: one.name.casefold() == folded),
            (here, _is_number(said, here)),
            (known, lambda one: one.session_id.startswith(said)),
            (here, lambda one: one.name.casefold().startswith(folded)),
            (here, lambda one: all(word in f"{one.name} {one.title}".casefold() for word in words)),
        )
    )
    return next(filter(None, ways), []) if words else []


def _is_number(said: str, here: list[_Known]) -> _Test:
    """In the list, where the newest is 1."""
    listed = [one.session_id for one in here if one.is_listed]
    number = int(said) if said.isascii() and said.isdigit() and not said.startswith("0") else 0
    wanted = listed[number - 1] if 0 < number <= len(listed) else ""
    return lambda one: one.session_id == wanted


def _ambiguous(said: str, meant: list[_Known]) -> Exception:
    named = ", ".join(f"{one.short} ({one.called[:WORDS]})" for one in meant[:NAMED])
    more = f" and {len(meant) - NAMED} more" if len(meant) > NAMED else ""
    text = f'"{said}" may be any of {how_many(len(meant), "session")}: {named}{more}.'
    return failed("ambiguous_session", text, "Say more of it, or its id.")


def _deleted(one: _Known) -> Exception:
    day = time.strftime("%Y-%m-%d", time.localtime(one.trashed_at))
    text = f"session {one.short} ({one.called[:WORDS]}) was deleted on {day}."
    return failed("unknown_session", text, f"Have it back with: trouper sessions restore {one.short}")
