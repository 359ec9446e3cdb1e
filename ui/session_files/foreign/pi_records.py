"""pi's records as they are written, as far as they are read."""

import msgspec

from actors.messages.conversation import StopReason
from actors.messages.usage import Usage

STOPS: dict[str, StopReason] = {
    "length": "max_tokens",
    "toolUse": "tool_calls",
    "aborted": "cancelled",
    "error": "error",
}


class Cost(msgspec.Struct, frozen=True):
    total: float | None = None


class Counted(msgspec.Struct, frozen=True, rename="camel"):
    input: int | None = 0
    output: int | None = 0
    cache_read: int | None = 0
    cache_write: int | None = 0
    cost: Cost | None = None

    @property
    def usage(self) -> Usage:
        read, written = self.cache_read or 0, self.cache_write or 0
        used = Usage(
            input_tokens=(self.input or 0) + read + written,
            cache_read_tokens=read,
            cache_write_tokens=written,
            output_tokens=self.output or 0,
            cost_usd=self.cost.total if self.cost else None,
        )
        return used if used.input_tokens or used.output_tokens else Usage()


class Content(msgspec.Struct, frozen=True, rename="camel"):
    type: str
    text: str | None = None
    thinking: str | None = None
    data: str | None = None
    mime_type: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw(b"{}")


class Spoken(msgspec.Struct, frozen=True, rename="camel"):
    role: str
    content: str | list[Content] | None = None
    provider: str | None = None
    model: str | None = None
    usage: Counted | None = None
    stop_reason: str | None = None
    error_message: str | None = None
    tool_call_id: str | None = None
    is_error: bool | None = None
    command: str | None = None
    output: str | None = None
    exclude_from_context: bool | None = None
    summary: str | None = None


class Record(msgspec.Struct, frozen=True, rename="camel"):
    type: str
    id: str | None = None
    parent_id: str | None = None
    timestamp: str | float | None = None
    cwd: str | None = None
    message: Spoken | None = None
    content: str | list[Content] | None = None
    summary: str | None = None
    first_kept_entry_id: str | None = None
    tokens_before: int | None = None
    name: str | None = None

    @property
    def starts_turn(self) -> bool:
        return self.type == "message" and self.message is not None and self.message.role == "user"
