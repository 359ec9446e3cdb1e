"""Whether a model is offered the tools of MCP servers, or a search of them: what is offered goes with every request."""

from collections.abc import Iterable, Sequence

from actors.gate.mcp.tool_specs import tokens
from actors.messages.model import ToolSpec


def within(tools: Sequence[ToolSpec], budget: int, finding: tuple[ToolSpec, ...]) -> tuple[ToolSpec, ...]:
    """budget: tokens; finding: what is offered in the place of servers' tools that take more. It stands last."""
    if tokens(of_servers(tools)) <= budget:
        return tuple(tools)
    return (*(tool for tool in tools if not tool.server), *finding)


def of_servers(tools: Iterable[ToolSpec]) -> tuple[ToolSpec, ...]:
    return tuple(tool for tool in tools if tool.server)
