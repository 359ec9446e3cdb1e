"""A conversation as the input items of a request. No I/O.

The ids of items are left out: nothing is stored under them, and Copilot gives an item another one in every event.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    ModelInput,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from actors.messages.model import Api
from actors.providers.formats.wire_format import arguments, rounds

API: Api = "openai-responses"
LONGEST_CALL_ID = 64
"""Characters; the service refuses more."""
NO_RESULT = "There is no result of this call."
NOTHING = (b"null", b"[]")


class _InputText(msgspec.Struct, tag_field="type", tag="input_text"):
    text: str


class _InputImage(msgspec.Struct, tag_field="type", tag="input_image"):
    image_url: str
    detail: str = "auto"


class _InputFile(msgspec.Struct, tag_field="type", tag="input_file"):
    filename: str
    file_data: str


class _OutputText(msgspec.Struct, tag_field="type", tag="output_text"):
    text: str


class _Refusal(msgspec.Struct, tag_field="type", tag="refusal"):
    refusal: str


_Input = _InputText | _InputImage | _InputFile


class _Message(msgspec.Struct, tag_field="type", tag="message", omit_defaults=True):
    role: str
    content: Sequence[_Input | _OutputText | _Refusal]
    phase: str = ""


class _FunctionCall(msgspec.Struct, tag_field="type", tag="function_call", omit_defaults=True):
    call_id: str
    name: str
    arguments: str
    namespace: str = ""


class _CustomCall(msgspec.Struct, tag_field="type", tag="custom_tool_call", omit_defaults=True):
    call_id: str
    name: str
    input: str
    namespace: str = ""


class _FunctionOutput(msgspec.Struct, tag_field="type", tag="function_call_output"):
    call_id: str
    output: str | list[_Input]


class _CustomOutput(msgspec.Struct, tag_field="type", tag="custom_tool_call_output"):
    call_id: str
    output: str | list[_Input]


class _Own(dict[str, msgspec.Raw]):
    """An item only the service understands, as it came."""

    @property
    def type(self) -> str:
        return msgspec.json.decode(self.get("type", b'""'), type=str)

    @property
    def is_said(self) -> bool:
        """A message that a compaction leaves standing before its own item."""
        return self.type == "message"


_Call = _FunctionCall | _CustomCall
Item = _Message | _Call | _FunctionOutput | _CustomOutput | _Own


class TextExtra(msgspec.Struct, omit_defaults=True):
    """Text.extra."""

    phase: str = ""
    type: str = ""
    """"refusal" for a part that is no output_text."""


class CallExtra(msgspec.Struct, omit_defaults=True):
    """ToolCall.extra."""

    type: str = ""
    """"custom_tool_call" for one that is no function_call."""
    namespace: str = ""


class _Freeform(msgspec.Struct):
    """The arguments of a free-form tool."""

    input: str = ""


def items(history: Iterable[ModelInput]) -> list[Item]:
    """Every call is followed by its output, and every output follows its call: the service refuses the rest."""
    made: list[Item] = []
    waiting: dict[str, _Call] = {}
    for step in rounds(history):
        if isinstance(step, AssistantMessage):
            made += _without_result(waiting)
            answered = answer_items(step)
            if any(isinstance(item, _Own) and item.type == "compaction" for item in answered):
                made.clear()
            made += answered
            waiting = {item.call_id: item for item in answered if isinstance(item, _Call)}
        else:
            results, said = step
            outputs = ((waiting.pop(_fitting(result.call_id), None), result) for result in results)
            made += [_output(call, _contents(result)) for call, result in outputs if call]
            made += _without_result(waiting)
            made += [_Message("user", list(_parts(message.text, message.attachments))) for message in said]
    return made + _without_result(waiting)


def _without_result(waiting: dict[str, _Call]) -> list[Item]:
    outputs = [_output(call, NO_RESULT) for call in waiting.values()]
    waiting.clear()
    return outputs


def answer_items(message: AssistantMessage) -> list[Item]:
    made = list(_answered(message))
    while made and isinstance(last := made[-1], _Own) and last.type == "reasoning":
        made.pop()  # the item it came with was dropped, and alone it is refused
    compactions = [at for at, item in enumerate(made) if isinstance(item, _Own) and item.type == "compaction"]
    if not compactions:
        return made
    before, after = made[: compactions[-1]], made[compactions[-1] :]
    return [*(item for item in before if isinstance(item, _Own) and item.is_said), *after]


def _answered(message: AssistantMessage) -> Iterator[Item]:
    for block in message.blocks:
        match block:
            case Text(text=text, extra=extra):
                if text:
                    kept = msgspec.json.decode(extra or "{}", type=TextExtra)
                    part = _Refusal(text) if kept.type == "refusal" else _OutputText(text)
                    yield _Message("assistant", [part], kept.phase)
            case ToolCall():
                yield _call(block)
            case Opaque(api=api, data=data):
                if api == API and (own := _own(data)) is not None:
                    yield own
            case Thinking():
                pass  # for people; the reasoning item beside it holds what the service wants


def _call(call: ToolCall) -> _Call:
    kept = msgspec.json.decode(call.extra or "{}", type=CallExtra)
    call_id = _fitting(call.call_id)
    if kept.type == "custom_tool_call":
        text = msgspec.json.decode(arguments(call), type=_Freeform).input
        return _CustomCall(call_id, call.name, text, kept.namespace)
    return _FunctionCall(call_id, call.name, arguments(call), kept.namespace)


def _own(data: str) -> _Own | None:
    item = _Own(msgspec.json.decode(data, type=dict[str, msgspec.Raw]))
    item.pop("id", None)
    if item.type != "reasoning":
        return item
    item.pop("status", None)  # refused, although the service sends it
    for name in ("encrypted_content", "content"):
        if bytes(item.get(name, b"null")) in NOTHING:
            item.pop(name, None)
    return item if "encrypted_content" in item or "content" in item else None


def _output(call: _Call, output: str | list[_Input]) -> Item:
    kind = _CustomOutput if isinstance(call, _CustomCall) else _FunctionOutput
    return kind(call.call_id, output)


def _contents(result: ToolResult) -> str | list[_Input]:
    return list(_parts(result.output, result.attachments)) if result.attachments else result.output


def _parts(text: str, attachments: Iterable[Attachment]) -> Iterator[_Input]:
    if text or not attachments:
        yield _InputText(text)
    for attachment in attachments:
        url = f"data:{attachment.media_type};base64,{base64.b64encode(attachment.data).decode()}"
        is_image = attachment.media_type.startswith("image/")
        yield _InputImage(url) if is_image else _InputFile(attachment.name, url)


def _fitting(call_id: str) -> str:
    """Ids that other services made may be longer than this one takes."""
    if len(call_id) <= LONGEST_CALL_ID:
        return call_id
    return f"call_{hashlib.blake2b(call_id.encode(), digest_size=16).hexdigest()}"


class _Source(msgspec.Struct):
    url: str = ""


class _Action(msgspec.Struct):
    type: str = "search"
    query: str | None = None
    queries: list[str] | None = None
    url: str | None = None
    sources: list[_Source] | None = None


class _Searched(msgspec.Struct):
    type: str = ""
    action: _Action | None = None


def as_text(data: str) -> str:
    """What a search was for and found, and which page was opened; "" for what is of no use to another model."""
    try:
        item = msgspec.json.decode(data, type=_Searched)
    except msgspec.DecodeError:
        return ""
    action = item.action
    if item.type != "web_search_call" or action is None:
        return ""
    asked = ", ".join(action.queries or [action.query or ""])
    found = "".join(f"\n{source.url}" for source in action.sources or () if source.url)
    if asked:
        return f"[Searched the web for: {asked}]{found}"
    return f"[Opened {action.url}]" if action.url else ""
