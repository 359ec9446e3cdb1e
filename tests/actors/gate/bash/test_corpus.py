"""Every command line of the table, and nothing else is found in it than the table says."""

import pytest

from tests.actors.gate.bash.corpus import found_in, rows

ROWS = rows()


@pytest.mark.parametrize("group", sorted({row.group for row in ROWS}))
def test_what_is_found_is_what_the_table_says(group: str) -> None:
    """By groups: a test of its own for each of two thousand rows costs more than to read them."""
    of_group = [row for row in ROWS if row.group == group]

    found = {(row.command, row.sandboxed): found_in(row) for row in of_group}

    assert found == {(row.command, row.sandboxed): row.expected for row in of_group}


def test_no_command_is_in_the_table_twice() -> None:
    commands = [(row.command, row.sandboxed) for row in ROWS]

    assert [command for command in commands if commands.count(command) > 1] == []
