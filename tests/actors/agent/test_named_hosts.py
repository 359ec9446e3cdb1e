"""Which hosts of a call were named before it."""

import pytest

from actors.agent.named_hosts import named
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Carried,
    Compacted,
    Source,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)

FETCH = '{"url": "https://docs.example.com/a"}'


def prompt(text: str) -> Body:
    return UserMessage(text=text, turn_id="t")


def made(arguments: str) -> Body:
    call = ToolCall(call_id="c", name="bash", arguments=arguments)
    return AssistantMessage(blocks=(call,), stop_reason="tool_calls", model="m")


def result(output: str, *, denied: bool = False) -> Body:
    return ToolResult(call_id="c", name="bash", output=output, denied=denied)


def found(url: str) -> Body:
    return AssistantMessage(blocks=(Text(text="", sources=(Source(url=url),)),), stop_reason="end_turn", model="m")


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ((prompt("look at https://DOCS.example.com/b"),), True),
        ((prompt("see docs.example.com."),), True),
        ((made('{"command": "cat README"}'), result("https://docs.example.com")), True),
        ((found("https://docs.example.com/x"),), True),
        ((prompt("see example.com"),), False),
        ((prompt("see docs.example.com.evil.net"),), False),
        ((prompt("see mydocs.example.com or x.docs.example.com"),), False),
        ((made('{"command": "echo docs.example.com"}'), result("docs.example.com")), False),
        ((made(r'{"command": "echo docs\u002eexample.com"}'), result("docs.example.com")), False),
        ((made(FETCH), result("denied: docs.example.com is named by nobody", denied=True)), False),
        ((AssistantMessage(blocks=(Text(text="docs.example.com"),), stop_reason="end_turn", model="m"),), False),
        ((), False),
    ],
)
def test_the_user_and_results_name_hosts_and_the_model_does_not(said: tuple[Body, ...], known: bool) -> None:
    assert named(FETCH, said) == named(FETCH.replace(".", r"\u002e"), said) == (("docs.example.com",) if known else ())


def test_what_the_user_said_before_a_compaction_still_counts_and_a_summary_does_not() -> None:
    said = Carried(said=("see docs.example.com",))
    told = Carried(summary="see docs.example.com")

    assert named(FETCH, [Compacted(why="window", carried=said)]) == ("docs.example.com",)
    assert named(FETCH, [Compacted(why="window", carried=told)]) == ()
