"""Which subagents may be spawned."""

import msgspec
import pytest

from actors.agent.session.ledger import Ledger
from actors.agent.subagents.plan import number, planned, refusal
from actors.messages.conversation import ToolCall
from actors.messages.subagent import SubagentSpawned
from actors.texts.agents.agent_tools import SpawnAgent


def known(*names: str) -> Ledger:
    ledger = Ledger("s")
    for place, name in enumerate(names, 1):
        ledger.note(SubagentSpawned(name=name, session_id=f"s.{place}", call_id=name, kind="explore", prompt="x"))
    return ledger


def wanted(name: str, *others: str) -> SpawnAgent:
    return SpawnAgent(name=name, prompt="x", depends_on=others)


def call(spawn: SpawnAgent) -> ToolCall:
    return ToolCall(call_id=spawn.name, name="spawn_agent", arguments=msgspec.json.encode(spawn).decode())


@pytest.mark.parametrize(
    ("spawn", "beside", "why"),
    [
        (wanted("a"), {}, 'there is an agent "a" already.'),
        (wanted("b", "c"), {}, 'there is no agent "c" to wait for.'),
        (wanted("b", "b"), {}, "these agents would wait for one another: b -> b."),
        (wanted("b", "c"), {"c": ("b",)}, "these agents would wait for one another: b -> c -> b."),
        (wanted("b", "c"), {"c": ("d",), "d": ("b",)}, "these agents would wait for one another: b -> c -> d -> b."),
    ],
)
def test_what_may_not_be_spawned_is_refused_in_words(
    spawn: SpawnAgent, beside: dict[str, tuple[str, ...]], why: str
) -> None:
    refused = refusal(spawn, known("a"), beside)

    assert refused is not None
    assert refused.problem.text == why


@pytest.mark.parametrize("spawn", [wanted("b"), wanted("b", "a"), wanted("b", "c", "a")])
def test_others_may(spawn: SpawnAgent) -> None:
    assert refusal(spawn, known("a"), {"c": ("a",)}) is None


def test_what_is_planned_are_calls_that_have_not_spawned_yet() -> None:
    odd = ToolCall(call_id="x", name="spawn_agent", arguments="{")
    other = ToolCall(call_id="y", name="read", arguments="{}")
    calls = [call(wanted("a")), call(wanted("b", "a")), odd, other]

    assert planned(calls, known("a")) == {"b": ("a",)}


def test_numbers_are_those_right_below_the_parent() -> None:
    assert number(["s.1", "s.12", "s.3.7", "s2.99", "s.key"], "s") == 12
    assert number([], "s") == 0
