"""From the events of a Responses stream to an answer. No I/O.

Items are told apart by output_index: Copilot gives an item another id in every event. Where there is none (frames of a
socket, some servers), by item id, else the event is about the latest item. Events that are not known are skipped.
"""

from functools import partial

import msgspec

from actors.messages.conversation import StopReason
from actors.messages.model import Answer, AskModel, ThinkingDelta
from actors.messages.usage import Usage
from actors.providers.endpoint import Target
from actors.providers.faults import error_body
from actors.providers.faults.fault import ENDED, ServiceFailed, broken, of_event
from actors.providers.formats.answer import call_ids, whole
from actors.providers.formats.openai_responses.parts import Annotation, Kind, OpenItem, known_of
from actors.providers.formats.openai_responses.usage import counted
from actors.providers.formats.split_characters import Halves
from actors.providers.formats.sse import Event
from actors.providers.formats.think_tags import Beginning, Told
from actors.providers.formats.wire_format import Pass

NULL = msgspec.Raw(b"null")
NO_RESPONSE = "it answered with something that is not a response."
NO_EVENT = broken("it sent something that is not a Responses event.")
PARTS: dict[str, Kind] = {  # by the event's name without .delta or .done
    "response.output_text": "text",
    "response.refusal": "refusal",
    "response.reasoning_summary_text": "summary",
    "response.reasoning_text": "reasoning",
}
ARGUMENTS = ("response.function_call_arguments", "response.custom_tool_call_input")
ENDS = {
    "response.completed": "completed",
    "response.incomplete": "incomplete",
    "response.failed": "failed",
    "response.cancelled": "cancelled",
    "response.done": "",  # ChatGPT's backend; the response says how
}
CUT: dict[str | None, StopReason] = {"content_filter": "refusal"}
"""Why an answer is incomplete, where it is not a limit of tokens."""


class _Kind(msgspec.Struct):
    type: str | None = None
    error: msgspec.Raw = NULL


class _Part(msgspec.Struct):
    """A delta of a part or of arguments, or the end of one."""

    output_index: int | None = None
    item_id: str | None = None
    content_index: int | None = None
    summary_index: int | None = None
    delta: str | None = None
    text: str | None = None
    refusal: str | None = None
    arguments: str | None = None
    input: str | None = None
    annotation: Annotation | None = None


class _Item(msgspec.Struct):
    item: msgspec.Raw
    output_index: int | None = None


class _Incomplete(msgspec.Struct):
    reason: str | None = None


class _Response(msgspec.Struct):
    id: str | None = None
    status: str | None = None
    error: msgspec.Raw = NULL
    incomplete_details: _Incomplete | None = None
    output: list[msgspec.Raw] | None = None
    usage: msgspec.Raw = NULL
    tool_usage: msgspec.Raw = NULL


class _Whole(msgspec.Struct):
    response: _Response = msgspec.field(default_factory=_Response)


_kind = msgspec.json.Decoder(_Kind)
_part = msgspec.json.Decoder(_Part)


class Reader:
    def __init__(self, target: Target, ask: AskModel) -> None:
        self._model = target.model
        self._taken = call_ids(ask)
        self.begin_again()

    def begin_again(self) -> None:
        """Forget all that has come."""
        self.ended = False
        self.progress = 0
        self.passes: list[Pass] = []
        self.response_id = ""
        self.goes_on = False
        """The service may be asked to go on from this response: it ended well, and its calls kept their ids."""
        self._halves = Halves()
        self._items: list[OpenItem] = []
        self._indexes: list[int] = []
        self._by_index: dict[int, OpenItem] = {}
        self._by_id: dict[str, OpenItem] = {}
        self._thought: tuple[OpenItem, Kind, int] | None = None
        self._beginning = Beginning()
        self._stop: StopReason | None = None
        self._end = _Response()

    def read(self, event: Event) -> list[Told]:
        data = event.data.strip()
        if data in (b"[DONE]", b"null"):  # compatible servers end their streams with the one, and go on after the other
            self.ended = data != b"null"
            return []
        try:
            return self._halves.read(partial(self._read, event.name), data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if event.name == "error" and data[:1] != b"{":
                raise ServiceFailed(of_event(data)) from error
            cut = "truncated" in str(error) or (data[:1] == b"{" and data[-1:] != b"}")  # with the stream it came in
            raise ServiceFailed(ENDED if cut else NO_EVENT) from error

    def read_whole(self, body: bytes) -> list[Told]:
        try:
            response = msgspec.json.decode(body, type=_Response)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ServiceFailed(broken(NO_RESPONSE)) from error
        if error_body.is_one(response.error):
            raise ServiceFailed(of_event(body))
        if response.output is None:
            raise ServiceFailed(broken(NO_RESPONSE))
        return self._finish("", response)

    def finish(self) -> Answer:
        if self._stop is None:
            raise ServiceFailed(ENDED)
        order = sorted(range(len(self._items)), key=lambda at: self._indexes[at])
        cut = self._stop != "end_turn"
        blocks = [block for at in order for block in self._items[at].blocks(cut=cut)]
        answer = whole(blocks, self._judged(), self._model, self._counted(), self._taken)
        named = sorted(item.final.call_id or "" for item in self._items if item.is_call)
        kept = sorted(call.call_id for call in answer.message.calls)
        well = answer.message.stop_reason in ("end_turn", "tool_calls")
        self.goes_on = bool(self.response_id) and well and named == kept
        return answer

    def counted_so_far(self) -> Usage | None:
        used = self._counted()
        return used if self._items or used != Usage() else None

    def _read(self, name: str, data: bytes) -> list[Told]:
        head = _kind.decode(data)
        kind = head.type or name
        stem, _, what = kind.rpartition(".")
        self.progress = self.progress or int(kind.startswith("response."))
        if stem in PARTS and what in ("delta", "done"):
            return self._text(PARTS[stem], _part.decode(data))
        if stem in ARGUMENTS and what in ("delta", "done"):
            return self._arguments(stem, _part.decode(data))
        if kind in ENDS:
            return self._finish(ENDS[kind], msgspec.json.decode(data, type=_Whole).response)
        match kind:
            case "response.output_item.added":
                self._add(msgspec.json.decode(data, type=_Item))
            case "response.output_item.done":
                return self._done(msgspec.json.decode(data, type=_Item))
            case "response.output_text.annotation.added" | "response.output_text_annotation.added":
                self._cite(_part.decode(data))
            case "response.created":
                self.response_id = msgspec.json.decode(data, type=_Whole).response.id or ""
            case "error" | "response.error":
                raise ServiceFailed(of_event(data))
            case "" if error_body.is_one(head.error):  # OpenRouter
                raise ServiceFailed(of_event(data))
            case _:
                self.progress += what == "delta"  # of something that is still to come
        return []

    def _text(self, kind: Kind, said: _Part) -> list[Told]:
        item = self._item(said, "reasoning" if kind in ("summary", "reasoning") else "message")
        index = (said.summary_index if kind == "summary" else said.content_index) or 0
        part = item.part(kind, index)
        deltas = part.settle(said.text or said.refusal or "") if said.delta is None else part.go_on(said.delta)
        self.progress += bool(deltas or said.delta)
        return self._apart(deltas, (item, kind, index))

    def _apart(self, deltas: list[Told], where: tuple[OpenItem, Kind, int]) -> list[Told]:
        """Parts of a summary are paragraphs, and nothing in their text says so."""
        if not deltas or not isinstance(deltas[0], ThinkingDelta):
            return deltas
        before, self._thought = self._thought, where
        same = before is None or (before[0] is where[0] and before[1:] == where[1:])
        return deltas if same else [ThinkingDelta(text="\n\n"), *deltas]

    def _arguments(self, stem: str, said: _Part) -> list[Told]:
        item = self._item(said, "custom_tool_call" if stem == ARGUMENTS[1] else "function_call")
        if said.delta is None:
            item.settle_arguments(said.input or said.arguments)
        else:
            item.arguments.append(said.delta)
            self.progress += bool(said.delta)
        return []

    def _cite(self, said: _Part) -> None:
        if said.annotation:
            self.progress += 1
            self._item(said, "message").part("text", said.content_index or 0).cite([said.annotation])

    def _item(self, said: _Part, kind: str) -> OpenItem:
        """The item an event is about; a new one where a server does not announce its items."""
        if said.output_index is not None:
            found = self._by_index.get(said.output_index)
        else:
            latest = self._items[-1] if self._items and self._items[-1].type == kind else None
            found = self._by_id.get(said.item_id or "", latest)
        return found or self._open(OpenItem(kind, self._beginning), said.output_index, said.item_id)

    def _open(self, item: OpenItem, index: int | None, item_id: str | None) -> OpenItem:
        self.progress += 1
        self._items.append(item)
        self._indexes.append(len(self._items) if index is None else index)
        if index is not None:
            self._by_index[index] = item
        if item_id:
            self._by_id[item_id] = item
        return item

    def _add(self, added: _Item) -> OpenItem:
        known = known_of(added.item)
        return self._open(OpenItem(known.type, self._beginning, final=known), added.output_index, known.id)

    def _done(self, done: _Item) -> list[Told]:
        known = known_of(done.item)
        if done.output_index is not None:
            item = self._by_index.get(done.output_index)
        else:
            item = self._by_id.get(known.id or "", self._items[-1] if self._items else None)
        if item is None or item.raw or item.type != known.type:
            item = self._add(done)
        self.progress += 1
        return item.close(bytes(done.item), known)

    def _finish(self, status: str, response: _Response) -> list[Told]:
        self.response_id = response.id or self.response_id
        status = status or response.status or "completed"
        if status not in ("completed", "incomplete"):
            if error_body.is_one(response.error):
                raise ServiceFailed(of_event(b'{"error":' + bytes(response.error) + b"}"))
            raise ServiceFailed(broken(f"it ended its answer as {status}."))
        deltas = [delta for item in self._unfinished(response.output or []) for delta in self._done(item)]
        deltas += self._beginning.finish_answer()
        why = response.incomplete_details or _Incomplete()
        self._stop = "end_turn" if status == "completed" else CUT.get(why.reason, "max_tokens")
        self._end = response
        self.ended = True
        return deltas

    def _unfinished(self, output: list[msgspec.Raw]) -> list[_Item]:
        """What only the end of the stream has. Where indexes do not say which item is which, what streamed is all."""
        if not self._items:
            return [_Item(raw) for raw in output]
        if len(self._by_index) < len(self._items) or max(self._by_index) >= len(output):
            return []
        if any(item.type != known_of(output[index]).type for index, item in self._by_index.items()):
            return []
        seen = {index for index, item in self._by_index.items() if item.raw}
        return [_Item(raw, index) for index, raw in enumerate(output) if index not in seen]

    def _counted(self) -> Usage:
        searches = [item.raw for item in self._items if item.type == "web_search_call" and item.raw]
        return counted(self._end.usage, self._end.tool_usage, searches)

    def _judged(self) -> StopReason | None:
        if any(item.is_refusal for item in self._items):
            return "refusal"
        if self._items and self._stop == "end_turn" and all(item.type == "reasoning" for item in self._items):
            return "pause"  # it thought and said nothing: it is asked to go on
        return self._stop
