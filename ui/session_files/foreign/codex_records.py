"""Codex's records as they are written, as far as they are read; and what the program itself says in them."""

import msgspec

from actors.messages.usage import Usage

BY_PROGRAM = (
    *("<environment_context>", "<user_instructions>", "<permissions", "<turn_aborted>", "<skill>", "<personality"),
    *("<skills_instructions>", "<subagent_notification>", "<model_switch>", "<collaboration_mode>"),
    "# AGENTS.md instructions",
)
"""How messages in the user's name begin that the program wrote."""


class Item(msgspec.Struct, frozen=True):
    """A part of a message, of an output or of a thought."""

    type: str
    text: str | None = None
    image_url: str | None = None


class Counted(msgspec.Struct, frozen=True):
    input_tokens: int | None = 0
    cached_input_tokens: int | None = 0
    cache_write_input_tokens: int | None = 0
    output_tokens: int | None = 0
    reasoning_output_tokens: int | None = 0

    @property
    def usage(self) -> Usage:
        return Usage(
            input_tokens=self.input_tokens or 0,
            cache_read_tokens=self.cached_input_tokens or 0,
            cache_write_tokens=self.cache_write_input_tokens or 0,
            output_tokens=self.output_tokens or 0,
            reasoning_tokens=self.reasoning_output_tokens or 0,
        )


class Info(msgspec.Struct, frozen=True):
    last_token_usage: Counted | None = None


class Git(msgspec.Struct, frozen=True):
    branch: str | None = None


class Structured(msgspec.Struct, frozen=True):
    """An output that says how it went."""

    content: str | list[Item] | None = None
    success: bool | None = None


class Payload(msgspec.Struct, frozen=True):
    type: str | None = None
    id: str | None = None
    cwd: str | None = None
    git: Git | None = None
    model: str | None = None
    model_provider: str | None = None
    role: str | None = None
    content: str | list[Item] | None = None
    summary: str | list[Item] | None = None
    name: str | None = None
    arguments: str | None = None
    input: str | None = None
    action: msgspec.Raw = msgspec.Raw(b"{}")
    call_id: str | None = None
    output: str | list[Item] | Structured | None = None
    message: str | None = None
    usage: Counted | None = None
    info: Info | None = None
    num_turns: int | None = None
    thread_name: str | None = None


class Record(msgspec.Struct, frozen=True):
    type: str
    timestamp: str | None = None
    payload: Payload = Payload()
