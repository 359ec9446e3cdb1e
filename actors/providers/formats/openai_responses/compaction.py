"""The service sums a conversation up by itself: what it is asked, and what of its answer goes back to it. No I/O.

https://developers.openai.com/api/docs/guides/compaction: nothing is stored there, and nobody else can read the item.
Beside it the service returns messages of the user; these are left out, for the agent carries them itself.
"""

import msgspec

from actors.messages.conversation import AssistantMessage, Opaque
from actors.messages.model import AskModel
from actors.providers.endpoint import Target
from actors.providers.formats.openai_responses.items import Item, items
from actors.providers.formats.openai_responses.request import key
from actors.providers.formats.wire_format import Compaction, HttpRequest
from actors.providers.services import dialects

COMPACTION = "compaction"


class _Body(msgspec.Struct, omit_defaults=True):
    model: str
    input: list[Item]
    instructions: str = ""


class _Typed(msgspec.Struct):
    type: str = ""


def request(target: Target, ask: AskModel) -> HttpRequest:
    instructions = ask.system or dialects.named(target.endpoint).responses.instructions
    body = _Body(target.name, items(ask.history), instructions)
    headers = key(target.endpoint) | {"content-type": "application/json", "accept": "application/json"}
    return HttpRequest(f"{target.endpoint.base_url}/responses/compact", headers, msgspec.json.encode(body))


def kept(answer: AssistantMessage) -> tuple[Opaque, ...]:
    """The last one counts: what lies before it is in it."""
    own = [block for block in answer.blocks if isinstance(block, Opaque)]
    made = [block for block in own if msgspec.json.decode(block.data, type=_Typed).type == COMPACTION]
    return tuple(made[-1:])


SEALED = Compaction("sealed", request, kept)
