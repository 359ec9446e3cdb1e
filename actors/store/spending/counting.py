"""Counting what an older version wrote, so much at a time that the others are served in between."""

import sqlite3
from contextlib import suppress

import trio

from actors.store.schema import in_one_transaction
from actors.store.spending import sums


async def count(database: sqlite3.Connection, top: str) -> None:
    """Of a session and all below it; "" for all."""
    left = True

    def some() -> None:
        nonlocal left
        left = sums.count_some(database, top)

    with suppress(sqlite3.Error):  # a full disk: its cost is unknown until it can be kept
        while left:
            in_one_transaction(database, some)
            await trio.lowlevel.checkpoint()
