"""SIGKILL to the store under load: what it has acknowledged is there once and whole, at whatever moment it died."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from actors.messages.conversation import ToolResult
from actors.store import entries
from actors.store.schema import FILE
from tests import ROOT, SOAK

pytestmark = pytest.mark.slow
KILLS = 10_000 if SOAK else 100


def test_no_death_of_the_store_loses_or_doubles_what_it_has_acknowledged(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()

    load = subprocess.run(
        [sys.executable, "-m", "tests.fakes.killed_store", tmp_path, str(KILLS)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )

    said = json.loads(load.stdout)
    assert said["killed"] == KILLS
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for session_id, acknowledged in said["acknowledged"].items():
            assert acknowledged
            numbers = entries.numbers_of(database, session_id)
            stored = list(entries.read(database, numbers, attachments=False))
            unanswered = stored[len(acknowledged) :]
            assert [entry.id for entry in stored[: len(acknowledged)]] == acknowledged
            assert len(unanswered) <= 1  # it was written, and the store died before it could say so
            assert entries.path(database, session_id, None, whole=True) == numbers
            outputs = [entry.body.output for entry in stored if isinstance(entry.body, ToolResult)]
            assert {len(output.rstrip("0123456789")) for output in outputs} == {20_000}
            count, size = database.execute("SELECT entries, bytes FROM sessions WHERE id = ?", (session_id,)).fetchone()
            assert count == len(stored)
            bodies = sum(len(msgspec.json.encode(entries.bare(database, number).body)) for number in numbers)
            assert size == bodies + sum(map(len, outputs))
