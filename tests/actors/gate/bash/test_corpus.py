"""Every command line of the table, and nothing else is found in it than the table says."""

import pytest

from tests.actors.gate.bash.corpus import Row, found_in, rows

ROWS = rows()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.command)
def test_what_is_found_is_what_the_table_says(row: Row) -> None:
    assert found_in(row) == row.expected


def test_no_command_is_in_the_table_twice() -> None:
    commands = [(row.command, row.sandboxed) for row in ROWS]

    assert [command for command in commands if commands.count(command) > 1] == []
