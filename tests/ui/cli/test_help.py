"""What `trouper --help` says, and what is said of a mistake."""

import re

import pytest

from tests.docs.command_line import help_of
from ui.cli.arguments import main_parser
from ui.cli.help import main_help
from ui.cli.subcommands import batch
from ui.cli.table import SUBCOMMANDS
from ui.common.modes import ALIASES, MODES
from ui.start.launch_state import Launch

ROWS, COLUMNS = 40, 80
HELP = main_help(main_parser()._actions)  # argparse tells nobody what a parser has


def test_help_fits_on_a_screen() -> None:
    rows = HELP.rstrip("\n").split("\n")

    assert len(rows) <= ROWS
    assert [row for row in rows if len(row) > COLUMNS] == []


def test_help_has_every_command_in_its_group() -> None:
    groups = {}
    heading = ""
    for row in HELP.split("\n"):
        heading = row[:8].strip() or heading
        if found := re.match(r".{8}trouper ([a-z-]+)", row):
            groups[found[1]] = heading

    assert groups == {name: command.group for name, command in SUBCOMMANDS.items()}


def test_help_says_what_each_form_of_output_is() -> None:
    said = " ".join(HELP.split())

    assert "text (the answer), json (one object at the end), stream-json (an object for every event)" in said


def test_a_mode_has_one_name_in_help() -> None:
    texts = [HELP, *(help_of([name]) for name in SUBCOMMANDS)]
    words = {word for text in texts for word in re.findall(r"[a-z-]+", text)}

    assert set(MODES) <= words
    assert words & (set(ALIASES) - {"edit", "read", "ask"}) == set()  # those are words, too
    assert [text for text in texts if "also known" in text] == []


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_each_command_has_a_help_of_its_own(name: str) -> None:
    assert help_of([name]).startswith(f"usage: trouper {name}")


def test_a_mistake_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        batch.main(["--workers", "0", "tasks.jsonl"], Launch(""))

    assert left.value.code == 2
    assert capsys.readouterr().err == ("trouper: argument --workers: must be at least 1. See: trouper batch --help\n")
