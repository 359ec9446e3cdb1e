"""The shape of a session: kinds, sizes, times and codes of its entries, in the order they were written. No words.

Names that a model or a server could have made up are told only where they are ours.
"""

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Compacted,
    Entry,
    ModelChosen,
    ShellEnded,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.settings import tool_names
from actors.settings.config import PROVIDERS

OTHER = "(another)"
Facts = dict[str, str | int | float | bool | list[str]]


class Shape:
    """Entries one after the other, a line each."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._began = 0.0

    def line(self, entry: Entry) -> bytes:
        """Its id is told as its number, and its time from the first one on, in seconds."""
        self._began = self._began or entry.at
        number = self._numbers.setdefault(entry.id, len(self._numbers) + 1)
        facts: Facts = {
            "number": number,
            "parent": self._numbers.get(entry.parent, 0),
            "at_s": round(entry.at - self._began, 3),
            "kind": type(entry.body).__name__,
            "bytes": len(msgspec.json.encode(entry.body)),
        }
        return msgspec.json.encode(facts | _of_body(entry.body)) + b"\n"


def _of_body(body: Body) -> Facts:
    match body:
        case UserMessage():
            return {"characters": len(body.text), "attachments": len(body.attachments), "quoted": len(body.quoted)}
        case AssistantMessage():
            return _of_answer(body)
        case ToolResult():
            return {
                "tool": tool(body.name),
                "characters": len(body.output),
                "failed": body.failed,
                "denied": body.denied,
                "attachments": len(body.attachments),
                "ms": body.ms,
            }
        case TurnEnded():
            return {"reason": body.reason, "code": body.code}
        case ModelChosen():
            return {"model": model(body.model)}
        case Compacted():
            return {"why": body.why, "tokens_before": body.tokens_before, "tokens_after": body.tokens_after}
        case ShellEnded():
            return {"characters": len(body.output), "failed": body.failed, "denied": body.denied, "ms": body.ms}
        case _:
            return {}  # its kind and its size say enough


def _of_answer(body: AssistantMessage) -> Facts:
    usage = {f"usage_{name}": value for name, value in msgspec.to_builtins(body.usage).items() if _is_number(value)}
    return {
        "model": model(body.model),
        "stop_reason": body.stop_reason,
        "blocks": [type(block).__name__ for block in body.blocks],
        "calls": [tool(block.name) for block in body.blocks if isinstance(block, ToolCall)],
        **usage,
    }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def tool(name: str) -> str:
    return name if name in tool_names.ALL else OTHER


def model(name: str) -> str:
    """Of a provider of the user's own its name may be anything."""
    provider = name.partition("/")[0]
    return name if provider in PROVIDERS else OTHER
