"""Old messages made shorter without asking anybody: outputs, long arguments, attachments, what was read again. Pure.

The same messages always become the same, so that what follows on a compaction stays in the cache of the service.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from actors.agent.compaction import cut
from actors.common.attachments import leave_out
from actors.common.call_arguments import decoded
from actors.messages.conversation import (
    AssistantMessage,
    Block,
    ModelInput,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)

MOST = 1600
"""Characters of an old output, or of a text in the arguments of an old call."""
Json = Any  # what arguments may hold; msgspec knows no recursive types
OLD = "it was sent earlier; it can be read or asked for again"
READ_AGAIN = "[what {path} was then; it was read again later: see there]"
READ = "read"
"""The tool."""
NEVER = ("present_plan", "todo", "ask_user")
"""Tools whose calls and results stay as they are: the plan, the list of steps, what the user answered."""


def shrunk(old: Sequence[ModelInput], following: Sequence[ModelInput] = ()) -> list[ModelInput]:
    """following: what comes after, in which a file may be read again."""
    read_again = _read_again([*old, *following])
    return [_shorter(message, read_again) for message in old]


def unbound(message: ModelInput) -> ModelInput:
    """Without thinking: that is bound to everything before it, which is not what it was."""
    if not isinstance(message, AssistantMessage):
        return message
    blocks = tuple(block for block in message.blocks if not isinstance(block, Thinking))
    return msgspec.structs.replace(message, blocks=blocks, answers="")


def _shorter(message: ModelInput, read_again: dict[str, str]) -> ModelInput:
    message = leave_out(message, lambda _one: OLD)
    match message:
        case ToolResult(call_id=call_id, name=name, denied=denied, output=output):
            if denied or name in NEVER:  # what the user says to a call he denies is in there
                return message
            text = min(read_again.get(call_id, output), cut.output(output, MOST), key=len)
            return msgspec.structs.replace(message, output=text) if text != output else message
        case AssistantMessage(blocks=blocks):
            return msgspec.structs.replace(message, blocks=tuple(map(_with_less_said, blocks)))
        case UserMessage(quoted=quoted):
            cuts = (msgspec.structs.replace(one, text=cut.middle(one.text, MOST)) for one in quoted)
            return msgspec.structs.replace(message, quoted=tuple(cuts)) if quoted else message


def _with_less_said(block: Block) -> Block:
    """Arguments stay a JSON object: services refuse anything else."""
    if not isinstance(block, ToolCall) or len(block.arguments) <= MOST or block.name in NEVER:
        return block
    try:
        arguments = _cut(decoded(block.arguments))
    except (msgspec.DecodeError, RecursionError):
        arguments = {"cut": cut.middle(block.arguments, MOST)}
    made = msgspec.json.encode({"tool": block.name, "arguments": arguments}).decode() if block.through else ""
    return msgspec.structs.replace(block, arguments=msgspec.json.encode(arguments).decode(), extra="", through=made)


def _cut(value: Json) -> Json:
    match value:
        case str():
            return cut.middle(value, MOST)
        case list():
            return [_cut(each) for each in value]
        case dict():
            return {name: _cut(each) for name, each in value.items()}
        case _:
            return value


def _read_again(messages: Iterable[ModelInput]) -> dict[str, str]:
    """By call: what stands for the text of a file that a later call has read at least as much of."""
    reads: list[tuple[str, str, str]] = []
    done: set[str] = set()
    for message in messages:
        match message:
            case AssistantMessage(calls=calls):
                reads += [(call.call_id, *_part(call)) for call in calls if call.name == READ]
            case ToolResult(call_id=call_id, failed=False, denied=False):
                done.add(call_id)
            case _:
                continue
    found: dict[str, str] = {}
    later: set[tuple[str, str]] = set()
    for call_id, path, part in reversed([read for read in reads if read[0] in done]):
        if path and not later.isdisjoint({(path, ""), (path, part)}):
            found[call_id] = READ_AGAIN.format(path=path)
        later.add((path, part))
    return found


def _part(call: ToolCall) -> tuple[str, str]:
    """The path, and which lines of it; "" for all."""
    try:
        arguments = decoded(call.arguments)
    except (msgspec.DecodeError, RecursionError):
        return "", ""
    lines = {name: value for name, value in arguments.items() if name != "path"}
    return str(arguments.get("path", "")), msgspec.json.encode(lines, order="deterministic").decode() if lines else ""
