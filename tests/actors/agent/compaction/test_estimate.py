"""Tokens of a request, estimated and held against what the service counted."""

import pytest

from actors.agent.compaction.estimate import MOST_FACTOR, of_message, of_messages, of_text, size
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    ModelInput,
    Text,
    UserMessage,
)
from actors.messages.usage import Usage

SAID = UserMessage(text="word " * 400, turn_id="t", prompt_id="p")
FIXED = 1000


def answer(tokens: int, said: int = 50, thought: int = 0) -> AssistantMessage:
    usage = Usage(input_tokens=tokens, output_tokens=said + thought, reasoning_tokens=thought)
    return AssistantMessage(blocks=(Text(text="yes"),), stop_reason="end_turn", model="m", usage=usage)


def test_without_any_count_it_is_the_estimate() -> None:
    assert size(FIXED, [SAID], 1, 1.0).tokens == FIXED + of_message(SAID)
    assert size(FIXED, [SAID], 1, 2.0).tokens == 2 * (FIXED + of_message(SAID))


def test_what_the_service_counted_is_exact_and_only_the_rest_is_estimated() -> None:
    guess = FIXED + of_message(SAID)
    found = size(FIXED, [SAID, answer(3 * guess, thought=500), SAID], 3, 1.0)

    assert found.factor == pytest.approx(3.0)
    assert found.tokens == 3 * guess + 50 + 3 * of_message(SAID)


def test_a_count_from_before_a_compaction_says_nothing_of_what_is_sent_now() -> None:
    messages: list[ModelInput] = [SAID, answer(100_000), SAID]

    assert size(FIXED, messages, 1, 1.0).tokens == FIXED + of_messages(messages)


def test_a_service_that_counts_nonsense_does_not_lead_far_off() -> None:
    assert size(FIXED, [SAID, answer(10_000_000)], 2, 1.0).factor == MOST_FACTOR


def test_other_scripts_have_more_tokens_a_character() -> None:
    assert of_text("字" * 100) == 75
    assert of_text("a" * 100) == 25


def test_an_image_counts() -> None:
    image = Attachment(name="a.png", media_type="image/png", data=b"x")

    assert of_message(UserMessage(text="", turn_id="t", attachments=(image,))) > 1000
