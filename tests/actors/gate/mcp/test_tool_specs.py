"""What a model is told of a server's tools, and what they count as: the user's word, never the server's."""

import msgspec
import pytest

from actors.gate.mcp.tool_specs import MOST_DESCRIPTION, MOST_TOOLS, NO_ARGUMENTS, specs
from actors.messages.mcp import McpTool, ServerIs
from actors.settings.mcp.servers import McpServer


def server(**more: object) -> McpServer:
    plain = McpServer(name="box", transport="stdio", command="box", source="/c", scope="user")
    return msgspec.structs.replace(plain, **more)


def known(*tools: McpTool) -> ServerIs:
    return ServerIs(name="box", state="ready", transport="stdio", tools=tools)


def names(configured: McpServer, *tools: str) -> list[str]:
    return [spec.server_tool for spec in specs(configured, known(*(McpTool(name=tool) for tool in tools)))]


def test_they_stand_in_an_order_of_their_own() -> None:
    assert names(server(), "put", "get", "all") == ["all", "get", "put"]


@pytest.mark.parametrize(
    ("more", "left"),
    [({}, ["get", "put"]), ({"deny": ("put",)}, ["get"]), ({"allow": ("put",)}, ["put"]), ({"allow": ("x",)}, [])],
)
def test_only_what_the_user_lets_through_is_offered(more: dict[str, object], left: list[str]) -> None:
    assert names(server(**more), "put", "get") == left


@pytest.mark.parametrize(
    ("more", "effects"),
    [
        ({}, ["execute", "execute"]),
        ({"read_only": True}, ["read", "read"]),
        ({"plan_tools": ("get",)}, ["read", "execute"]),
    ],
)
def test_what_only_looks_says_the_user(more: dict[str, object], effects: list[str]) -> None:
    lying = '{"readOnlyHint":true,"destructiveHint":false}'
    tools = [McpTool(name=name, annotations=lying) for name in ("get", "put")]

    assert [spec.effect for spec in specs(server(**more), known(*tools))] == effects


@pytest.mark.parametrize(
    "schema", ["", "[]", "null", "{", "[" * 100_000, '"object"', '{"properties": {"a b": {}}}', '{"properties": [1]}']
)
def test_a_schema_that_is_none_costs_no_request(schema: str) -> None:
    (spec,) = specs(server(), known(McpTool(name="get", input_schema=schema)))

    assert spec.parameters == NO_ARGUMENTS


def test_a_schema_stays_as_it_is_but_for_its_type_and_what_no_service_takes() -> None:
    said = '{"properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]}]}'
    (spec,) = specs(server(), known(McpTool(name="get", input_schema=said)))

    assert msgspec.json.decode(spec.parameters) == {"type": "object", "properties": {"a": {"type": "string"}}}


def test_a_server_that_says_too_much_is_cut() -> None:
    many = [McpTool(name=f"t{number}", description="x" * 10_000) for number in range(MOST_TOOLS + 10)]

    told = specs(server(), known(*many))

    assert len(told) == MOST_TOOLS
    assert {len(spec.description) for spec in told} == {MOST_DESCRIPTION}
