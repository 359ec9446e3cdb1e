"""Thoughts that a server leaves in the text, between tags."""

import pytest

from actors.messages.conversation import Block, Text, Thinking
from actors.messages.model import TextDelta, ThinkingDelta
from tests.actors.providers.openai_chat.streams import at_once, chat, streamed, whole

SAID = "<think>\nLet me see.\n</think>\n\nIt is 4."
BLOCKS = (Thinking(text="Let me see.\n"), Text(text="It is 4."))


def heard(*pieces: str) -> tuple[str, str, tuple[Block, ...]]:
    """Thoughts and text as they streamed, and the blocks of the whole."""
    deltas, answer = streamed(chat(*({"content": piece} for piece in pieces)))
    thoughts = "".join(delta.text for delta in deltas if isinstance(delta, ThinkingDelta))
    text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    return thoughts, text, answer.message.blocks


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 100])
def test_a_tag_is_thinking_wherever_the_pieces_are_cut(size: int) -> None:
    pieces = [SAID[place : place + size] for place in range(0, len(SAID), size)]

    assert heard(*pieces) == ("Let me see.\n", "It is 4.", BLOCKS)


def test_an_answer_that_comes_whole_is_read_the_same() -> None:
    assert at_once(whole({"content": SAID}))[1].message.blocks == BLOCKS


def test_thoughts_that_nothing_follows_are_thoughts() -> None:
    assert heard("<think>", "Let me") == ("Let me", "", (Thinking(text="Let me"),))


def test_an_end_that_was_only_begun_is_part_of_the_thought() -> None:
    assert heard("<think>a </th", "ing") == ("a </thing", "", (Thinking(text="a </thing"),))
    assert heard("<think>a </th") == ("a </th", "", (Thinking(text="a </th"),))


@pytest.mark.parametrize(
    "text",
    [
        "The tag is <think>so</think>.",
        "<thin",
        "<thinker>",
        " \n<b>x</b>",
        "It was a thought.</think>\nIt is 4.",  # see DECISIONS: Thoughts between tags
        "`<think>`",
    ],
)
def test_everything_else_is_text(text: str) -> None:
    assert heard(*text) == ("", text, (Text(text=text),))


def test_empty_thoughts_are_none() -> None:
    assert heard("\n<think>\n\n</think>\n\n", "Hi.") == ("", "Hi.", (Text(text="Hi."),))
