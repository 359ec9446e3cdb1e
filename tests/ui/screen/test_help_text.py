"""What /help says."""

from pathlib import Path

from actors.settings.config import Settings
from ui.screen.commands.table import BY_NAME
from ui.screen.controls import ANYWHERE, COMPOSING
from ui.screen.help_text import help_text
from ui.screen.questions.queue import ANSWERS

SETTINGS = Settings(home="/nowhere/home", cwd="/nowhere", session_id="s", run_id="r")


def test_help_has_every_command_in_the_order_of_the_table() -> None:
    named = [row.split()[0] for row in help_text(SETTINGS).split("\n") if row.startswith("/")]

    assert named == [f"/{name}" for name in BY_NAME]


def test_help_has_every_key_and_those_of_questions() -> None:
    said = help_text(SETTINGS)

    assert [one.meaning for one in (*COMPOSING, *ANYWHERE, *ANSWERS) if one.meaning not in said] == []
    assert "in a question: esc" in said


def test_help_has_the_commands_that_are_files_and_what_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "home/commands").mkdir(parents=True)
    (tmp_path / ".claude/commands").mkdir(parents=True)
    (tmp_path / "home/commands/review.md").write_text("---\ndescription: look\nargument-hint: FILE\n---\nReview $1.")
    (tmp_path / "home/commands/quit.md").write_text("Stay.")
    (tmp_path / ".claude/commands/ship.md").write_text("---\ndescription: send\n---\nShip it.")
    settings = Settings(home=str(tmp_path / "home"), cwd=str(tmp_path), session_id="s", run_id="r")

    rows = [" ".join(row.split()) for row in help_text(settings).split("\n")]

    assert "/review FILE look" in rows
    assert "/ship send (the repository's)" in rows
    assert f"not counted /quit of {tmp_path}/home/commands/quit.md is built in" in rows
