"""The database file: opened for this user only, checked, set aside when damaged, brought to the current schema."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from actors.common import locks
from actors.errors import failed
from actors.messages.store import DATABASE

FILE = DATABASE
BUSY_S = 5.0
CACHE_KIB = 512
"""Of pages in this process: the kernel has them, too, and a store must not grow with its sessions."""
CHECKED_WHOLE = 32 * 1024 * 1024
"""Bytes; a larger file is checked as a whole only when it was not closed in order."""
CHECKED_AFTER_A_CRASH = 1024 * 1024 * 1024
"""Bytes; a check of more would outlast the heartbeat, and SQLite's own log has put the file in order."""

OPENED_AT_ONCE = 8 * 1024 * 1024
"""Bytes; a larger file may have to be checked or brought forward for seconds."""

MIGRATIONS = (
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY, cwd TEXT NOT NULL, model TEXT NOT NULL, title TEXT NOT NULL DEFAULT '',
        created_at REAL NOT NULL, updated_at REAL NOT NULL
    ) STRICT;
    CREATE TABLE entries (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL REFERENCES sessions(id),
        parent TEXT NOT NULL, at REAL NOT NULL, body BLOB NOT NULL
    ) STRICT;
    CREATE INDEX entries_by_session ON entries(session_id, number);
    CREATE TABLE remembered (key TEXT PRIMARY KEY, value TEXT NOT NULL, at REAL NOT NULL) STRICT;
    """,
    """
    ALTER TABLE sessions ADD COLUMN name TEXT NOT NULL DEFAULT '';
    ALTER TABLE sessions ADD COLUMN branch TEXT NOT NULL DEFAULT '';
    ALTER TABLE sessions ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN trashed_at REAL;
    ALTER TABLE entries ADD COLUMN kind TEXT NOT NULL DEFAULT '';
    UPDATE entries SET kind = substr(CAST(substr(body, 10, 40) AS TEXT), 1,
        instr(CAST(substr(body, 10, 40) AS TEXT), '"') - 1);  -- after {"type":", which every body begins with
    UPDATE sessions SET
        entries = (SELECT count(*) FROM entries WHERE session_id = sessions.id),
        bytes = (SELECT coalesce(sum(length(body)), 0) FROM entries WHERE session_id = sessions.id);
    CREATE INDEX entries_upwards ON entries(id, parent, kind, session_id);
    CREATE TABLE blobs (hash TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
    CREATE TABLE entry_blobs (
        entry INTEGER NOT NULL REFERENCES entries(number), place TEXT NOT NULL, hash TEXT NOT NULL,
        PRIMARY KEY (entry, place)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entry_blobs_by_hash ON entry_blobs(hash);
    CREATE TABLE labels (
        entry_id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), text TEXT NOT NULL
    ) STRICT;
    """,
    """
    ALTER TABLE sessions ADD COLUMN cost REAL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN last_cost REAL NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN uncounted_from INTEGER;
    UPDATE sessions SET uncounted_from = 0;
    """,  # see DECISIONS: what older sessions have cost is counted when somebody asks
    """
    ALTER TABLE sessions ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN last_tokens INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET cost = 0, last_cost = 0, uncounted_from = 0;  -- both are counted at once
    CREATE TABLE leases (
        session_id TEXT NOT NULL, aside INTEGER NOT NULL, id TEXT NOT NULL, run_id TEXT NOT NULL,
        usd REAL NOT NULL, tokens INTEGER NOT NULL,
        PRIMARY KEY (session_id, aside)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE raised_limits (session_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, usd REAL NOT NULL) STRICT;
    """,
    """
    CREATE TABLE batch_runs (
        run_id TEXT PRIMARY KEY, tasks TEXT NOT NULL, out TEXT NOT NULL, cwd TEXT NOT NULL, workers INTEGER NOT NULL,
        state TEXT NOT NULL, began_at REAL NOT NULL, changed_at REAL NOT NULL
    ) STRICT;
    CREATE TABLE batch_tasks (
        number INTEGER PRIMARY KEY, run_id TEXT NOT NULL REFERENCES batch_runs(run_id), counts INTEGER NOT NULL,
        key TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, session_id TEXT NOT NULL,
        prompts INTEGER NOT NULL, base TEXT NOT NULL, spec TEXT NOT NULL, result TEXT NOT NULL,
        changed_at REAL NOT NULL, UNIQUE (run_id, key)
    ) STRICT;
    CREATE INDEX batch_tasks_by_id ON batch_tasks(run_id, id);
    """,
)
"""The n-th brings schema version n to n+1; never edited once released, only added to."""


def may_take_long(home: Path) -> bool:
    path = home / FILE
    return path.exists() and path.stat().st_size > OPENED_AT_ONCE


def open_database(home: Path) -> tuple[sqlite3.Connection, str]:
    """The database and a notice for the user ("" when all is well); any thread may use it. Raises Failed."""
    path = home / FILE
    try:
        with locks.held(home / "run" / "open.lock"):  # two first starts must not both make the tables
            return _open_or_replace(path)
    except sqlite3.Error as error:
        raise explain(error, path) from error
    except OSError as error:
        raise failed(
            "bad_configuration", f"cannot open {path}: {error}.", "Set TROUPER_HOME to a folder of yours."
        ) from error


def _open_or_replace(path: Path) -> tuple[sqlite3.Connection, str]:
    _create_private(path)
    try:
        return _open(path), ""
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        aside = _set_aside(path)
        notice = f"{path} is damaged ({error}). It was set aside as {aside}, unchanged; a new one is in use."
        return _open(path), notice


def open_to_read(home: Path) -> sqlite3.Connection:
    """Once more, beside the one that writes; for a thread. Raises sqlite3.Error."""
    return sqlite3.connect(f"{(home / FILE).as_uri()}?mode=ro", uri=True, timeout=BUSY_S, check_same_thread=False)


def in_one_transaction(database: sqlite3.Connection, act: Callable[[], None]) -> None:
    """All of it or nothing. Raises sqlite3.Error, and what `act` raises."""
    database.execute("BEGIN IMMEDIATE")
    try:
        act()
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def explain(error: sqlite3.Error, path: Path) -> Exception:
    """An sqlite error as a Problem somebody can act on."""
    text = str(error)
    if "full" in text or "disk I/O error" in text:  # a full disk shows as either
        return failed("disk_full", f"no space left for {path}.", "Free some space, then go on with: trouper -c")
    if "locked" in text or "busy" in text:
        hint = "Close the program that holds it, then go on with: trouper -c"
        return failed("store_locked", f"{path} is locked by another program for more than {BUSY_S:g} s.", hint)
    if is_damage(error):
        return failed("store_damaged", f"{path} is damaged ({text}).", "Start again: it will be set aside, not lost.")
    return failed("store_locked", f"cannot write {path}: {text}.", "Check the folder's permissions and space.")


def _create_private(path: Path) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _open(path: Path) -> sqlite3.Connection:
    log = path.with_name(path.name + "-wal")
    unclean = log.exists() and log.stat().st_size > 0
    database = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        if path.stat().st_size < (CHECKED_AFTER_A_CRASH if unclean else CHECKED_WHOLE):
            _check(database)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        _migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def _check(database: sqlite3.Connection) -> None:
    (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(f"malformed: {verdict}")


def _migrate(database: sqlite3.Connection) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        text = f"the database has schema {version}; this version of Trouper knows {len(MIGRATIONS)}."
        raise failed("bad_configuration", text, "Update Trouper, or set TROUPER_HOME to another folder.")
    for number in range(version, len(MIGRATIONS)):
        database.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[number]} PRAGMA user_version={number + 1}; COMMIT;")


def is_damage(error: sqlite3.Error) -> bool:
    return any(sign in str(error) for sign in ("malformed", "not a database", "corrupt"))


def _set_aside(path: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    for suffix in ("", "-wal", "-shm"):
        source = path.with_name(path.name + suffix)
        if source.exists():
            source.replace(aside.with_name(aside.name + suffix))
    _create_private(path)
    return aside
