"""The inline renderer before an emulated terminal."""

import random

import pytest

from tests.ui.screen.terminals import PLAIN, Stage
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.renderer import Renderer, Resized, View
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import Plain


class Long:
    """A piece that is wider than the screen, as code may be."""

    def __init__(self, row: str) -> None:
        self._row = row

    def rows(self, width: int, theme: Theme) -> list[str]:  # noqa: ARG002
        return [self._row]


def composer(*open_rows: str) -> View:
    return View([*open_rows, "----", "> ", "----"], len(open_rows) + 1, 2)


def test_the_first_frame_stands_at_the_cursor() -> None:
    stage = Stage()

    stage.frame([Plain("hello")], composer())

    assert stage.emulator.all_rows == ["hello", "----", ">", "----"]
    assert stage.emulator.cursor == (2, 2)


def test_an_unchanged_frame_writes_nothing() -> None:
    renderer = Renderer(40, 12)
    renderer.frame([], composer("open"), PLAIN)

    assert renderer.frame([], composer("open"), PLAIN) == ""


def test_only_the_row_that_changed_is_written() -> None:
    renderer = Renderer(40, 12)
    renderer.frame([], composer("first", "second"), PLAIN)

    changes = renderer.frame([], composer("first", "other"), PLAIN)

    assert "other" in changes
    assert "first" not in changes
    assert "----" not in changes


def test_an_open_row_that_becomes_final_is_not_written_again() -> None:
    renderer = Renderer(40, 12)
    renderer.frame([], composer("done"), PLAIN)

    assert "done" not in renderer.frame([Plain("done")], composer(), PLAIN)


def test_what_is_committed_as_it_stands_stays() -> None:
    stage = Stage()
    stage.frame([], View(["said", ""], 1, 0))
    stage.frame([Plain("said")], View([""], 0, 0))

    stage.frame([], View(["more"], 0, 0))

    assert stage.emulator.all_rows == ["said", "more"]


def test_rows_that_are_left_over_are_blanked() -> None:
    stage = Stage()
    stage.frame([], composer("a", "b", "c"))

    stage.frame([], composer())

    assert stage.emulator.all_rows == ["----", ">", "----"]


@pytest.mark.parametrize("seed", range(12))
def test_every_committed_row_is_in_the_scrollback_once_and_in_order(seed: int) -> None:
    chance = random.Random(seed)
    stage = Stage(height=8)
    expected: list[str] = []
    for _ in range(60):
        fresh: list[Piece] = [Plain(f"row {len(expected) + at}") for at in range(chance.choice([0, 0, 1, 2, 12]))]
        expected += [f"row {len(expected) + at}" for at in range(len(fresh))]

        stage.frame(fresh, composer(*[f"open {chance.randrange(9)}" for _ in range(chance.randrange(4))]))

    stage.frame([], composer())
    assert stage.emulator.all_rows == [*expected, "----", ">", "----"]


@pytest.mark.parametrize("length", [39, 40, 41, 80, 81, 200])
def test_a_row_wider_than_the_screen_is_wrapped_by_the_terminal(length: int) -> None:
    stage = Stage()
    stage.frame([Plain("before")], composer("open"))

    stage.frame([Long("x" * length), Plain("after")], composer())

    assert stage.emulator.all_rows == [
        "before",
        *["x" * min(40, length - at) for at in range(0, length, 40)],
        "after",
        "----",
        ">",
        "----",
    ]


def test_wide_characters_do_not_fit_in_the_last_cell() -> None:
    stage = Stage(width=5)

    stage.frame([Long("世" * 5), Plain("after")], composer())

    assert [row.replace("\0", "") for row in stage.emulator.all_rows if "世" not in row] == [
        "after",
        "----",
        ">",
        "----",
    ]


def test_leaving_blanks_the_live_rows_and_stands_below_the_last_row() -> None:
    stage = Stage()
    stage.frame([Plain("said")], composer("open"))

    stage.emulator.write(stage.renderer.give_way([Plain("last words")], PLAIN))

    assert stage.emulator.all_rows == ["said", "last words"]
    assert stage.emulator.cursor == (2, 0)


def test_what_a_shell_has_written_meanwhile_is_not_ours_to_draw_again() -> None:
    stage = Stage()
    stage.frame([Plain("said")], composer("open"))
    stage.emulator.write(stage.renderer.give_way([], PLAIN))
    stage.emulator.feed("$ ls\r\na.txt\r\n$ fg\r\n")

    stage.frame([Plain("more")], composer())
    stage.emulator.resize(50, 12)
    stage.resize(Resized(50, 12, stage.emulator.cursor[0] + 1, reflows=False), composer())

    assert stage.emulator.all_rows == ["said", "$ ls", "a.txt", "$ fg", "more", "----", ">", "----"]


def test_what_somebody_else_painted_is_taken_over() -> None:
    stage = Stage()
    stage.emulator.feed("header\r\n====\r\nold prompt\r\nold status\x1b[1A\r")
    stage.renderer = Renderer(40, 12, above=1, rows=3)

    stage.frame([], composer())

    assert stage.emulator.all_rows == ["header", "----", ">", "----"]


@pytest.mark.parametrize(("width", "height"), [(30, 12), (60, 12), (40, 9), (40, 20), (25, 8)])
def test_a_resize_draws_the_visible_page_again(width: int, height: int) -> None:
    stage = Stage()
    rows: list[Piece] = [Plain(f"row {number}") for number in range(30)]
    stage.frame(rows, composer("open"))

    stage.emulator.resize(width, height)
    caret = stage.emulator.cursor[0] + 1
    stage.resize(Resized(width, height, caret, reflows=False), composer("open"))

    assert stage.emulator.visible[-4:] == ["open", "----", ">", "----"] or "open" in stage.emulator.visible
    said = [row for row in stage.emulator.all_rows if row.startswith("row")]
    assert said[-1] == "row 29"
    assert len(said) - len(set(said)) <= 2


def test_without_an_answer_about_the_cursor_only_the_live_rows_are_drawn() -> None:
    stage = Stage()
    stage.frame([Plain("said")], composer("open"))

    stage.resize(Resized(50, 12, None, reflows=False), composer("open"))

    assert stage.emulator.all_rows == ["said", "open", "----", ">", "----"]


@pytest.mark.parametrize("wraps_later", [True, False])
def test_a_page_drawn_for_a_size_that_the_terminal_has_no_more_is_drawn_again_without_copies(
    wraps_later: bool,
) -> None:
    """Rows of the composer take two rows by then, wrapped when they are drawn, or after that."""
    rules = View(["open", "-" * 40, "> word", "-" * 40, "status"], 2, 6)
    stage = Stage(width=40, height=16)
    stage.frame([Plain(f"row {number}") for number in range(30)], rules)
    stage.emulator.resize(60, 16)
    caret = stage.emulator.cursor[0] + 1
    wide = View(["open", "-" * 60, "> word", "-" * 60, "status"], 2, 6)
    stage.emulator.resize(60 if wraps_later else 50, 16)
    stage.emulator.write(stage.renderer.resize(Resized(60, 16, caret, reflows=True), wide, PLAIN))
    if wraps_later:
        stage.emulator.reflow(50)

    narrow = View(["open", "-" * 50, "> word", "-" * 50, "status"], 2, 6)
    caret = stage.emulator.cursor[0] + 1
    stage.emulator.write(stage.renderer.resize(Resized(50, 16, caret, reflows=True), narrow, PLAIN))

    assert stage.emulator.all_rows == [*(f"row {number}" for number in range(30)), *narrow.rows]
