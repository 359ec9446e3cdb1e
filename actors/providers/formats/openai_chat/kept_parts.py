"""What a service wants back unread with its message: how it is put together from a stream, and found again.

It is kept as an Opaque block whose data is a JSON object of members of the assistant message.
"""

from collections.abc import Iterable

import msgspec

from actors.messages.conversation import Opaque
from actors.messages.model import Api

API: Api = "openai-chat"
STREAMED = {"reasoning.text": "text", "reasoning.summary": "summary"}
"""Kinds of reasoning details that come in pieces, and the member the pieces are of."""
Detail = dict[str, object]


class Members(msgspec.Struct, omit_defaults=True):
    reasoning_details: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """OpenRouter's: https://openrouter.ai/docs/use-cases/reasoning-tokens."""
    reasoning_opaque: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """Copilot's."""
    extra_content: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """Google's thought signatures; of a message or of a call."""


def block(members: Members) -> Opaque | None:
    """None where there is nothing to keep."""
    data = msgspec.json.encode(members)
    return Opaque(api=API, data=data.decode()) if data != b"{}" else None


def members(data: str) -> Members:
    return msgspec.json.decode(data, type=Members) if data else Members()


class _Detail(msgspec.Struct):
    members: Detail
    pieces: list[str] = msgspec.field(default_factory=list)

    @property
    def streamed(self) -> str:
        return STREAMED.get(str(self.members.get("type")), "")

    def goes_on_with(self, other: "_Detail") -> bool:
        """What is encrypted is whole, and several may have one index: one for each call they belong to."""
        mine, others = self.members, other.members
        same = all(mine.get(name) == others.get(name) for name in ("type", "index"))
        one_id = mine.get("id") is None or others.get("id") is None or mine["id"] == others["id"]
        signed = mine.get("signature") is not None and bool(others.get(self.streamed))
        return bool(self.streamed) and same and one_id and not signed

    def take(self, other: "_Detail") -> None:
        for name, value in other.members.items():
            if name == self.streamed and isinstance(value, str):
                self.pieces.append(value)
            elif self.members.get(name) is None:
                self.members[name] = value

    @property
    def whole(self) -> Detail:
        first = self.members.get(self.streamed)
        return {**self.members, self.streamed: f"{first or ''}{''.join(self.pieces)}"} if self.pieces else self.members


def joined(pieces: Iterable[Detail]) -> msgspec.Raw | msgspec.UnsetType:
    """The reasoning details that came in these pieces, in the order in which they began."""
    details: list[_Detail] = []
    for piece in pieces:
        detail = _Detail(piece)
        opened = next((one for one in reversed(details) if one.goes_on_with(detail)), None)
        if opened is None:
            details.append(detail)
        else:
            opened.take(detail)
    return msgspec.Raw(msgspec.json.encode([detail.whole for detail in details])) if details else msgspec.UNSET


def text_of(detail: Detail) -> str:
    """What of it is for people."""
    text = detail.get(STREAMED.get(str(detail.get("type")), ""))
    return text if isinstance(text, str) else ""
