"""Morph: a service that merges the sketch of an edit into a file. It is asked one thing and knows no conversation.

Format: Chat Completions with one message, https://docs.morphllm.com/api-reference/endpoint/apply. No I/O.
"""

import msgspec
from msgspec.structs import replace

from actors.errors import failed
from actors.messages.base import Problem
from actors.messages.conversation import UserMessage
from actors.messages.model import Answer, AskModel, Merged, MergeEdit
from actors.providers.endpoint import Target
from actors.providers.formats.openai_chat import FORMAT as OPENAI_CHAT
from actors.providers.formats.wire_format import HttpRequest
from actors.providers.services.registry import Registry
from actors.settings.config import Settings
from actors.settings.services import MORPH

MODEL = "auto"
LONGEST = 48_000
"""Characters of a file and the sketch of its edit together, as the tool that asks for it keeps to."""
PATIENCE_S = 10.0
"""With an outage: the model can write the edit itself."""
DENYING = ("edit", "morphedit", "write")
"""Rules, in lower case: who denies edits means merged ones, too."""


class _Message(msgspec.Struct):
    content: str
    role: str = "user"


class _Body(msgspec.Struct):
    messages: list[_Message]
    model: str
    temperature: float = 0.0
    stream: bool = True


def check(settings: Settings, wanted: MergeEdit) -> None:
    """Who asks may be a worker that was taken over: what its tool would refuse is refused here again. Raises Failed."""
    if not settings.merging:
        raise failed("not_allowed", f"Edits are not merged by {MORPH.name} in this session.")
    denying = (rule.text for rule in settings.rules if rule.verdict == "deny" and rule.text.casefold() in DENYING)
    if denied := next(denying, ""):
        raise failed("not_allowed", f'Merging edits is denied by the rule "{denied}".')
    if len(wanted.original) + len(wanted.sketch) > LONGEST:
        raise failed("bad_request", f"The file and the edit have more than {LONGEST} characters together.")


def target(registry: Registry) -> Target:
    """Raises Failed."""
    return Target(registry.endpoint(MORPH.name), MODEL)


def ask(wanted: MergeEdit) -> AskModel:
    """The service describes no escaping: what the file says is sent as it is."""
    instruction = f"<instruction>{wanted.instruction}</instruction>\n" if wanted.instruction else ""
    text = f"{instruction}<code>{wanted.original}</code>\n<update>{wanted.sketch}</update>"
    history = (UserMessage(text=text, turn_id=""),)
    return AskModel(model=f"{MORPH.name}/{MODEL}", session_id="", system="", history=history)


def merged(answer: Answer) -> Merged | Problem:
    """The file as the service wrote it, when it says that this is all of it."""
    stop_reason = answer.message.stop_reason
    if stop_reason == "end_turn":
        return Merged(text=answer.message.text)
    why = "its answer was cut off" if stop_reason == "max_tokens" else f"it ended with {stop_reason}"
    return failed("tool_failed", f"{MORPH.name}: {why}.").problem


def _request(asked: Target, ask: AskModel) -> HttpRequest:
    (message,) = (message for message in ask.history if isinstance(message, UserMessage))
    headers = {
        "authorization": f"Bearer {asked.endpoint.key}",
        "content-type": "application/json",
        "accept": "text/event-stream",
    }
    body = _Body([_Message(message.text)], asked.name)
    return HttpRequest(f"{asked.endpoint.base_url}/chat/completions", headers, msgspec.json.encode(body))


FORMAT = replace(OPENAI_CHAT, request=_request)
