"""A conversation that is or was summed up by its service: what the request is, and what of the answer is kept. Pure."""

import msgspec
from msgspec.structs import replace

from actors.errors import failed
from actors.messages.conversation import AssistantMessage, ModelInput, Sealed
from actors.messages.model import Answer, SumsUp
from actors.messages.usage import Usage
from actors.providers.endpoint import Target
from actors.providers.formats.table import format_of
from actors.providers.formats.wire_format import Compaction, Pass, WireFormat
from actors.providers.services import dialects

PATIENCE_S = 20.0
"""With an outage: whoever asks can have a summary in another way."""


def sums_up(target: Target) -> SumsUp:
    """What the target's service makes of a conversation, as far as is known without asking it."""
    compaction = _compaction(target)
    return compaction.makes if compaction else ""


def asking(target: Target) -> WireFormat:
    """The target's format, whose requests ask for that. Raises Failed."""
    wire_format, compaction = format_of(target.api), _compaction(target)
    if compaction is None:
        raise failed("bad_request", f"{target.model} sums up no conversation by itself.")
    return replace(wire_format, request=compaction.request)


def kept(answer: Answer, passes: list[Pass], target: Target) -> Answer:
    """Only what stands for the conversation; where its runs are counted one by one, their sum is what was used."""
    compaction = _compaction(target)
    blocks = compaction.kept(answer.message) if compaction else ()
    used = sum((one.usage for one in passes), Usage()) if passes else answer.message.usage
    return Answer(message=msgspec.structs.replace(answer.message, blocks=blocks, usage=used))


def with_sealed(history: tuple[ModelInput, ...], sealed: Sealed) -> tuple[ModelInput, ...]:
    """history: as `sealed.model` may see it; its first message says in words what is sealed."""
    return (AssistantMessage(blocks=sealed.blocks, stop_reason="end_turn", model=sealed.model), *history[1:])


def _compaction(target: Target) -> Compaction | None:
    return format_of(target.api).compaction if dialects.named(target.endpoint).sums_up else None
