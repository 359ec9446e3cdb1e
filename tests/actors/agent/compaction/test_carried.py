"""What goes on in the place of what is sent no more."""

import json

from hypothesis import given
from hypothesis import strategies as st

from actors.agent.compaction.carried import HUGE, LEFT_OUT, SHORT, Kept, as_message, fitted, gathered, kept
from actors.agent.compaction.estimate import of_text
from actors.agent.compaction.window import SAID_IN_ALL, Window
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Carried,
    ModelInput,
    ToolCall,
    ToolResult,
    UserMessage,
)

WINDOW = Window(32_000, 32_000)
NOTHING = Carried()


def prompt(text: str) -> UserMessage:
    return UserMessage(text=text, turn_id="t", prompt_id=text[:20])


def called(name: str, arguments: object, summary: str = "", output: str = "", **more: bool) -> list[ModelInput]:
    call = ToolCall(call_id=f"c{id(arguments)}", name=name, arguments=json.dumps(arguments))
    return [
        AssistantMessage(blocks=(call,), stop_reason="tool_calls", model="m"),
        ToolResult(call_id=call.call_id, name=name, output=output, summary=summary, **more),
    ]


def test_what_the_user_said_is_carried_and_not_what_the_program_said() -> None:
    note = UserMessage(text="The mode is now plan.", turn_id="t")

    assert gathered(Carried(said=("one",)), [prompt("two"), note, prompt("no, three")], "s").said == (
        "one", "two", "no, three",
    )  # fmt: skip


def test_what_the_user_answered_is_carried_in_its_place() -> None:
    denied = (
        "The user denied the plan and says:\nthe tests first Plan mode stays: change the plan and present it again."
    )
    reason = "denied by the user; it did not run. The user says: use just test"
    dropped = [
        prompt("one"),
        *called("ask_user", {"question": "Which?", "choices": ["A"]}, output="The user chose: A"),
        *called("ask_user", {"question": "And?"}, output="The user did not answer. Decide it yourself."),
        *called("ask_user", {"question": "Really?"}, output="nobody is there to answer.", failed=True),
        *called("present_plan", {"plan": "# One"}, "plan denied", denied),
        *called("bash", {"command": "make"}, "denied by you: use just test", reason, failed=True, denied=True),
        *called("bash", {"command": "make"}, "denied by a rule", "The user says: all", failed=True, denied=True),
        *called("bash", {"command": "cat a"}, "denied by you: no", "The user says: all"),
        prompt("two"),
    ]

    assert gathered(NOTHING, dropped, "").said == (
        "one",
        "[to your question: Which?] The user chose: A",
        "[to a plan of yours] The user denied the plan and says:\nthe tests first",
        "[to a call of bash, which did not run] The user says: use just test",
        "two",
    )


def test_an_attachment_is_named() -> None:
    pdf = Attachment(name="spec.pdf", media_type="application/pdf", data=b"x")
    said = UserMessage(text="see", turn_id="t", prompt_id="p", attachments=(pdf,))

    assert gathered(NOTHING, [said], "").said[0].startswith("see\n[PDF spec.pdf left out:")


def test_the_plan_that_was_approved_last_is_carried() -> None:
    approved = [
        *called("present_plan", {"plan": "# One"}, "plan approved"),
        *called("present_plan", {"plan": "# Two"}, "plan approved"),
        *called("present_plan", {"plan": "# Three"}, "plan denied"),
    ]

    assert gathered(NOTHING, approved, "").plan == "# Two"
    assert gathered(Carried(plan="# Zero"), [], "").plan == "# Zero"


def test_the_list_that_was_noted_last_is_carried() -> None:
    first, last = {"items": [{"task": "a"}]}, {"items": [{"task": "b"}]}
    noted = [*called("todo", first), *called("todo", last), *called("todo", {"items": 1}, failed=True)]

    assert json.loads(gathered(NOTHING, noted, "").todo) == last


def test_short_messages_are_never_cut_and_a_paste_is_cut_in_its_middle() -> None:
    said = ("short", "a" * SHORT, "begin " + "paste " * 5000 + "end")

    kept = fitted(Carried(said=said), WINDOW).said

    assert kept[:2] == said[:2]
    assert kept[2].startswith("begin")
    assert kept[2].endswith("end")
    assert "characters left out here" in kept[2]
    assert len(kept[2]) < HUGE + 100


def test_the_oldest_long_ones_are_cut_first() -> None:
    said = tuple(f"{number} " + "long " * 1000 for number in range(8))

    kept = fitted(Carried(said=said), WINDOW).said

    cut = [one != before for one, before in zip(kept, said, strict=True)]
    assert cut == sorted(cut, reverse=True)
    assert (cut[0], cut[-1]) == (True, False)


def test_only_where_all_short_ones_are_too_many_the_oldest_are_left_out_and_counted() -> None:
    said = tuple(f"{number} " + "word " * 40 for number in range(400))

    once = fitted(Carried(said=said), WINDOW)
    twice = fitted(gathered(once, [prompt(f"more {'word ' * 60}") for _ in range(100)], ""), WINDOW)

    gone = 500 - (len(twice.said) - 1)
    assert twice.said[0] == LEFT_OUT.format(number=gone)
    assert sum(map(of_text, twice.said)) <= WINDOW.share(SAID_IN_ALL)


def test_what_is_not_kept_as_it_was_is_counted() -> None:
    said = tuple(f"{number} " + "word " * 40 for number in range(400))

    fits = fitted(Carried(said=("short", "begin " + "paste " * 5000)), WINDOW).said
    over = fitted(Carried(said=said), WINDOW).said

    assert kept(fits) == Kept(whole=1, cut=1, left_out=0)
    assert kept(over) == Kept(whole=len(over) - 1, cut=0, left_out=401 - len(over))
    assert kept(()) == Kept(0, 0, 0)


@given(st.lists(st.text(max_size=200), max_size=20))
def test_what_fits_is_word_for_word(said: list[str]) -> None:
    message = as_message(fitted(Carried(said=tuple(said), plan="# Plan", todo="{}", summary="sum"), WINDOW))

    assert all(text in message.text for text in [*said, "# Plan", "{}", "sum"])
    assert message.prompt_id == ""


def test_where_the_window_is_not_known_nothing_is_cut() -> None:
    carried = Carried(said=("x" * 100_000,), summary="y" * 100_000)

    assert fitted(carried, Window(0, 0)) == carried
