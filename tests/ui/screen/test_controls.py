"""What a key means, and when."""

import pytest

from ui.screen.composer.history import History
from ui.screen.controls import TWICE_ESC_S, TWICE_S, Controls
from ui.screen.intents import Command, CycleMode, GoBack, Interrupt, Leave, OpenPager, Repaint, Send, Suspend, TakeBack
from ui.screen.shown import Reach
from ui.screen.terminal.keys import Key, Paste, Report, Text

ENTER, ESC, CTRL_C = Key("enter"), Key("esc"), Key("ctrl+c")
NOW = 100.0


class Desk:
    """Controls whose Esc has something to end, or not."""

    def __init__(self, *prompts: str, reach: Reach = "nothing") -> None:
        self.reach = reach
        self.controls = Controls(History(list(prompts)), lambda: self.reach)

    def type(self, *events: object, at: float = NOW) -> list[object]:
        return [intent for event in events for intent in self.controls.handle(event, at)]  # type: ignore[arg-type]

    @property
    def draft(self) -> str:
        return self.controls.editor.text


def test_enter_sends_and_empties_the_composer() -> None:
    desk = Desk()

    assert desk.type(Text("hello"), ENTER) == [Send("hello")]
    assert desk.draft == ""


def test_enter_on_nothing_sends_nothing() -> None:
    assert Desk().type(Text("  "), ENTER) == []


def test_a_backslash_before_enter_is_a_new_line() -> None:
    desk = Desk()

    assert desk.type(Text("a\\"), ENTER, Text("b"), ENTER) == [Send("a\nb")]


def test_the_keys_for_a_new_line() -> None:
    desk = Desk()

    desk.type(Text("a"), Key("ctrl+j"), Key("alt+enter"), Key("shift+enter"), Text("b"))

    assert desk.draft == "a\n\n\nb"


def test_a_big_paste_is_sent_whole() -> None:
    assert Desk().type(Paste("x\n" * 30 + "y"), ENTER) == [Send("x\n" * 30 + "y")]


@pytest.mark.parametrize(
    ("typed", "counts"),
    [("look: ", False), ("/docs:review ", True), ("/review ", False)],
    ids=["a prompt", "an argument for a server", "a template"],
)
def test_what_is_pasted_at_length_is_not_what_the_user_has_typed(typed: str, counts: bool) -> None:
    [sent] = Desk().type(Text(typed), Paste("@docs:x\n" * 30 + "y"), ENTER)

    assert isinstance(sent, Send)
    assert "@docs:x" in sent.text
    assert ("@docs:x" in sent.typed) is counts


def test_a_slash_is_a_command_and_a_path_is_not() -> None:
    desk = Desk()

    assert desk.type(Text("/mode plan"), ENTER) == [Command("/mode plan")]
    assert desk.type(Text("/etc/passwd is odd"), ENTER) == [Send("/etc/passwd is odd")]


def test_escape_has_a_scope() -> None:
    assert Desk(reach="turn").type(ESC) == [Interrupt()]
    assert Desk(reach="agents").type(ESC) == [Interrupt(scope="tree")]
    assert Desk(reach="view").type(ESC) == [GoBack()]
    assert Desk(reach="agent").type(ESC) == [Interrupt()]
    assert Desk().type(ESC) == []


def test_an_escape_that_ended_the_turn_is_known_until_the_next_key() -> None:
    desk = Desk(reach="turn")
    desk.type(ESC)
    after_escape = desk.controls.escaped
    desk.type(Text("a"))

    assert (after_escape, desk.controls.escaped) == (True, False)


def test_ctrl_c_ends_no_agent_in_the_background() -> None:
    assert Desk(reach="agents").type(CTRL_C) == []
    assert Desk(reach="agent").type(CTRL_C) == []
    assert Desk(reach="view").type(CTRL_C) == [GoBack()]


def test_ctrl_c_clears_the_draft_and_the_history_keeps_it() -> None:
    desk = Desk()

    assert desk.type(Text("draft"), CTRL_C) == []
    assert desk.draft == ""
    desk.type(Key("up"))
    assert desk.draft == "draft"


def test_ctrl_c_interrupts_a_turn_and_leaves_the_draft_alone() -> None:
    desk = Desk(reach="turn")

    assert desk.type(Text("draft"), CTRL_C) == [Interrupt()]
    assert desk.draft == "draft"


def test_ctrl_c_twice_quits() -> None:
    desk = Desk()

    assert desk.type(CTRL_C) == []
    assert desk.controls.hint(NOW) != ""
    assert desk.type(CTRL_C, at=NOW + TWICE_S - 0.1) == [Leave(at_once=True)]


def test_ctrl_c_twice_but_slowly_does_not() -> None:
    desk = Desk()
    desk.type(CTRL_C)

    assert desk.type(CTRL_C, at=NOW + TWICE_S) == []


def test_ctrl_d_quits_only_when_nothing_is_typed() -> None:
    desk = Desk()

    assert desk.type(Text("ab"), Key("left"), Key("ctrl+d")) == []
    assert desk.draft == "a"
    assert desk.type(Key("backspace"), Key("ctrl+d")) == [Leave()]


def test_shift_tab_goes_to_the_next_mode() -> None:
    assert Desk().type(Key("shift+tab")) == [CycleMode()]


def test_ctrl_t_shows_all_of_the_list_of_steps_and_one_row_of_it() -> None:
    desk = Desk()

    assert desk.type(Key("ctrl+t")) == []
    assert desk.controls.all_steps
    desk.type(Key("ctrl+t"))
    assert not desk.controls.all_steps


def test_ctrl_o_opens_the_pager_also_over_a_question() -> None:
    desk = Desk()
    assert desk.type(Key("ctrl+o")) == [OpenPager()]


def test_ctrl_r_takes_an_earlier_prompt_or_leaves_all_as_it_was() -> None:
    desk = Desk("fix the totals", "run the tests", "fix the cart")
    desk.type(Text("fix"), Key("ctrl+r"))
    desk.type(Key("ctrl+r"), Key("esc"))
    assert desk.draft == "fix"

    assert desk.type(Key("ctrl+r"), Key("ctrl+r"), Key("enter")) == []

    assert desk.draft == "fix the totals"


def test_history_is_walked_and_the_draft_is_kept() -> None:
    desk = Desk("first", "second")
    seen = []
    desk.type(Text("draft"))

    for key in ("up", "up", "up", "down", "down", "down"):
        desk.type(Key(key))
        seen.append(desk.draft)

    assert seen == ["second", "first", "first", "second", "draft", "draft"]


def test_up_in_a_text_of_several_lines_moves_first() -> None:
    desk = Desk("earlier")
    desk.type(Text("one"), Key("ctrl+j"), Text("two"), Key("up"))

    assert desk.draft == "one\ntwo"


def test_focus_is_followed() -> None:
    desk = Desk()

    desk.type(Report("focus", (0,)))

    assert not desk.controls.focused


def test_ctrl_z_suspends_and_leaves_the_draft_as_it_is() -> None:
    desk = Desk(reach="turn")

    assert desk.type(Text("half a"), Key("ctrl+z")) == [Suspend()]
    assert desk.draft == "half a"


def test_ctrl_l_draws_anew() -> None:
    assert Desk(reach="turn").type(Text("half a"), Key("ctrl+l")) == [Repaint()]


def test_esc_twice_with_nothing_to_end_and_nothing_typed_leads_to_the_tree() -> None:
    desk = Desk()

    assert desk.type(ESC) == []
    assert desk.type(ESC, at=NOW + TWICE_ESC_S - 0.1) == [Command("/tree")]
    assert desk.type(ESC, at=NOW + TWICE_ESC_S) == []  # a third begins anew


def test_esc_twice_but_slowly_does_not() -> None:
    desk = Desk()
    desk.type(ESC)

    assert desk.type(ESC, at=NOW + TWICE_ESC_S) == []


def test_esc_twice_with_a_draft_does_not() -> None:
    assert Desk().type(Text("a"), ESC, ESC) == []


def test_the_esc_that_ended_the_turn_is_no_first_one() -> None:
    desk = Desk(reach="turn")
    desk.type(ESC)
    desk.reach = "nothing"

    assert desk.type(ESC) == []


def test_two_keys_together_mean_one_thing_and_are_told_of() -> None:
    desk = Desk()

    assert desk.type(Key("ctrl+x")) == []
    assert desk.controls.hint(NOW) == "ctrl+x …"
    assert desk.type(Text("a")) == [Command("/agents")]
    assert (desk.controls.hint(NOW), desk.draft) == ("", "")


@pytest.mark.parametrize("second", [Text("z"), Key("left"), ESC, CTRL_C])
def test_a_second_key_that_means_nothing_is_no_text(second: Key | Text) -> None:
    desk = Desk()

    desk.type(Text("b"), Key("ctrl+x"), second, Text("a"))

    assert desk.draft in ("ba", "a")
    assert desk.controls.hint(NOW + TWICE_S) == ""


def test_a_paste_is_no_second_key() -> None:
    desk = Desk()

    desk.type(Key("ctrl+x"), Paste("a b"), Text("a"))

    assert desk.draft == "a ba"


def test_alt_enter_queues_while_the_agent_works_and_else_is_a_new_line() -> None:
    working, idle = (Controls(History([]), lambda: "turn"), Controls(History([]), lambda: "nothing"))
    for controls in (working, idle):
        controls.handle(Text("then push"), 0.0)

    assert working.handle(Key("alt+enter"), 0.0) == [Send("then push", kind="next")]
    assert idle.handle(Key("alt+enter"), 0.0) == []
    assert (working.editor.text, idle.editor.text) == ("", "then push\n")


def test_up_takes_back_what_waits_when_nothing_is_typed() -> None:
    controls = Controls(History(["earlier"]), lambda: "turn", queued=lambda: True)

    assert controls.handle(Key("up"), 0.0) == [TakeBack()]
    controls.handle(Text("x"), 0.0)
    assert controls.handle(Key("up"), 0.0) == []
    assert controls.editor.text == "earlier"


def test_ctrl_y_copies_of_the_answer_as_long_as_there_is_nothing_to_put_back() -> None:
    desk = Desk()

    assert desk.type(Key("ctrl+y")) == [Command("/copy")]
    assert desk.type(Text("a word"), Key("ctrl+u"), Key("ctrl+y")) == []
    assert desk.draft == "a word"
