"""The tools for subagents: what a call of one may say."""

import pytest

from actors.common.own_tools import parsed
from actors.errors import Failed
from actors.messages.conversation import ToolCall
from actors.texts.agents import agent_tools
from actors.texts.agents.agent_tools import ListAgents, MergeAgent, SpawnAgent, SpawnBudget


def call(name: str, arguments: str) -> ToolCall:
    return ToolCall(call_id="c1", name=name, arguments=arguments)


def test_a_name_and_a_prompt_are_enough_and_then_it_only_looks() -> None:
    spawn = parsed(call("spawn_agent", '{"name": "a-1", "prompt": "look"}'), SpawnAgent)

    assert spawn == SpawnAgent(name="a-1", prompt="look")
    assert (spawn.type, spawn.background, spawn.isolation, spawn.budget) == ("general", False, "none", SpawnBudget())


def test_models_that_write_numbers_as_texts_and_no_braces_are_understood() -> None:
    arguments = '{"name": "a", "prompt": "b", "background": "true", "budget": {"usd": "0.5", "tokens": "900"}}'

    spawn = parsed(call("spawn_agent", arguments), SpawnAgent)

    assert (spawn.background, spawn.budget) == (True, SpawnBudget(usd=0.5, tokens=900))
    assert parsed(call("list_agents", ""), ListAgents) == ListAgents()
    assert parsed(call("merge_agent", '{"name": "a"}'), MergeAgent).paths == ()


@pytest.mark.parametrize(
    "arguments",
    [
        '{"name": "../x", "prompt": "b"}',
        '{"name": "a.b", "prompt": "b"}',
        '{"name": "a\\n", "prompt": "b"}',
        '{"name": "", "prompt": "b"}',
        f'{{"name": "{"a" * 41}", "prompt": "b"}}',
        '{"name": "a", "prompt": ""}',
        '{"name": "a", "prompt": "b", "isolation": "container"}',
        '{"name": "a", "prompt": "b", "budget": {"usd": -1}}',
        f'{{"name": "a", "prompt": "b", "budget": {{"tokens": {10**30}}}}}',
        '{"name": "a", "prompt": "b", "mode": "auto"}',
        '{"name": "a", "prompt": "b", "type": ""}',
        "[" * 5000,
    ],
)
def test_what_it_does_not_take_is_refused_with_what_it_takes(arguments: str) -> None:
    with pytest.raises(Failed, match="Malformed arguments for spawn_agent") as refused:
        parsed(call("spawn_agent", arguments), SpawnAgent)

    assert refused.value.problem.code == "bad_arguments"
    assert '"depends_on"' in refused.value.problem.hint


def test_they_run_in_the_agent_and_only_merging_changes_files() -> None:
    assert {tool.runs_in for tool in agent_tools.ALL} == {"agent"}
    assert [tool.name for tool in agent_tools.ALL if tool.effect != "meta"] == ["merge_agent"]
