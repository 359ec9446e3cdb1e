"""The blocks of an answer while they arrive: cited text, calls, and what is kept for the service's sake."""

from collections.abc import Mapping

import msgspec

from actors.messages.conversation import Opaque, Source
from actors.providers.formats.answer import OpenBlock, OpenCall, OpenText, OpenThinking, once
from actors.providers.formats.anthropic_messages.messages import API
from actors.providers.formats.think_tags import Beginning

Members = dict[str, msgspec.Raw]
NOTHING = (b"null", b"[]", b"{}", b'""')
READ = ("text", "thinking", "tool_use")


class _Start(msgspec.Struct):
    """A block as it begins; in an answer that comes at once it is whole."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    citations: list[msgspec.Raw] | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = msgspec.Raw(b"{}")


class _Typed(msgspec.Struct):
    type: str


class _Citation(msgspec.Struct):
    url: str | None = None
    title: str | None = None


_members = msgspec.json.Decoder(Members)
_start = msgspec.json.Decoder(_Start)
_typed = msgspec.json.Decoder(_Typed)
_citation = msgspec.json.Decoder(_Citation)


class CitedText(OpenText):
    members: Members = msgspec.field(default_factory=dict)
    """What else the block has."""
    citations: list[msgspec.Raw] = msgspec.field(default_factory=list)

    def cite(self, citation: msgspec.Raw) -> None:
        self.citations.append(citation)
        try:
            found = _citation.decode(citation)
        except msgspec.ValidationError:
            return  # of a kind that is still to come
        if found.url:
            self.sources.append(Source(url=found.url, title=found.title or ""))

    def closed(self, beginning: Beginning) -> list[OpenBlock]:
        cited: Mapping[str, object] = {"citations": self.citations} if self.citations else {}
        thought, text = beginning.apart(self, "".join(self.pieces))
        extra = _extra({**self.members, **cited})
        return [OpenThinking([thought]), OpenText([text], self.sources, extra, cited=bool(self.sources))]

    @property
    def cites(self) -> tuple[str, ...]:
        """URLs, each once."""
        return tuple(source.url for source in once(self.sources))


class GivenCall(OpenCall):
    given: str = ""
    """Arguments that came with its beginning; those that stream in take their place."""

    @property
    def arguments(self) -> str:
        return "".join(self.pieces) or self.given


class OpenOpaque(msgspec.Struct):
    """A block kept as it came; some of its members may stream in after it."""

    start: bytes
    streamed: dict[str, str] = msgspec.field(default_factory=dict)

    def add(self, member: str, piece: str | None) -> None:
        if piece:
            self.streamed[member] = self.streamed.get(member, "") + piece

    def closed(self) -> Opaque:
        """Raises msgspec.DecodeError when its input is no JSON."""
        if not self.streamed:
            return Opaque(api=API, data=self.start.decode())
        members = _members.decode(self.start)
        for member, text in self.streamed.items():
            members[member] = msgspec.Raw(text.encode() if member == "input" else msgspec.json.encode(text))
        data = msgspec.json.encode(members)
        msgspec.json.decode(data)
        return Opaque(api=API, data=data.decode())


Open = CitedText | OpenThinking | GivenCall | OpenOpaque


def opened(raw: msgspec.Raw) -> Open:
    """Raises msgspec.DecodeError."""
    try:
        start = _start.decode(raw)
    except msgspec.ValidationError:
        if _typed.decode(raw).type in READ:
            raise
        return OpenOpaque(bytes(raw))  # another block, whose members have the same names
    match start.type:
        case "text":
            text = CitedText([start.text or ""], members=_others(raw, "text", "citations"))
            for citation in start.citations or ():
                text.cite(citation)
            return text
        case "thinking":
            return OpenThinking([start.thinking or ""], start.signature or "")
        case "tool_use":
            extra = _extra(_others(raw, "id", "name", "input"))
            given = bytes(start.input).decode() if bytes(start.input) not in NOTHING else ""
            return GivenCall(start.id or "", start.name or "", extra=extra, given=given)
        case _:
            return OpenOpaque(bytes(raw))


def closed(block: Open, beginning: Beginning) -> list[OpenBlock]:
    """Raises msgspec.DecodeError."""
    if isinstance(block, CitedText):
        return block.closed(beginning)
    return [block.closed() if isinstance(block, OpenOpaque) else block]


def _others(raw: msgspec.Raw, *known: str) -> Members:
    members = _members.decode(raw)
    return {
        name: value for name, value in members.items() if name not in ("type", *known) and bytes(value) not in NOTHING
    }


def _extra(members: Mapping[str, object]) -> str:
    return msgspec.json.encode(members).decode() if members else ""
