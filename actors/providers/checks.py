"""What a model cannot do is refused before anything is sent. Pure."""

from actors.errors import failed
from actors.messages.conversation import Attachment, ToolResult, UserMessage
from actors.messages.model import AskModel
from actors.providers.endpoint import Target


def check_effort(target: Target, effort: str) -> None:
    """Raises Failed: bad_request."""
    efforts = target.facts.efforts
    if not effort or (not efforts and not target.facts.id):
        return  # nothing is known of this model: its service will say
    if effort == "off":
        if target.facts.thinking == "always":
            raise failed("bad_request", f"{target.model} cannot answer without thinking.", _efforts(target))
    elif effort not in efforts:
        raise failed("bad_request", f'{target.model} knows no effort "{effort}".', _efforts(target))


def check_attachments(target: Target, ask: AskModel) -> None:
    """Raises Failed: bad_request."""
    for message in ask.history:
        if isinstance(message, UserMessage | ToolResult):
            for attachment in message.attachments:
                _check(target, attachment)


def _check(target: Target, attachment: Attachment) -> None:
    pdf = attachment.media_type == "application/pdf"
    takes = target.facts.pdfs if pdf else target.facts.images
    if takes is False or (pdf and target.facts.id and not takes):
        what = "PDFs" if pdf else "images"
        raise failed(
            "bad_request",
            f"{target.model} does not take {what}, and {attachment.name} is in the conversation.",
            f"Choose a model that does (trouper models shows them), or start a new session without {attachment.name}.",
        )


def _efforts(target: Target) -> str:
    known = [*target.facts.efforts, *([] if target.facts.thinking == "always" else ["off"])]
    return f"It knows: {', '.join(known)}." if known else "It has none to choose from."
