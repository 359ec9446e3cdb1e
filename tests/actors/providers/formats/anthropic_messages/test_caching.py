"""Where prompts are marked, and that each request finds what the one before it left in the cache."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from actors.messages.conversation import Block, ModelInput, Text, Thinking
from actors.messages.model import AskModel
from tests.actors.providers.formats.anthropic_messages.test_request import (
    HELLO,
    WELL,
    answer,
    asking,
    body,
    call,
    own,
    result,
)
from tests.actors.providers.formats.conversations import READ

LOOKS_BACK = 20


def blocks(asked: dict[str, Any]) -> list[dict[str, Any]]:
    return [block for message in asked["messages"] for block in message["content"]]


def marks(asked: dict[str, Any]) -> list[int]:
    """Places among the blocks of the conversation."""
    return [place for place, block in enumerate(blocks(asked)) if "cache_control" in block]


def all_marks(asked: dict[str, Any]) -> list[dict[str, Any]]:
    every = [*asked.get("tools", ()), *asked.get("system", ()), *blocks(asked)]
    return [block["cache_control"] for block in every if "cache_control" in block]


def turn_of(rounds: list[int]) -> Iterator[AskModel]:
    """The requests of a turn with so many calls in each round."""
    history: tuple[ModelInput, ...] = (HELLO,)
    yield asking(*history)
    for number, count in enumerate(rounds):
        ids = [f"c{number}_{one}" for one in range(count)]
        thought: Block = Thinking(text="Hm.", signature="c2ln")
        called = answer(thought, Text(text="Looking."), *map(call, ids), stop="tool_calls")
        history = (*history, called, *map(result, ids))
        yield asking(*history)


def test_tools_system_and_the_end_are_marked() -> None:
    asked = body(asking(HELLO, tools=(READ, READ)))

    assert ["cache_control" in tool for tool in asked["tools"]] == [False, True]
    assert asked["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert marks(asked) == [0]


@pytest.mark.parametrize("rounds", [[1, 1, 1, 1], [8, 1, 12], [40, 1, 40], [1] * 30])
@pytest.mark.parametrize("bare", [False, True])
def test_each_request_finds_what_the_one_before_it_left(rounds: list[int], bare: bool) -> None:
    left: list[int] = []
    before: list[dict[str, Any]] = []

    for ask in turn_of(rounds):
        asked = body(msgspec.structs.replace(ask, system="") if bare else ask)
        places = marks(asked)
        assert len(all_marks(asked)) <= 4
        assert not left or any(0 <= place - kept < LOOKS_BACK for place in places for kept in left[-1:])
        now = [{**block, "cache_control": None} for block in blocks(asked)]
        assert now[: len(before)] == before
        left, before = places, now


def test_a_turn_with_many_blocks_has_more_marks_where_some_are_left() -> None:
    *_, ask = turn_of([40])

    assert marks(body(msgspec.structs.replace(ask, system=""))) == [0, 67, 82]


def test_thoughts_own_blocks_and_empty_results_are_never_marked() -> None:
    empty = result("c1", output="")
    search = own('{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}')

    asked = body(
        asking(HELLO, answer(Thinking(text="Hm.", signature="c2ln"), search, call(), stop="tool_calls"), empty)
    )

    assert [blocks(asked)[place]["type"] for place in marks(asked)] == ["text", "tool_use"]


def test_a_pause_finds_what_its_beginning_left() -> None:
    searching = own('{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}')

    asked = body(asking(HELLO, answer(Text(text="Old.")), WELL, answer(searching, stop="pause")))

    assert marks(asked) == [0, 2]


@pytest.mark.parametrize(
    ("ttl", "control"), [("5m", {"type": "ephemeral"}), ("1h", {"type": "ephemeral", "ttl": "1h"})]
)
def test_all_marks_last_as_long(ttl: str, control: dict[str, str]) -> None:
    asked = body(asking(HELLO, answer(Text(text="Hi")), WELL, web_search=True), cache_ttl=ttl)

    assert all_marks(asked) == [control] * 4
    assert asked["tools"][-1]["cache_control"] == control
