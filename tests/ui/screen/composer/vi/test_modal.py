"""Modal editing, by what keys make of a text."""

import shutil
from pathlib import Path

import pytest
import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.screen.composer.vi import vim
from tests.ui.screen.composer.vi.table import TABLE
from ui.screen.composer.history import History
from ui.screen.composer.keymap import KeyMap
from ui.screen.controls import Controls
from ui.screen.intents import Command, Interrupt, Send
from ui.screen.shown import Reach
from ui.screen.terminal.keys import Event, Key, Paste, Text

ESC, ENTER = Key("esc"), Key("enter")
SPECIAL = {"\x1b": ESC, "\x12": Key("ctrl+r"), "\n": ENTER}
LOG = "line\n" * 30


class Desk:
    """The composer's controls, with modes."""

    def __init__(self, *prompts: str, reach: Reach = "nothing") -> None:
        self.controls = Controls(History(list(prompts)), lambda: reach, keys=KeyMap(vi=True))

    def press(self, *events: Event) -> list[object]:
        return [intent for event in events for intent in self.controls.handle(event, 100.0)]

    def type(self, keys: str) -> list[object]:
        """Each character a key."""
        return self.press(*(SPECIAL.get(key) or Text(key) for key in keys))

    def begin(self, text: str) -> None:
        """With this text, the cursor on its first character, between commands."""
        self.press(*[Text(text)] * bool(text), ESC)
        self.controls.editor.go(0)

    @property
    def normal(self) -> bool:
        return self.controls.vi is not None and self.controls.vi.normal

    @property
    def seen(self) -> str:
        """The text, a bar in front of the cursor."""
        editor = self.controls.editor
        return f"{editor.text[: editor.cursor]}|{editor.text[editor.cursor :]}"


@pytest.mark.parametrize(("text", "commands", "seen"), TABLE)
def test_commands_do_what_they_do_in_vim(text: str, commands: list[str], seen: str) -> None:
    desk = Desk()
    desk.begin(text)

    desk.type("".join(commands))

    assert desk.seen == seen


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("vim") is None, reason="vim is not installed")
def test_vim_itself_gives_what_the_table_says(tmp_path: Path) -> None:
    results = vim.results([(text, commands) for text, commands, _ in TABLE], tmp_path)

    assert [f"{text[:place]}|{text[place:]}" for text, place in results] == [seen for *_, seen in TABLE]


KEYS = st.text(alphabet='hjklwbeWBE0^$gGfFtT;,xXdDcCyYpPuJ~.iaIAoOrsS3"()[]{}/!\x1b\x12 é世\u0301', max_size=30)


@given(st.text(alphabet='ab _(")\n世é\u0301👩‍👩‍👧', max_size=30), KEYS, st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_keys_leave_the_cursor_on_a_character_and_two_escapes_lead_to_commands(
    text: str, keys: str, pasted: bool
) -> None:
    desk = Desk()
    desk.press(Text(text)) if text else None
    desk.press(*[Paste(LOG)] * pasted)

    desk.type(keys)
    desk.press(ESC, ESC)

    editor = desk.controls.editor
    assert desk.normal
    at = editor.cursor
    assert at in (0, len(editor.text)) or at == wcwidth.grapheme_boundary_before(editor.text + "x", at + 1)
    assert not (editor.text[at : at + 1] in ("", "\n") and at > 0 and editor.text[at - 1] != "\n")


def test_enter_sends_in_both_modes_and_typing_goes_on() -> None:
    desk = Desk()

    assert desk.type("hello\n") == [Send("hello")]
    assert desk.type("world\x1b0x\n") == [Send("orld")]
    assert not desk.normal
    assert desk.type("on\n") == [Send("on")]


def test_a_command_may_follow_esc_at_once() -> None:
    desk = Desk()

    assert desk.type("hello world") == []
    assert desk.type("\x1b0") == []
    assert desk.normal
    assert desk.seen == "|hello world"
    assert desk.type("i\x1bm") == []
    assert desk.type("i\x1b2x\n") == [Send("llo world")]


def test_esc_leaves_insert_then_a_command_and_only_then_stops_the_agent() -> None:
    desk = Desk(reach="turn")
    desk.type("hello")

    assert desk.press(ESC) == []
    assert desk.type("2d") == []
    assert desk.press(ESC) == []
    assert desk.press(ESC) == [Interrupt()]
    assert desk.seen == "hell|o"


def test_a_slash_begins_a_command_in_an_empty_composer() -> None:
    desk = Desk()
    desk.press(ESC)

    assert desk.type("/help\n") == [Command("/help")]


def test_a_slash_is_no_search_in_a_text() -> None:
    desk = Desk()
    desk.begin("one two")

    desk.type("/")

    assert (desk.seen, desk.normal) == ("|one two", True)


def test_j_and_k_lead_to_earlier_prompts_and_back() -> None:
    desk = Desk("first", "second")
    desk.type("a draft\x1b")

    desk.type("kk")
    earlier = desk.seen
    desk.type("jj")

    assert earlier == "firs|t"
    assert desk.seen == "a draf|t"


def test_what_comes_in_one_piece_is_many_keys() -> None:
    desk = Desk("earlier")
    desk.begin("one two")

    desk.press(Text("dwithe k"))

    assert desk.seen == "the k|two"


def test_a_paste_is_one_character_that_comes_back() -> None:
    desk = Desk()
    desk.type("see ")
    desk.press(Paste(LOG), Text("!"), ESC)

    desk.type("hx")
    without = desk.controls.editor.expanded
    desk.type("p")

    assert without == "see !"
    assert desk.controls.editor.expanded == f"see !{LOG}"


def test_what_was_cut_of_one_prompt_is_the_same_text_in_the_next() -> None:
    desk = Desk()
    desk.press(Paste(LOG), ESC)
    desk.type("yyA!\n")
    desk.type("hi\x1bp")

    assert desk.controls.editor.expanded == f"hi\n{LOG}"


def test_ctrl_r_between_commands_is_redo_and_else_searches() -> None:
    desk = Desk("earlier")
    desk.begin("one")
    desk.type("xu\x12")

    assert desk.seen == "|ne"
    assert not desk.controls.history_search.open
    desk.type("i\x12")
    assert desk.controls.history_search.open


def test_counts_do_not_grow_without_bounds() -> None:
    desk = Desk()
    desk.begin("x" * 1000)

    desk.type("yy99999999p")

    assert len(desk.controls.editor.text) <= 102_000


def test_without_the_setting_letters_are_text() -> None:
    controls = Controls(History([]), lambda: "nothing")

    for event in (Text("a"), ESC, Text("x")):
        controls.handle(event, 100.0)

    assert (controls.editor.text, controls.vi) == ("ax", None)
