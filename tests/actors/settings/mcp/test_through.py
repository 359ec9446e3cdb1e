"""Calls through `call_tool`: what is meant is judged and kept, what was written goes back to the service."""

import pytest

from actors.messages.conversation import AssistantMessage, Text, ToolCall
from actors.settings.mcp.names import meant, wire_name
from actors.settings.mcp.through import as_made, as_meant


def answer(*calls: ToolCall) -> AssistantMessage:
    return AssistantMessage(blocks=(Text(text="now"), *calls), stop_reason="tool_calls", model="p/m")


def made(arguments: str, name: str = "call_tool") -> ToolCall:
    return ToolCall(call_id="c1", name=name, arguments=arguments, extra='{"id":"x"}')


@pytest.mark.parametrize(
    ("written", "name", "arguments"),
    [
        ('{"tool": "box___put", "arguments": {"a": [1, {"b": "c"}]}}', "box___put", '{"a": [1, {"b": "c"}]}'),
        ('{"tool":"box:put","arguments":{}}', "box___put", "{}"),
        ('{"tool":"mcp__box__put_it"}', "box___put_it", "{}"),
        ('{"tool":"box___put","arguments":"{\\"a\\": 1}"}', "box___put", '{"a": 1}'),
        ('{"tool":"box___put","arguments":null}', "box___put", "{}"),
        ('{"tool":"box___put","arguments":""}', "box___put", "{}"),
        ('{"tool":"box:put","arguments":{},"server":"box"}', "box___put", "{}"),
    ],
)
def test_what_is_meant_is_the_server_s_tool_and_what_was_written_goes_back(
    written: str, name: str, arguments: str
) -> None:
    said = answer(made(written))

    kept = as_meant(said)

    assert kept.calls == (ToolCall(call_id="c1", name=name, arguments=arguments, extra='{"id":"x"}', through=written),)
    assert as_made(kept) == said


@pytest.mark.parametrize(
    "call",
    [
        made('{"tool":"bash","arguments":{"command":"ls"}}'),
        made('{"tool":3}'),
        made('{"arguments":{}}'),
        made("{"),
        made("[" * 100_000),
        made('{"tool":"box___put","arguments":{}}', name="bash"),
        made("{}", name="box___put"),
    ],
)
def test_what_names_no_server_s_tool_stays_as_it_is(call: ToolCall) -> None:
    assert as_meant(answer(call)) == answer(call)
    assert as_made(answer(call)) == answer(call)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("box___put", "box___put"),
        ("box:put", "box___put"),
        ("box:put it/now", wire_name("box", "put it/now")),
        ("mcp__box__put__it", "box___put__it"),
        ("https://host", wire_name("https", "//host")),
        ("put", "put"),
        ("mcp__box", "mcp__box"),
        ("two words:put", "two words:put"),
    ],
)
def test_a_name_is_understood_as_others_write_it(said: str, name: str) -> None:
    assert meant(said) == name
