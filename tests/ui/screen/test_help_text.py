"""What /help says."""

from ui.screen.commands.table import BY_NAME
from ui.screen.controls import ANYWHERE, COMPOSING
from ui.screen.help_text import help_text
from ui.screen.questions.queue import ANSWERS


def test_help_has_every_command_in_the_order_of_the_table() -> None:
    named = [row.split()[0] for row in help_text().split("\n") if row.startswith("/")]

    assert named == [f"/{name}" for name in BY_NAME]


def test_help_has_every_key_and_those_of_questions() -> None:
    said = help_text()

    assert [one.meaning for one in (*COMPOSING, *ANYWHERE, *ANSWERS) if one.meaning not in said] == []
    assert "in a question: esc" in said
