"""Reading a recorded body as the exchange does, without the network."""

from itertools import pairwise

from actors.messages.model import Answer, Api, AskModel
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.sse import Parser
from actors.providers.formats.table import format_of
from actors.providers.formats.wire_format import Delta

ASK = AskModel(model="test/model", session_id="s", system="", history=())


def target(api: Api) -> Target:
    return Target(Endpoint(provider="test", api=api, base_url="http://127.0.0.1/v1", key="planted-key"), "model")


def answer_to(api: Api, pieces: list[bytes], ask: AskModel = ASK) -> tuple[list[Delta], Answer]:
    """Raises ServiceFailed."""
    reader = format_of(api).reader(target(api), ask)
    parser = Parser()
    events = [event for piece in pieces for event in parser.feed(piece)] + parser.finish()
    deltas = [delta for event in events if not reader.ended for delta in reader.read(event)]
    return deltas, reader.finish()


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]
