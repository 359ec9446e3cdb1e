"""Claude Code's records as they are written, as far as they are read; and what the program itself says in them."""

import msgspec

from actors.messages.conversation import StopReason
from actors.messages.usage import Usage
from ui.session_files.foreign import values

SYNTHETIC = "<synthetic>"
INTERRUPTED = "[Request interrupted by user"
CONTINUE = "Continue from where you left off."
COMMANDS = ("<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>")
CAVEATS = ("<local-command-caveat>", "Caveat: The messages below were generated")
STOPS: dict[str, StopReason] = {
    "tool_use": "tool_calls",
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    "model_context_window_exceeded": "context_window",
}


class Source(msgspec.Struct, frozen=True):
    type: str | None = None
    media_type: str | None = None
    data: str | None = None


class Content(msgspec.Struct, frozen=True):
    type: str
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = msgspec.Raw(b"{}")
    tool_use_id: str | None = None
    content: "str | list[Content] | None" = None
    is_error: bool | None = None
    source: Source | None = None


class Counted(msgspec.Struct, frozen=True):
    input_tokens: int | None = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    output_tokens: int | None = 0

    @property
    def usage(self) -> Usage:
        read, written = self.cache_read_input_tokens or 0, self.cache_creation_input_tokens or 0
        return Usage(
            input_tokens=(self.input_tokens or 0) + read + written,
            cache_read_tokens=read,
            cache_write_tokens=written,
            output_tokens=self.output_tokens or 0,
        )


class Spoken(msgspec.Struct, frozen=True):
    id: str | None = None
    model: str | None = None
    content: str | list[Content] | None = None
    stop_reason: str | None = None
    usage: Counted | None = None

    @property
    def blocks(self) -> list[Content]:
        if isinstance(self.content, str):
            return [Content("text", text=self.content)]
        return self.content or []


class Compaction(msgspec.Struct, frozen=True):
    trigger: str | None = None
    preTokens: int | None = 0  # noqa: N815 - as it is written


class Attached(msgspec.Struct, frozen=True):
    type: str | None = None
    prompt: str | list[Content] | None = None


class Record(msgspec.Struct, frozen=True, rename="camel"):
    type: str
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    source: str | None = msgspec.field(default=None, name="sourceToolAssistantUUID")
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    session_id: str | None = None
    agent_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    timestamp: str | None = None
    subtype: str | None = None
    compact_metadata: Compaction | None = None
    message: Spoken | None = None
    attachment: Attached | None = None
    custom_title: str | None = None
    agent_name: str | None = None
    ai_title: str | None = None

    @property
    def at(self) -> float:
        return values.seconds(self.timestamp)

    @property
    def blocks(self) -> list[Content]:
        return self.message.blocks if self.message is not None else []

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks if block.text)

    @property
    def has_results(self) -> bool:
        return any(block.type == "tool_result" for block in self.blocks)

    @property
    def is_synthetic(self) -> bool:
        return self.message is not None and self.message.model == SYNTHETIC

    @property
    def is_boundary(self) -> bool:
        return self.subtype == "compact_boundary"

    @property
    def queued(self) -> str | list[Content] | None:
        """A prompt that came during a turn."""
        is_one = self.attachment is not None and self.attachment.type == "queued_command"
        return self.attachment.prompt if is_one and self.attachment is not None else None

    @property
    def by_program(self) -> str:
        """What kind of text of the program's own this user record is; "" for what the user or a file says."""
        text = self.text
        if text.startswith(COMMANDS):
            return "command"
        return "caveat" if text == CONTINUE or text.startswith(CAVEATS) else ""

    @property
    def starts_turn(self) -> bool:
        """The user says something."""
        is_said = self.type == "user" and not (self.is_meta or self.is_compact_summary or self.has_results)
        return is_said and not self.by_program and not self.text.startswith(INTERRUPTED)
