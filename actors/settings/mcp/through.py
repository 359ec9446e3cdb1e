"""Calls that are made through `call_tool`: from what the model wrote to the call that is meant, and back. Pure.

The one is offered all the time, whichever tools a search has found: services cache by prefix, tools first.
"""

import msgspec
from msgspec.structs import replace

from actors.messages.conversation import AssistantMessage, Block, ToolCall
from actors.settings.mcp.names import MARK, meant
from actors.settings.tool_names import CALL_TOOL


class _Made(msgspec.Struct):
    tool: str
    arguments: msgspec.Raw = msgspec.Raw(b"{}")


def as_meant(message: AssistantMessage) -> AssistantMessage:
    """What is judged, run, shown and kept. A call that names no server's tool stays as it is: the gate refuses it."""
    return replace(message, blocks=tuple(map(_meant, message.blocks)))


def as_made(message: AssistantMessage) -> AssistantMessage:
    """As the model wrote it: so it is sent, for that is what it was offered."""
    return replace(message, blocks=tuple(map(_made, message.blocks)))


def _meant(block: Block) -> Block:
    if not isinstance(block, ToolCall) or block.name != CALL_TOOL:
        return block
    try:
        made = msgspec.json.decode(block.arguments, type=_Made)
        arguments = _object(made.arguments)
    except (msgspec.DecodeError, RecursionError):
        return block
    name = meant(made.tool)
    return replace(block, name=name, arguments=arguments, through=block.arguments) if MARK in name else block


def _object(written: msgspec.Raw) -> str:
    """Models write an object in an object also as a text, and none at all as null. Raises DecodeError."""
    text = bytes(written).decode().strip()
    if text.startswith('"'):
        text = msgspec.json.decode(text, type=str)
    return "{}" if text.strip() in ("", "null") else text


def _made(block: Block) -> Block:
    if not isinstance(block, ToolCall) or not block.through:
        return block
    return replace(block, name=CALL_TOOL, arguments=block.through, through="", shown="")
