"""How the service is asked to sum up by itself, and what of its answer goes back."""

import json
from typing import Any

import msgspec
import pytest

from actors.messages.conversation import Opaque, Sealed
from actors.providers.formats.openai_responses import FORMAT
from actors.providers.requests.compaction import with_sealed
from tests.actors.providers.formats import reading
from tests.actors.providers.formats.openai_responses import test_recorded
from tests.actors.providers.formats.openai_responses.test_request import ASK, COMPACTION, HELLO, answered, own, sent
from tests.actors.providers.formats.reading import target

Json = Any
RECORDED = test_recorded.FIXTURES / "openai-responses" / "compact-endpoint-json.json"


def asked(**changes: Any) -> tuple[str, Json]:  # noqa: ANN401
    assert FORMAT.compaction is not None
    request = FORMAT.compaction.request(target("openai-responses"), msgspec.structs.replace(ASK, **changes))
    return request.url, json.loads(request.body)


def kept(output: list[Json]) -> tuple[object, ...]:
    assert FORMAT.compaction is not None
    reader = FORMAT.reader(target("openai-responses"), reading.ASK)
    reader.read_whole(msgspec.json.encode({"object": "response.compaction", "output": output}))
    return FORMAT.compaction.kept(reader.finish().message)


def test_the_conversation_goes_there_as_it_is_sent() -> None:
    url, body = asked(history=(HELLO,), sum_up="Keep the names.")

    assert url == "http://127.0.0.1/v1/responses/compact"
    assert body == {"model": "model", "instructions": "Be brief.", "input": sent(HELLO)}


def test_what_it_made_before_comes_first() -> None:
    history = with_sealed((HELLO, HELLO), Sealed(model="test/model", blocks=(own(COMPACTION),)))

    assert asked(history=history)[1]["input"] == [
        {"type": "compaction", "encrypted_content": "Y29tcA"},
        *sent(HELLO),
    ]


def test_only_the_item_goes_back() -> None:
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello."}]}
    item = json.loads(COMPACTION)

    assert kept([said, item]) == (own(msgspec.json.encode(item).decode()),)


@pytest.mark.parametrize("output", [[], [{"type": "message", "role": "assistant", "content": []}]])
def test_an_answer_without_it_is_nothing(output: list[Json]) -> None:
    assert kept(output) == ()


@pytest.mark.skipif(not RECORDED.exists(), reason="the recorded streams are not beside this checkout")
def test_a_recorded_one_goes_back_as_it_came() -> None:
    assert FORMAT.compaction is not None
    recorded = json.loads(RECORDED.read_bytes())["output"][-1]

    [block] = FORMAT.compaction.kept(test_recorded.read("openai-responses/compact-endpoint-json.json").message)

    assert isinstance(block, Opaque)
    assert sent(answered(block), HELLO)[0] == {"type": "compaction", "encrypted_content": recorded["encrypted_content"]}
