"""What all wire formats have in common when they read; each has a folder of tests of its own."""

import pytest

from actors.messages.model import Answer, Api
from actors.providers.faults.fault import ServiceFailed
from actors.providers.formats.table import ALL, format_of
from tests.actors.providers.formats.reading import ASK, answer_to, target

each_api = pytest.mark.parametrize("api", ALL)
IN_THE_MIDDLE = "the stream ended in the middle."


@each_api
def test_a_format_is_found_by_its_name(api: Api) -> None:
    assert format_of(api).api == api


@each_api
@pytest.mark.parametrize("pieces", [[], [b": waiting\n\n"], [b"<html>not a stream</html>"]])
def test_no_events_are_no_answer(api: Api, pieces: list[bytes]) -> None:
    with pytest.raises(ServiceFailed) as failure:
        answer_to(api, pieces)

    assert (failure.value.fault.code, failure.value.fault.text) == ("bad_stream", IN_THE_MIDDLE)


@each_api
@pytest.mark.parametrize("data", [b"{nonsense", b'"a text"', b"[1]", b'{"type":"\xff"}'])
def test_events_of_another_kind_are_a_broken_stream(api: Api, data: bytes) -> None:
    with pytest.raises(ServiceFailed) as failure:
        answer_to(api, [b"data: " + data + b"\n\n"])

    assert failure.value.fault.code == "bad_stream"


@each_api
@pytest.mark.parametrize("body", [b"", b"<html>Welcome!</html>", b'"a text"', b"[]"])
def test_a_body_of_another_kind_is_no_answer(api: Api, body: bytes) -> None:
    with pytest.raises(ServiceFailed) as failure:
        at_once(api, body)

    assert failure.value.fault.code == "bad_stream"


def at_once(api: Api, body: bytes) -> Answer:
    reader = format_of(api).reader(target(api), ASK)
    list(reader.read_whole(body))
    return reader.finish()
