"""What is made of a response with status 200, whatever it says it is."""

import pytest

from actors.messages.model import Api, TextDelta
from actors.providers.faults.fault import ServiceFailed
from actors.providers.formats.table import format_of
from actors.providers.formats.wire_format import Delta
from actors.providers.http import response_body
from tests.actors.providers.formats.reading import ASK, target

TEXT = b'data: {"choices":[{"index":0,"delta":{"content":"Hello."}}]}\n\n'
OUT_OF_CREDITS = b'data: {"error":{"code":402,"message":"out of credits"}}\n\n'
GOOD: dict[Api, bytes] = {
    "openai-chat": b'"choices":[{"message":{"content":"So."},"finish_reason":"stop"}]',
    "anthropic-messages": b'"content":[{"type":"text","text":"So."}],"stop_reason":"end_turn"',
    "openai-responses": b'"output":[{"type":"message","content":[{"type":"output_text","text":"So."}]}]',
}


class Arriving(response_body.Body):
    """A body that comes in these reads."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)
        self.silence_s = 1.0

    @property
    def declared(self) -> str:
        return "text/event-stream"

    async def take(self) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""


async def heard(api: Api, *pieces: bytes) -> tuple[list[Delta], str]:
    """What was told, and the answer or why there is none."""
    told: list[Delta] = []

    async def send(delta: Delta) -> None:
        told.append(delta)

    try:
        answer = await response_body.answer(Arriving(*pieces), format_of(api).reader(target(api), ASK), send)
    except ServiceFailed as error:
        return told, error.fault.text
    return told, answer.message.text


@pytest.mark.parametrize("pieces", [(TEXT + OUT_OF_CREDITS,), (TEXT, OUT_OF_CREDITS)], ids=["one read", "two reads"])
async def test_what_came_before_an_error_is_told(pieces: tuple[bytes, ...]) -> None:
    told, why = await heard("openai-chat", *pieces)

    assert told == [TextDelta(text="Hello.")]
    assert why == "an error in the middle of the answer: out of credits."


@pytest.mark.parametrize("api", GOOD)
@pytest.mark.parametrize("error", [b"null", b"{}", b'""', b"false"])
async def test_an_empty_error_beside_an_answer_is_none(api: Api, error: bytes) -> None:
    assert (await heard(api, b'{"error":' + error + b"," + GOOD[api] + b"}"))[1] == "So."


@pytest.mark.parametrize("api", GOOD)
@pytest.mark.parametrize(
    "said",
    [
        b'{"error":{"message":"Not today"}}',
        b'[{"error":{"code":429,"message":"Not today"}}]',
        b'{"detail":"Not today"}',
        b'{"object":"error","message":"Not today"}',
        b'{"type":"error","code":null,"message":"Not today"}',
        b'{"message":"Not today"}',
    ],
)
async def test_an_error_with_status_200_keeps_its_words(api: Api, said: bytes) -> None:
    assert await heard(api, said) == ([], "an error in the middle of the answer: Not today.")


async def test_an_answer_that_is_none_is_no_error_either() -> None:
    assert (await heard("openai-chat", b"[1]"))[1] == "it sent something that is not a chat completion chunk."
