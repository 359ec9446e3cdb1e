"""The database of the sessions: read whole, for a bounded time, and never written."""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from actors.common.plurals import how_many
from actors.messages.store import DATABASE, DATABASE_FORMAT
from actors.settings.config import Settings
from ui.common.doctor.rows import Row

WITHIN_S = 6.0
BUSY_S = 2.0
STEPS = 20_000
"""Of SQLite's machine between two looks at the clock."""
MOST_MISTAKES = 3
RESTORE = (
    "the next session sets it aside and begins a new one; to save what can be read: copy it away now, then "
    "sqlite3 COPY .recover"
)


def rows(settings: Settings) -> Sequence[Row]:
    home = Path(settings.home)
    return [_database(home / DATABASE), *_set_aside(home)]


def _database(path: Path) -> Row:
    if not path.exists():
        return Row(name="database", found=f"{path} is not there yet: the first session makes it")
    row = _look(path)
    begun = row.state == "problem" and _is_open(path)  # a session may have written while it was read without a lock
    return _look(path) if begun else row


def _is_open(path: Path) -> bool:
    return path.with_name(f"{path.name}-wal").exists()


def _look(path: Path) -> Row:
    size = f"{path.stat().st_size / 1e6:,.1f} MB"
    try:
        with closing(_open(path)) as database:
            return _looked_at(database, f"{path}, {size}")
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            said = f"{path}, {size}: as far as it was read in {WITHIN_S:g} s it is in order"
            return Row(
                name="database", state="note", found=said, advice="whole, for one session: trouper sessions doctor ID"
            )
        advice = f"see who owns it and its folder: {path.parent} (ls -la)"
        return Row(name="database", state="problem", found=f"{path} cannot be read: {error}", advice=advice)
    except sqlite3.DatabaseError as error:
        return Row(name="database", state="problem", found=f"{path} is damaged: {error}", advice=RESTORE)


def _open(path: Path) -> sqlite3.Connection:
    """Where no session writes no lock is taken, since that alone would leave files behind. Raises sqlite3.Error."""
    how = "mode=ro" if _is_open(path) else "immutable=1"
    return sqlite3.connect(f"{path.as_uri()}?{how}", uri=True, timeout=BUSY_S)


def _looked_at(database: sqlite3.Connection, what: str) -> Row:
    """Raises sqlite3.Error."""
    end = time.monotonic() + WITHIN_S
    database.set_progress_handler(lambda: time.monotonic() > end, STEPS)
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > DATABASE_FORMAT:
        advice = "update Trouper, or set TROUPER_HOME to another folder"
        said = f"{what}: a newer Trouper has written it (format {version})"
        return Row(name="database", state="problem", found=said, advice=advice)
    wrong = [text for (text,) in database.execute(f"PRAGMA integrity_check({MOST_MISTAKES})") if text != "ok"]
    if wrong:
        return Row(name="database", state="problem", found=f"{what} is damaged: {'; '.join(wrong)}", advice=RESTORE)
    (sessions,) = database.execute("SELECT count(*) FROM sessions").fetchone() if version else (0,)
    return Row(name="database", found=f"{what}, {how_many(sessions, 'session')}, in order")


def _set_aside(home: Path) -> Sequence[Row]:
    found = sorted(home.glob(f"{DATABASE}.damaged-*"))
    if not found:
        return []
    said = f"set aside as damaged: {', '.join(path.name for path in found[-3:])} ({len(found)} in all)"
    advice = f"save what can be read (sqlite3 {found[-1]} .recover), then remove them"
    return [Row(name="database: damaged", state="note", found=said, advice=advice)]
