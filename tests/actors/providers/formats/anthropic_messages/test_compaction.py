"""How the service is asked for a summary in the place of an answer, and what of it is kept."""

from typing import Any

import msgspec
import pytest

from actors.messages.conversation import Text
from actors.messages.model import Answer
from actors.providers.formats.anthropic_messages import FORMAT
from tests.actors.providers.formats.anthropic_messages.test_request import ASK, HELLO, answer, asking, body, sent
from tests.actors.providers.formats.reading import answer_to

Json = Any
WISHES = "Keep the names."
DONE = answer(Text(text="Done."))


def summed_up(*blocks: Json, stop: str = "compaction") -> Answer:
    events = [{"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 0, "output_tokens": 0}}}]
    for index, block in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events.append({"type": "content_block_stop", "index": index})
    runs = [{"type": "compaction", "input_tokens": 180_000, "output_tokens": 3500}]
    events.append({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"iterations": runs}})
    events.append({"type": "message_stop"})
    return answer_to("anthropic-messages", [b"data: " + msgspec.json.encode(event) + b"\n\n" for event in events])[1]


def kept(made: Answer) -> tuple[object, ...]:
    assert FORMAT.compaction is not None
    return FORMAT.compaction.kept(made.message)


def test_it_is_asked_on_demand_with_all_that_other_requests_have() -> None:
    plain, asked = body(asking(HELLO)), body(asking(HELLO, sum_up=WISHES))

    assert asked == plain | {"compaction": {"type": "summarize", "instructions": WISHES}}
    assert sent(asking(HELLO, sum_up=WISHES)).headers["anthropic-beta"] == "compact-2026-09-04"
    assert "anthropic-beta" not in sent(ASK).headers


def test_nothing_is_put_behind_the_last_answer() -> None:
    asked = body(asking(HELLO, DONE, sum_up=WISHES))

    assert [message["role"] for message in asked["messages"]] == ["user", "assistant"]


def test_its_text_is_what_is_kept() -> None:
    block = {"type": "compaction", "content": "  The state.  ", "signature": "EuYB"}

    assert kept(summed_up(block)) == (Text(text="The state."),)


@pytest.mark.parametrize(
    "blocks",
    [[], [{"type": "compaction", "content": None}], [{"type": "text", "text": "Hello!"}]],
    ids=["nothing", "no summary", "an answer"],
)
def test_where_it_made_none_nothing_is_kept(blocks: list[Json]) -> None:
    assert kept(summed_up(*blocks, stop="end_turn")) == ()
