"""Whether a model is offered the tools of MCP servers, or a search of them: what is offered goes with every request."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from actors.gate.mcp.tool_specs import tokens
from actors.messages.model import ToolSpec


class Deferred(NamedTuple):
    offered: tuple[ToolSpec, ...]
    findable: tuple[ToolSpec, ...] = ()
    """In their place; without what only the model reads."""


def within(tools: Sequence[ToolSpec], budget: int, finding: tuple[ToolSpec, ...]) -> Deferred:
    """budget: tokens; finding: what is offered in the place of servers' tools that take more. It stands last."""
    served = of_servers(tools)
    if tokens(served) <= budget:
        return Deferred(tuple(tools))
    own = (tool for tool in tools if not tool.server)
    return Deferred((*own, *finding), tuple(replace(tool, description="", parameters="{}") for tool in served))


def of_servers(tools: Iterable[ToolSpec]) -> tuple[ToolSpec, ...]:
    return tuple(tool for tool in tools if tool.server)
