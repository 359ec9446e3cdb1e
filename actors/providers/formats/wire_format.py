"""What a wire format is: a request struct to the parts of an HTTP request, a server event to our deltas. No I/O."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    ModelInput,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import Answer, Api, AskModel, Retrying, SumsUp, TextDelta, ThinkingDelta
from actors.messages.usage import Usage
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.sse import Event

Delta = TextDelta | ThinkingDelta | Retrying


class HttpRequest(msgspec.Struct, frozen=True):
    url: str
    headers: dict[str, str]
    body: bytes = b""

    def __repr__(self) -> str:
        """Without headers, which hold a key: it may be said in an error."""
        return f"HttpRequest(url={self.url!r}, body={self.body!r})"


class Pass(NamedTuple):
    """One run of a model, as it is billed."""

    usage: Usage
    name: str = ""
    """Of the model, as the service calls it; "" for the one that was asked."""


class Reader(Protocol):
    """Collects one answer."""

    ended: bool
    """The service has said that nothing follows."""
    progress: int
    """Grows with all that brings the answer on, also what nobody is told of: a block, a piece of one, a count that has
    grown. 0: nothing of this format has come.
    """
    passes: list[Pass]
    """What is billed where it is not just the answer's usage: a compaction or a fall-back is a pass of its own."""

    def read(self, event: Event) -> Iterable[Delta]:
        """Raises ServiceFailed for an error event and for what is not of this format."""

    def read_whole(self, body: bytes) -> Iterable[Delta]:
        """An answer that came at once, as one JSON body, and ends with it. Raises as `read` does."""

    def finish(self) -> Answer:
        """Raises ServiceFailed when the stream ended too early."""

    def counted_so_far(self) -> Usage | None:
        """Of an answer that breaks off. No tokens: it has begun, and nothing was counted. None: nothing has come."""


class Compaction(msgspec.Struct, frozen=True):
    """How a service of this format sums a conversation up by itself."""

    makes: SumsUp
    request: Callable[[Target, AskModel], HttpRequest]
    kept: Callable[[AssistantMessage], tuple[Block, ...]]
    """Of its answer; () where that is something else."""


class WireFormat(msgspec.Struct, frozen=True):
    api: Api
    request: Callable[[Target, AskModel], HttpRequest]
    reader: Callable[[Target, AskModel], Reader]
    list_models: Callable[[Endpoint], HttpRequest]
    as_text: Callable[[str], str]
    """What an Opaque block of its own says to another model; "" for nothing."""
    compaction: Compaction | None = None
    """Of the services whose dialect says so."""


Round = tuple[Sequence[ToolResult], Sequence[UserMessage]]


def rounds(history: Iterable[ModelInput]) -> Iterable[AssistantMessage | Round]:
    """Answers, and between them what came back: the results first, then what the user said.

    Services refuse a result that does not follow the answer that called for it.
    """
    results: list[ToolResult] = []
    said: list[UserMessage] = []
    for message in history:
        match message:
            case ToolResult():
                results.append(message)
            case UserMessage():
                said.append(message)
            case AssistantMessage():
                if results or said:
                    yield results, said
                    results, said = [], []
                yield message
    if results or said:
        yield results, said


_object = msgspec.json.Decoder(dict[str, msgspec.Raw])


def is_object(text: str) -> bool:
    """Is this the JSON of an object, whole?"""
    try:
        _object.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def arguments(call: ToolCall) -> str:
    """A JSON object whatever the model wrote: services fail on their own malformed arguments when they come back."""
    return call.arguments if is_object(call.arguments) else msgspec.json.encode({"unparsed": call.arguments}).decode()
