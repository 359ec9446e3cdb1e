"""Calls of the tools of MCP servers: what of them is checked and shown here; the rest is the server's to say. Pure."""

import msgspec

from actors.common.call_arguments import decoded
from actors.errors import failed
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec
from actors.messages.tool import Preview
from actors.settings.mcp.names import shown


def check(call: ToolCall) -> None:
    """Raises Failed for what is no JSON object."""
    try:
        decoded(call.arguments)
    except (msgspec.DecodeError, RecursionError) as error:
        raise failed("bad_arguments", f"the arguments are no JSON object: {error}.") from error


def preview(spec: ToolSpec, call: ToolCall) -> Preview:
    """The arguments whole: who is asked decides about exactly these."""
    try:
        detail = msgspec.json.format(call.arguments, indent=2)
    except (msgspec.DecodeError, RecursionError):
        detail = call.arguments
    return Preview(title=shown(spec.server, spec.server_tool), detail=detail)
