"""The text being composed, against a model that is a list of graphemes and a place in it."""

from itertools import pairwise

import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.screen.composer.editor import Draft, Editor
from ui.screen.terminal import cells

LETTERS = ["a", "b", " ", "\n", "é", "世", "👩‍👩‍👧", "e\u0301", "_"]
MOVES = ["left", "right", "delete_back", "delete_forward", "line_start", "line_end"]
ACTIONS = st.lists(st.one_of(st.sampled_from(LETTERS).map(lambda letter: ("insert", letter)), st.sampled_from(MOVES)))


class Reference:
    """What an editor does, said slowly."""

    def __init__(self) -> None:
        self.before: list[str] = []
        self.after: list[str] = []

    def do(self, action: str | tuple[str, str]) -> None:
        match action:
            case ("insert", letter):
                self.before.append(letter)
            case "left" if self.before:
                self.after.insert(0, self.before.pop())
            case "right" if self.after:
                self.before.append(self.after.pop(0))
            case "delete_back" if self.before:
                self.before.pop()
            case "delete_forward" if self.after:
                self.after.pop(0)
            case "line_start":
                while self.before and self.before[-1] != "\n":
                    self.after.insert(0, self.before.pop())
            case "line_end":
                while self.after and self.after[0] != "\n":
                    self.before.append(self.after.pop(0))


def typed(text: str) -> Editor:
    editor = Editor()
    editor.insert(text)
    return editor


@given(ACTIONS)
@settings(max_examples=200, deadline=None)
def test_it_edits_as_a_list_of_graphemes_does(actions: list[str | tuple[str, str]]) -> None:
    editor, reference = Editor(), Reference()

    for action in actions:
        reference.do(action)
        if isinstance(action, tuple):
            editor.insert(action[1])
        else:
            getattr(editor, action)()

    assert editor.text == "".join(reference.before + reference.after)
    assert editor.cursor == len("".join(reference.before))


@given(ACTIONS)
@settings(max_examples=100, deadline=None)
def test_undo_leads_back_to_the_beginning_and_redo_to_the_end(actions: list[str | tuple[str, str]]) -> None:
    editor = Editor()
    for action in actions:
        if isinstance(action, tuple):
            editor.insert(action[1])
        else:
            getattr(editor, action)()
    end = editor.text

    for _ in actions:
        editor.undo()
    beginning = editor.text
    for _ in actions:
        editor.redo()

    assert beginning == ""
    assert editor.text == end


@given(st.text(alphabet="ab  \n世é👩‍👩‍👧", max_size=60), st.integers(min_value=2, max_value=12))
@settings(max_examples=300, deadline=None)
def test_rows_hold_the_whole_text_and_fit(text: str, width: int) -> None:
    editor = typed(text)

    rows = editor.layout(width)

    assert all(cells.width(editor.text[row.start : row.end]) <= width for row in rows)
    between = [editor.text[a.end : b.start] for a, b in pairwise(rows)]
    assert all(gap in {"", "\n"} for gap in between)
    assert (rows[0].start, rows[-1].end) == (0, len(editor.text))


@given(st.text(alphabet="ab  \n世", max_size=60), st.integers(min_value=2, max_value=12), st.lists(st.booleans()))
@settings(max_examples=200, deadline=None)
def test_vertical_moves_go_one_row_and_stay_on_graphemes(text: str, width: int, ups: list[bool]) -> None:
    editor = typed(text)
    for up in ups:
        before, _ = editor.caret(width)

        moved = editor.up(width) if up else editor.down(width)

        after, column = editor.caret(width)
        assert after - before == ((-1 if up else 1) if moved else 0)
        assert column <= width
        assert editor.cursor == wcwidth.grapheme_boundary_before(editor.text + "x", editor.cursor + 1)


@given(st.text(alphabet="ab  \n", max_size=60), st.integers(min_value=2, max_value=12))
@settings(max_examples=200, deadline=None)
def test_what_is_plain_is_wrapped_as_all_else_is(text: str, width: int) -> None:
    """A letter of one cell that is not ASCII goes the other way."""
    plain, other = typed(text), typed(text.replace("a", "é").replace("b", "é"))

    assert plain.layout(width) == other.layout(width)


def test_a_label_that_is_left_is_what_it_stood_for() -> None:
    editor = typed("see ")
    for log in ("a\n" * 20, "b\n" * 20, "c\n" * 20):
        editor.paste(log)

    shown = editor.shown(editor.text)
    first, second, third = ("[pasted 21 lines]",) * 3
    assert shown == f"see {first}{second}{third}"
    editor.take_back(f"now {first} and {second}\x1b[2J")

    assert editor.expanded == "now " + "a\n" * 20 + " and " + "b\n" * 20 + "\\x1b[2J"
    editor.undo()
    assert editor.shown(editor.text) == shown


def test_a_row_breaks_at_a_blank() -> None:
    editor = typed("hello brave new world")

    assert [editor.text[row.start : row.end] for row in editor.layout(12)] == ["hello brave ", "new world"]


def test_moving_over_a_short_row_keeps_the_column() -> None:
    editor = typed("long line\nx\nlong line")

    editor.up(40)
    editor.up(40)

    assert editor.caret(40) == (0, 9)


def test_a_big_paste_is_one_marker_and_is_sent_whole() -> None:
    editor = typed("look: ")
    log = "line\n" * 119 + "end"

    editor.paste(log)

    assert editor.shown(editor.text) == "look: [pasted 120 lines]"
    assert editor.expanded == "look: " + log
    editor.delete_back()
    assert editor.expanded == "look: "


def test_a_small_paste_is_text() -> None:
    editor = typed("")

    editor.paste("one\ntwo")

    assert editor.text == "one\ntwo"


def test_escape_sequences_that_are_pasted_are_made_visible() -> None:
    editor = typed("")

    editor.paste("\x1b[31mred\u202e")

    assert editor.text == "\\x1b[31mred\\u202e"


def test_kills_in_a_row_are_yanked_together() -> None:
    editor = typed("one two three")

    editor.kill_word_back()
    editor.kill_word_back()
    editor.yank()

    assert editor.text == "one two three"


def test_yank_other_brings_the_kill_before() -> None:
    editor = typed("one two")
    editor.kill_word_back()
    editor.line_start()
    editor.kill_word_forward()

    editor.yank()
    editor.yank_other()

    assert editor.text == "two "


def test_typing_in_one_go_is_undone_in_one_go() -> None:
    editor = Editor()
    for letter in "hello":
        editor.insert(letter)
    editor.left()
    editor.insert("!")

    editor.undo()

    assert editor.text == "hello"


def marked(text: str = "/modl") -> Editor:
    editor = Editor()
    editor.mark(text)
    return editor


def test_what_is_put_in_takes_the_place_of_what_is_marked_and_undo_brings_it_back() -> None:
    typed_over, pasted = marked(), marked()

    typed_over.insert("h")
    typed_over.insert("i")
    pasted.paste("hello")

    assert (typed_over.text, pasted.text) == ("hi", "hello")
    typed_over.undo()
    assert (typed_over.text, typed_over.marked) == ("/modl", False)


def test_a_move_or_a_deletion_edits_what_is_marked() -> None:
    moved, deleted = marked(), marked()

    moved.left()
    moved.insert("e")
    deleted.delete_back()
    deleted.insert("el")

    assert (moved.text, deleted.text) == ("/model", "/model")


def test_moving_to_the_end_keeps_what_is_marked() -> None:
    editor = marked()

    editor.line_end()
    editor.insert("!")

    assert editor.text == "/modl!"


LOGS = ["first\n" * 20, "second\n" * 20]
KILLING = st.lists(
    st.sampled_from(["a", "\n", *LOGS, "left", "right", "delete_back", "delete_forward", "kill_line", "yank", "undo"])
)


@given(KILLING)
@settings(max_examples=200, deadline=None)
def test_a_paste_is_there_whole_or_not_at_all(actions: list[str]) -> None:
    editor = Editor()

    for action in actions:
        if action in LOGS:
            editor.paste(action)
        elif len(action) == 1:
            editor.insert(action)
        else:
            getattr(editor, action)()

    left = editor.expanded
    for log in LOGS:
        left = left.replace(log, "")
    assert set(left) <= {"a", "\n"}


def test_a_draft_that_comes_back_leaves_no_paste_without_its_text() -> None:
    editor = typed("")
    editor.paste(LOGS[0])

    editor.restore(Draft("another"))
    editor.undo()

    assert editor.expanded == "another"


def test_a_combining_character_behind_a_paste_leaves_it_what_it_is() -> None:
    editor = typed("")
    editor.paste(LOGS[0])

    editor.insert("\u0301")

    assert editor.shown(editor.text) == "[pasted 21 lines]\u0301"
    assert editor.caret(40) == (0, 17)


def test_what_was_cut_is_put_back_into_the_next_composition_as_text() -> None:
    editor = typed("")
    editor.paste(LOGS[0])
    editor.kill_line_back()
    editor.clear()
    editor.paste(LOGS[1])

    editor.yank()

    assert editor.expanded == LOGS[1] + LOGS[0]
