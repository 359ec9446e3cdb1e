"""The doctor's look at the database."""

from actors.messages.store import DATABASE_FORMAT
from actors.store.schema import MIGRATIONS


def test_the_newest_format_is_the_one_that_the_store_makes() -> None:
    assert len(MIGRATIONS) == DATABASE_FORMAT
