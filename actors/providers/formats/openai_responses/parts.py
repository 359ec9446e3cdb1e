"""The items of an answer while they stream in. No I/O.

What an item's `done` event says counts more than the deltas before it; what it says beyond them is still told.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from actors.messages.conversation import Opaque, Source
from actors.messages.model import TextDelta, ThinkingDelta
from actors.providers.formats.answer import OpenBlock, OpenCall, OpenText, OpenThinking
from actors.providers.formats.openai_responses.items import API, CallExtra, TextExtra
from actors.providers.formats.think_tags import Beginning, Told

LOOKED_INTO = ("message", "reasoning", "function_call", "custom_tool_call")
NAMED_ONCE = ("id", "role", "phase", "call_id", "name", "namespace")
"""Some servers name a call when they announce it and not when it is done."""
Kind = Literal["text", "refusal", "summary", "reasoning"]


class Annotation(msgspec.Struct):
    type: str = ""
    url: str | None = None
    title: str | None = None


class Content(msgspec.Struct):
    type: str = ""
    text: str | None = None
    refusal: str | None = None
    annotations: list[Annotation] | None = None


class Known(msgspec.Struct):
    """What we look at in an item."""

    type: str = ""
    id: str | None = None
    role: str | None = None
    phase: str | None = None
    status: str | None = None
    content: list[Content] | None = None
    summary: list[Content] | None = None
    call_id: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: str | dict[str, msgspec.Raw] | None = None
    input: str | None = None


class _Named(msgspec.Struct):
    type: str = ""
    id: str | None = None


def known_of(item: msgspec.Raw) -> Known:
    """Of items that stay opaque only the name is read: what else they hold may change its form."""
    named = msgspec.json.decode(item, type=_Named)
    return msgspec.json.decode(item, type=Known) if named.type in LOOKED_INTO else Known(named.type, named.id)


class Part(msgspec.Struct):
    kind: Kind
    beginning: Beginning
    pieces: list[str] = msgspec.field(default_factory=list)
    """As they came: with the thoughts between tags, if the answer begins with them."""
    sources: list[Source] = msgspec.field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def go_on(self, text: str) -> list[Told]:
        if not text:
            return []
        self.pieces.append(text)
        if self.kind == "text":
            return self.beginning.read(self, text)
        return [TextDelta(text=text) if self.kind == "refusal" else ThinkingDelta(text=text)]

    def settle(self, whole: str) -> list[Told]:
        told = self.text
        if whole.startswith(told):
            return [*self.go_on(whole[len(told) :]), *self.beginning.finish(self)]
        self.pieces = [whole or told]
        return self.beginning.finish(self)

    def cite(self, annotations: Iterable[Annotation]) -> None:
        self.sources += [
            Source(url=one.url, title=one.title or "") for one in annotations if one.type == "url_citation" and one.url
        ]


class OpenItem(msgspec.Struct):
    type: str
    beginning: Beginning
    parts: dict[tuple[Kind, int], Part] = msgspec.field(default_factory=dict)
    arguments: list[str] = msgspec.field(default_factory=list)
    final: Known = msgspec.field(default_factory=Known)
    """As far as it has come."""
    raw: bytes = b""
    """The whole item, once it is done."""

    def part(self, kind: Kind, index: int) -> Part:
        return self.parts.setdefault((kind, index), Part(kind, self.beginning))

    @property
    def is_call(self) -> bool:
        return self.type in ("function_call", "custom_tool_call")

    @property
    def is_refusal(self) -> bool:
        return any(part.kind == "refusal" and part.text for part in self.parts.values())

    def settle_arguments(self, whole: str | dict[str, msgspec.Raw] | None) -> None:
        if whole:
            self.arguments = [whole if isinstance(whole, str) else msgspec.json.encode(whole).decode()]

    def close(self, raw: bytes, final: Known) -> list[Told]:
        known = {name: getattr(final, name) or getattr(self.final, name) for name in NAMED_ONCE}
        self.raw, self.final, self.type = raw, msgspec.structs.replace(final, **known), final.type
        self.settle_arguments(final.input if final.type == "custom_tool_call" else final.arguments)
        deltas: list[Told] = []
        if final.type == "message" and final.role in (None, "assistant"):
            for index, content in enumerate(final.content or ()):
                part = self.part("refusal" if content.type == "refusal" else "text", index)
                deltas += part.settle(content.refusal or content.text or "")
                part.cite(content.annotations or ())
        elif final.type == "reasoning" and not any(part.text for part in self.parts.values()):
            kind: Kind = "summary" if final.summary else "reasoning"
            for index, content in enumerate(final.summary or final.content or ()):
                deltas += self.part(kind, index).go_on(content.text or "")
        return deltas

    def blocks(self, *, cut: bool) -> Iterator[OpenBlock]:
        """cut: of an answer that is not complete."""
        if self.is_call:
            yield self._call(cut and (not self.raw or self.final.status == "incomplete"))
            return
        for _, part in sorted(self.parts.items(), key=lambda entry: entry[0][1]):
            if part.kind in ("summary", "reasoning"):
                yield OpenThinking([part.text])
            else:
                extra = TextExtra(self.final.phase or "", "refusal" if part.kind == "refusal" else "")
                thought, text = self.beginning.apart(part, part.text)
                yield OpenThinking([thought])
                yield OpenText([text], part.sources, _json(extra))
        if self.raw and not (self.type == "message" and self.final.role in (None, "assistant")):
            yield Opaque(api=API, data=self.raw.decode())

    def _call(self, cut: bool) -> OpenCall:
        text, final = "".join(self.arguments), self.final
        extra = CallExtra(namespace=final.namespace or "")
        if self.type == "custom_tool_call":
            extra.type = self.type
            text = msgspec.json.encode({"input": text}).decode()
            text = text.removesuffix("}") if cut else text  # shows, like the JSON of others, that its end is missing
        return OpenCall(final.call_id or "", final.name or "", [text], _json(extra))


def _json(extra: TextExtra | CallExtra) -> str:
    text = msgspec.json.encode(extra).decode()
    return "" if text == "{}" else text
