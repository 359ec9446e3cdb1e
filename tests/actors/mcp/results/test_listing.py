"""Tools as a server lists them: a schema that is none is left out, for one of them would cost the whole request."""

from typing import Any

import pytest
from mcp_types import Tool

from actors.mcp.results.listing import tool_of

BARE = '{"type":"object"}'


@pytest.mark.parametrize(
    "properties",
    [
        {"a": {"type": "nonsense"}},
        {"a": {"type": "integer", "exclusiveMinimum": True}},
        {"a": {"type": "string", "pattern": "("}},
        {"a": {"enum": "b"}},
        {"a": {"default": float("nan")}},
        {"a": {"description": "x" * 70_000}},
    ],
)
def test_a_schema_that_is_none_is_left_out(properties: dict[str, Any]) -> None:
    tool = Tool(name="a", input_schema={"type": "object", "properties": properties})

    assert tool_of(tool).input_schema == BARE


def test_a_schema_stays_as_it_is() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}

    assert tool_of(Tool(name="a", input_schema=schema)).input_schema == (
        '{"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}'
    )
