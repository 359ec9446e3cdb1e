"""What went wrong, and whether it is worth another try."""

from email.utils import formatdate

import pytest

from actors.providers.endpoint import Endpoint
from actors.providers.faults import Fault, of_event, of_response, problem, redacted
from actors.providers.retry import too_long, wait_before_next

NOW = 1_800_000_000.0
AGAIN = Fault("overloaded", "busy.", tries=4)


@pytest.mark.parametrize(
    ("status", "body", "code", "tries"),
    [
        (400, b'{"error":{"message":"bad"}}', "bad_request", 1),
        (400, b'{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}', "context_overflow", 1),
        (400, b'{"error":{"message":"x","code":"context_length_exceeded"}}', "context_overflow", 1),
        (400, b'{"error":{"message":"a/b is not a valid model ID","code":400}}', "unknown_model", 1),
        (401, b"", "unauthorized", 1),
        (402, b"no credit", "rate_limited", 1),
        (403, b'{"detail":"no"}', "unauthorized", 1),
        (404, b'{"error":{"message":"model: x","type":"not_found_error"}}', "unknown_model", 1),
        (404, b'{"error":"model \\"x\\" not found, try pulling it first"}', "unknown_model", 1),
        (404, b"<html>404</html>", "unreachable", 1),
        (408, b"", "server_error", 4),
        (409, b"", "server_error", 4),
        (413, b"", "context_overflow", 1),
        (422, b'{"object":"error","message":"extra fields"}', "bad_request", 1),
        (429, b"", "rate_limited", 4),
        (429, b'{"error":{"message":"x","type":"insufficient_quota"}}', "rate_limited", 1),
        (429, b'{"error":{"message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}', "rate_limited", 1),
        (500, b"\xff\xfe", "server_error", 4),
        (503, b'{"error":{"code":503,"message":"Loading model"}}', "overloaded", 4),
        (529, b"", "overloaded", 4),
    ],
)
def test_a_status_has_its_class(status: int, body: bytes, code: str, tries: int) -> None:
    fault = of_response(status, {}, body, NOW)

    assert (fault.code, fault.tries) == (code, tries)


@pytest.mark.parametrize(
    ("body", "code", "tries"),
    [
        (b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "overloaded", 4),
        (b'{"error":{"code":400,"message":"no"}}', "bad_request", 1),
        (b'{"error":{"message":"no","status_code":400}}', "bad_request", 1),
        (b'{"error":{"message":"?","type":"news"}}', "server_error", 4),
        (b'{"error":"plain"}', "server_error", 4),
    ],
)
def test_an_error_in_a_stream_has_its_class(body: bytes, code: str, tries: int) -> None:
    fault = of_event(body)

    assert (fault.code, fault.tries) == (code, tries)


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, None),
        ({"retry-after": formatdate(NOW + 30)}, 30.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({}, None),
    ],
)
def test_a_wait_that_is_asked_for(headers: dict[str, str], wait_s: float | None) -> None:
    assert of_response(429, headers, b"", NOW).wait_s == wait_s


def test_the_services_advice_comes_first() -> None:
    assert of_response(500, {"x-should-retry": "false"}, b"", NOW).tries == 1
    assert of_response(400, {"x-should-retry": "true"}, b"", NOW).tries == 4


def test_waits_double_and_spread_and_end() -> None:
    assert [wait_before_next(AGAIN, tried, 0.0) for tried in (1, 2, 3, 4)] == [0.5, 1.0, 2.0, None]
    assert wait_before_next(AGAIN, 1, 1.0) == 0.375


def test_patience_has_an_end_and_says_so() -> None:
    patient, impatient = Fault("rate_limited", "", 4, wait_s=120.0), Fault("rate_limited", "", 4, wait_s=1800.0)

    assert (wait_before_next(patient, 1, 0.5), too_long(patient)) == (120.0, "")
    assert wait_before_next(impatient, 1, 0.5) is None
    assert "30 minutes" in too_long(impatient)


def test_long_words_are_shortened_and_keys_taken_out() -> None:
    body = b'{"error":{"message":"key planted-key, or sk-abcdefgh12345, Bearer xyz ' + b"x" * 9999 + b'"}}'
    endpoint = Endpoint(
        provider="local", api="openai-chat", base_url="http://u:pw@h/v1", key="planted-key", key_env="LOCAL_KEY"
    )

    said = problem(of_response(400, {}, body, NOW), endpoint)

    assert said.text.startswith("local (http://h/v1): HTTP 400: key [key], or [key], Bearer [key] xxx")
    assert len(said.text) < 400


def test_nothing_is_taken_out_where_there_is_no_key() -> None:
    assert redacted("risk-averse tasks", "") == "risk-averse tasks"
