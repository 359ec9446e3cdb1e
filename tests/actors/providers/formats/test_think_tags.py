"""Thoughts that a server leaves in the text, between tags: the same in every wire format."""

from collections.abc import Callable

import msgspec
import pytest

from actors.messages.conversation import Block, Text, Thinking, UserMessage
from actors.messages.model import Answer, Api, TextDelta, ThinkingDelta
from actors.providers.formats.sse import Event
from actors.providers.formats.table import format_of
from actors.providers.formats.wire_format import Delta
from tests.actors.providers.formats.anthropic_messages import streams as anthropic
from tests.actors.providers.formats.openai_chat import streams as chat
from tests.actors.providers.formats.openai_responses import streams as responses
from tests.actors.providers.formats.reading import ASK, target

Heard = tuple[list[Delta], Answer]

SAID = "<think>\nLet me see.\n</think>\n\nIt is 4."
BLOCKS = (Thinking(text="Let me see.\n"), Text(text="It is 4."))
PROMPT, WELL = (UserMessage(text=text, turn_id="t") for text in ("2 + 2?", "Well?"))


def over_chat(*pieces: str) -> Heard:
    return chat.streamed(chat.chat(*({"content": piece} for piece in pieces)))


def over_responses(*pieces: str) -> Heard:
    said = [responses.event("output_text.delta", output_index=0, content_index=0, delta=piece) for piece in pieces]
    done = responses.event("output_text.done", output_index=0, content_index=0, text="".join(pieces))
    whole = responses.message("".join(pieces))
    announced = responses.added(0, responses.message(""))
    return responses.read([announced, *said, done, responses.done(0, whole), responses.COMPLETED])[:2]


def over_responses_that_never_say_what_is_done(*pieces: str) -> Heard:
    said = [responses.event("output_text.delta", output_index=0, delta=piece) for piece in pieces]
    return responses.read([*said, responses.COMPLETED])[:2]


def over_messages(*pieces: str) -> Heard:
    said = ({"type": "text_delta", "text": piece} for piece in pieces)
    return anthropic.streamed(anthropic.message(anthropic.block(*said, type="text", text="")))


def over_messages_whose_blocks_begin_with_text(*pieces: str) -> Heard:
    said = ({"type": "text_delta", "text": piece} for piece in pieces[1:])
    events = anthropic.message(anthropic.block(*said, type="text", text=pieces[0]))
    return anthropic.streamed([event for event in events if b"content_block_stop" not in event])


WAYS = (
    over_chat,
    over_responses,
    over_responses_that_never_say_what_is_done,
    over_messages,
    over_messages_whose_blocks_begin_with_text,
)
each_way = pytest.mark.parametrize("over", WAYS, ids=lambda way: way.__name__)
Way = Callable[..., Heard]


def heard(way: Heard) -> tuple[str, str, tuple[Block, ...]]:
    """Thoughts and text as they streamed, and the blocks of the whole."""
    deltas, answer = way
    thoughts = "".join(delta.text for delta in deltas if isinstance(delta, ThinkingDelta))
    text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    return thoughts, text, answer.message.blocks


@each_way
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 100])
def test_a_tag_is_thinking_wherever_the_pieces_are_cut(over: Way, size: int) -> None:
    pieces = [SAID[place : place + size] for place in range(0, len(SAID), size)]

    assert heard(over(*pieces)) == ("Let me see.\n", "It is 4.", BLOCKS)


@pytest.mark.parametrize(
    ("api", "body"),
    [
        ("openai-chat", {"choices": [{"index": 0, "message": {"content": SAID}, "finish_reason": "stop"}]}),
        ("openai-responses", {"status": "completed", "output": [responses.message(SAID)]}),
        ("anthropic-messages", {"content": [{"type": "text", "text": SAID}], "stop_reason": "end_turn"}),
    ],
)
def test_an_answer_that_comes_whole_is_read_the_same(api: Api, body: object) -> None:
    reader = format_of(api).reader(target(api), ASK)

    deltas = list(reader.read_whole(msgspec.json.encode(body)))

    assert heard((deltas, reader.finish())) == ("Let me see.\n", "It is 4.", BLOCKS)


@each_way
def test_thoughts_that_nothing_follows_are_thoughts(over: Way) -> None:
    assert heard(over("<think>", "Let me")) == ("Let me", "", (Thinking(text="Let me"),))


@each_way
def test_an_end_that_was_only_begun_is_part_of_the_thought(over: Way) -> None:
    assert heard(over("<think>a </th", "ing")) == ("a </thing", "", (Thinking(text="a </thing"),))
    assert heard(over("<think>a </th")) == ("a </th", "", (Thinking(text="a </th"),))


@each_way
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
def test_everything_else_is_text(over: Way, text: str) -> None:
    assert heard(over(*text)) == ("", text, (Text(text=text),))


@each_way
def test_empty_thoughts_are_none(over: Way) -> None:
    assert heard(over("\n<think>\n\n</think>\n\n", "Hi.")) == ("", "Hi.", (Text(text="Hi."),))


def test_a_later_text_of_an_answer_keeps_its_tags() -> None:
    first, later = "Look:", "<think>so</think>"
    items = [responses.done(0, responses.message(first)), responses.done(1, responses.message(later))]

    for blocks in (
        anthropic.said(anthropic.message(anthropic.text(first), anthropic.text(later))).blocks,
        responses.answer(*items, responses.COMPLETED).message.blocks,
    ):
        assert blocks == (Text(text=first), Text(text=later))


def test_the_end_of_a_text_is_told_before_what_follows_it() -> None:
    items = [
        responses.event("output_text.delta", output_index=0, delta="<"),
        responses.done(0, responses.message("<")),
        responses.event("output_text.delta", output_index=1, delta="b>"),
        responses.COMPLETED,
    ]

    told = [TextDelta(text="<"), TextDelta(text="b>")]
    assert anthropic.streamed(anthropic.message(anthropic.text("<"), anthropic.text("b>")))[0] == told
    assert responses.read(items)[0] == told


@pytest.mark.parametrize(
    ("api", "event"),
    [
        ("openai-responses", responses.event("output_text.delta", output_index=0, delta="<")),
        ("anthropic-messages", {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "<"}}),
    ],
)
def test_what_is_held_back_brings_the_answer_on(api: Api, event: object) -> None:
    reader, held = format_of(api).reader(target(api), ASK), Event("", msgspec.json.encode(event))
    list(reader.read(held))
    before = reader.progress

    assert list(reader.read(Event("", held.data.replace(b'"<"', b'"t"')))) == []
    assert reader.progress > before


def test_a_message_that_begins_again_may_begin_with_a_thought_again() -> None:
    whole = anthropic.message(anthropic.text(SAID))

    _, answer = anthropic.streamed([*whole[:-2], *whole])

    assert answer.message.blocks == BLOCKS


def test_a_refusal_keeps_its_tags() -> None:
    refused = responses.event("refusal.delta", output_index=0, delta="<think>No</think>")

    assert responses.answer(refused, responses.COMPLETED).message.text == "<think>No</think>"


@pytest.mark.parametrize("api", ["anthropic-messages", "openai-responses"])
def test_a_thought_nobody_signed_does_not_go_back(api: Api) -> None:
    _, answer = over_messages(SAID) if api == "anthropic-messages" else over_responses(SAID)
    asked = msgspec.structs.replace(ASK, history=(PROMPT, answer.message, WELL), effort="low")

    sent = format_of(api).request(target(api), asked).body

    assert b"Let me see." not in sent
    assert b"think>" not in sent
    assert b"It is 4." in sent
