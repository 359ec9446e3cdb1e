"""What a model cannot do is refused, or left out, before anything is sent. Pure."""

from collections.abc import Iterable

import msgspec

from actors.common.attachments import kind, leave_out
from actors.errors import failed
from actors.messages.conversation import Attachment, ModelInput
from actors.messages.model import ModelFacts
from actors.providers.endpoint import Target
from actors.providers.services import dialects


def check_effort(target: Target, effort: str) -> None:
    """Raises Failed: bad_request."""
    known = as_asked(target).choices
    if not effort or effort in known or (not target.facts.efforts and not target.facts.id):
        return  # of a model that nothing is known of, its service will say
    if effort == "off":
        text = f"{target.model} cannot answer without thinking."
    else:
        text = f'{target.model} knows no effort "{effort}".'
    raise failed("bad_request", text, f"It knows: {', '.join(known)}." if known else "It has none to choose from.")


def without_unusable(target: Target, history: Iterable[ModelInput]) -> tuple[ModelInput, ...]:
    """A model that takes no images may be asked in a conversation that has some: it is told that they were there."""

    facts = as_asked(target)

    def why(one: Attachment) -> str:
        return "" if facts.takes(one.media_type) else f"{target.model} does not take {kind(one.media_type)}s"

    return tuple(leave_out(message, why) for message in history)


def as_asked(target: Target) -> ModelFacts:
    """What the model can when it is asked in this format: Chat Completions has no PDFs, but for some servers, and no
    words to turn some models' thinking off.
    """
    facts = target.facts
    if target.api != "openai-chat":
        return facts
    pdfs = facts.pdfs if dialects.takes_pdfs(target) else False
    thinking = "always" if dialects.always_thinks(target) else facts.thinking
    return msgspec.structs.replace(facts, pdfs=pdfs, thinking=thinking)
