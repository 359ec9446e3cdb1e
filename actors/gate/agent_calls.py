"""Calls of the tools for subagents, which the agent runs itself: what of them the gate judges, shows and hands back."""

from typing import Any

import msgspec
from msgspec.structs import replace

from actors.common.call_arguments import decoded
from actors.common.own_tools import parsed
from actors.messages.conversation import ToolCall
from actors.messages.tool import Merging, Preview
from actors.texts.agents.agent_tools import ARGUMENTS, MERGE, MERGED, SPAWN

ELSEWHERE = "only an agent that talks with a model can run this: it is about the agents that it has spawned."


def check(call: ToolCall) -> None:
    """Raises Failed for arguments that the tool does not take."""
    parsed(to_run(call), ARGUMENTS[call.name])


def to_judge(call: ToolCall, merging: Merging | None) -> ToolCall:
    """A merge with what it would write, so that it is judged as writing just that; of the model's word none stays."""
    if call.name != MERGE.name or (arguments := _arguments(call)) is None:
        return call
    arguments.pop(MERGED, None)
    if merging is not None:
        arguments[MERGED] = list(merging.files)
    return replace(call, arguments=msgspec.json.encode(arguments).decode())


def to_run(call: ToolCall) -> ToolCall:
    """As its agent has to run it."""
    return to_judge(call, None)


def is_unknown_merge(call: ToolCall) -> bool:
    """Nobody has said what it would write."""
    return call.name == MERGE.name and not (_arguments(call) or {}).get(MERGED)


def writes(call: ToolCall) -> bool:
    """It spawns an agent that may write."""
    return call.name == SPAWN.name and (_arguments(call) or {}).get("isolation", "none") != "none"


def preview(call: ToolCall, merging: Merging | None) -> Preview:
    said = _arguments(call) or {}
    match call.name:
        case MERGE.name:
            detail = merging.diff if merging else "(what it has changed is not known)"
            return Preview(title=f"merge what the agent {said.get('name')} has changed", detail=detail)
        case SPAWN.name:
            kind = said.get("type", "general")
            return Preview(title=f"spawn the agent {said.get('name')} ({kind})", detail=str(said.get("prompt")))
        case _:
            return Preview(title=f"{call.name} {said.get('name', '')}".rstrip(), detail=call.arguments)


def _arguments(call: ToolCall) -> dict[str, Any] | None:
    """None for what no tool takes."""
    try:
        return decoded(call.arguments)
    except (msgspec.DecodeError, RecursionError):
        return None
