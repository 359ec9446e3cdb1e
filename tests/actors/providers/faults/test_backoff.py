"""What went wrong, and whether it is worth another try."""

import json
import time
from datetime import UTC, datetime
from email.utils import formatdate

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.providers.endpoint import Endpoint
from actors.providers.faults import error_body, retry_after
from actors.providers.faults.backoff import too_long
from actors.providers.faults.fault import Fault, of_event, of_response, problem, redacted
from tests.fakes import overflows
from tests.fakes.model_faults import Reply

NOW = 1_800_000_000.0
MEMBERS = (
    *("error", "response", "message", "code", "type", "status", "status_code", "details", "metadata", "raw", "headers"),
    *("retryDelay", "violations", "quotaId", "resets_at", "resets_in_seconds", "plan_type", "error_code", "detail"),
)
HEADERS = st.dictionaries(
    st.sampled_from(
        ["retry-after", "retry-after-ms", "x-ratelimit-remaining", "x-ratelimit-reset", "x-codex-primary-used-percent"]
    ),
    st.sampled_from(["0", "100", "1e999", "-1", "nan", "9" * 400, "0001-01-01", "12h", "²", "٣", "Fri, 99 Foo 1"]),
)


@pytest.mark.parametrize(
    ("status", "body", "code", "again"),
    [
        (400, b'{"error":{"message":"bad"}}', "bad_request", "never"),
        (400, b'{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}', "context_overflow", "never"),
        (400, b'{"error":{"message":"x","code":"context_length_exceeded"}}', "context_overflow", "never"),
        (400, b'{"error":{"message":"a/b is not a valid model ID","code":400}}', "unknown_model", "never"),
        (401, b"", "unauthorized", "never"),
        (402, b"no credit", "rate_limited", "never"),
        (403, b'{"detail":"no"}', "unauthorized", "never"),
        (404, b'{"error":{"message":"model: x","type":"not_found_error"}}', "unknown_model", "never"),
        (404, b'{"error":"model \\"x\\" not found, try pulling it first"}', "unknown_model", "never"),
        (404, b"<html>404</html>", "unreachable", "never"),
        (408, b"", "server_error", "while it lasts"),
        (409, b"", "server_error", "while it lasts"),
        (425, b"", "server_error", "while it lasts"),
        (413, b"", "context_overflow", "never"),
        (422, b'{"object":"error","message":"extra fields"}', "bad_request", "never"),
        (429, b"", "rate_limited", "while it lasts"),
        (429, b'{"error":{"message":"x","type":"insufficient_quota"}}', "rate_limited", "never"),
        (
            429,
            b'{"error":{"message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}',
            "rate_limited",
            "never",
        ),
        (500, b"\xff\xfe", "server_error", "while it lasts"),
        (500, b'{"error":{"message":"the request exceeds the available context size"}}', "context_overflow", "never"),
        (
            400,
            b'{"error":{"message":"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000"}}',
            "context_overflow",
            "never",
        ),
        (
            400,
            b'{"error":"Trying to keep the first 9000 tokens. The model is loaded with context length of only 4096."}',
            "context_overflow",
            "never",
        ),
        (501, b"", "unreachable", "never"),
        (503, b'{"error":{"code":503,"message":"Loading model"}}', "overloaded", "while it lasts"),
        (403, b"<html>Just a moment...</html>", "unauthorized", "never"),
        (529, b"", "overloaded", "while it lasts"),
    ],
)
def test_a_status_has_its_class(status: int, body: bytes, code: str, again: str) -> None:
    fault = of_response(status, {}, body, NOW)

    assert (fault.code, fault.again) == (code, again)


@pytest.mark.parametrize(
    "refused",
    [reply for kinds in overflows.ALL.values() for kind in kinds if (reply := kind(40_000, 32_768)).status > 200],
)
def test_each_service_says_in_its_own_words_that_it_was_too_long(refused: Reply) -> None:
    assert of_response(refused.status, refused.headers, b"".join(refused.pieces), NOW).code == "context_overflow"


@pytest.mark.parametrize(
    ("body", "code", "again"),
    [
        (
            b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
            "overloaded",
            "while it lasts",
        ),
        (b'{"error":{"code":400,"message":"no"}}', "bad_request", "never"),
        (b'{"error":{"message":"no","status_code":400}}', "bad_request", "never"),
        (b'{"error":{"message":"?","type":"news"}}', "server_error", "a few times"),
        (
            b'{"type":"response.failed","response":{"error":{"code":"context_length_exceeded"}}}',
            "context_overflow",
            "never",
        ),
        (
            b'{"type":"error","code":"rate_limit_exceeded","message":"try again in 2s"}',
            "rate_limited",
            "while it lasts",
        ),
        (b'{"type":"error","status":529,"error":{"message":"?"}}', "overloaded", "while it lasts"),
        (b'{"error":{"code":"invalid_prompt","message":"?"}}', "bad_request", "never"),
        (b'{"error":{"code":"429","message":"?"}}', "rate_limited", "while it lasts"),
        (b'{"error":"? is greater than the context length"}', "context_overflow", "never"),
        (b'{"error":{"message":"? is greater than the context length"}}', "context_overflow", "never"),
        (
            b'{"type":"error","code":null,"message":"Your input exceeds the context window of this model."}',
            "context_overflow",
            "never",
        ),
        (b'{"error":{"message":"Your credit balance is too low"}}', "rate_limited", "never"),
        (b'{"type":"response.failed","response":{"error":{"code":"image_parse_error"}}}', "bad_request", "never"),
        (b'{"type":"response.failed","response":{"error":{"code":"invalid_image"}}}', "bad_request", "never"),
        (b'{"error":"plain"}', "server_error", "a few times"),
    ],
)
def test_an_error_in_a_stream_has_its_class(body: bytes, code: str, again: str) -> None:
    fault = of_event(body)

    assert (fault.code, fault.again) == (code, again)


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
    assert of_response(500, {"x-should-retry": "false"}, b"", NOW).again == "never"
    assert of_response(400, {"x-should-retry": "true"}, b"", NOW).again == "a few times"
    assert of_response(500, {"x-should-retry": "true"}, b"", NOW).again == "while it lasts"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}', ("Busy", ("overloaded_error",), 0)),
        (b'{"type":"error","code":"server_error","message":"Oh","param":null}', ("Oh", ("server_error", "error"), 0)),
        (
            b'{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"x"}}}',
            ("x", ("rate_limit_exceeded",), 0),
        ),
        (b'{"type":"error","status":400,"error":{"code":"a","type":"b","message":"c"}}', ("c", ("a", "b"), 400)),
        (b'{"type":"error","status_code":429,"error":{"message":"c"}}', ("c", (), 429)),
        (b'[{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}]', ("m", ("unavailable",), 503)),
        (
            b'{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
            ("Loading model", ("unavailable_error",), 503),
        ),
        (b'{"error":"model \\"x\\" not found"}', ('model "x" not found', (), 0)),
        (
            b'{"object":"error","message":"no","type":"BadRequestError","code":400}',
            ("no", ("badrequesterror",), 400),
        ),
        (b'{"detail":[{"msg":"missing"}]}', ('[{"msg":"missing"}]', (), 0)),
        (
            b'{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"gemini is limited"}}}',
            ("Provider returned error: gemini is limited", (), 429),
        ),
        (b"no credit", ("no credit", (), 0)),
        (b"<html>", ("", (), 0)),
        (b"", ("", (), 0)),
        (b"null", ("", (), 0)),
        (b"[]", ("[]", (), 0)),
        (b'{"error":{"message":{"a":1},"code":true}}', ('{"a":1}', (), 0)),
        (b"[" * 60_000, ("[" * 60_000, (), 0)),
    ],
)
def test_errors_come_in_many_forms(body: bytes, said: tuple[str, tuple[str, ...], int]) -> None:
    read = error_body.read(body, NOW)

    assert (read.message, tuple(name for name in read.names if name), read.status) == said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(MEMBERS), inner),
)


@given(body=st.binary() | JSON.map(lambda value: json.dumps(value).encode()), headers=HEADERS)
def test_nothing_that_a_service_says_is_too_odd_to_be_read(body: bytes, headers: dict[str, str]) -> None:
    for fault in (of_response(429, headers, body, NOW), of_event(body, NOW)):
        assert fault.text.endswith(".")
        assert isinstance(too_long(fault, 600.0, NOW), str)


@pytest.mark.parametrize(
    ("words", "wait_s"),
    [
        ("Rate limit reached. Please try again in 1.3s. Visit", 1.3),
        ("Please try again in 20ms.", 0.02),
        ("try again in 6m0s", 360.0),
        ("Please try again in 1m30.5s", 90.5),
        ("Please retry after 26 seconds.", 26.0),
        ("Try again in 5 minutes", 300.0),
        ("Please try again later", None),
    ],
)
def test_a_wait_may_be_in_the_words(words: str, wait_s: float | None) -> None:
    assert retry_after.asked_in_words(words) == (wait_s if wait_s is None else pytest.approx(wait_s))


def rfc_3339(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "4ms"}, 0.004),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"}, 360.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2m59.56s"}, 179.56),
        ({"x-ratelimit-remaining-tokens": "1", "x-ratelimit-reset-tokens": "6m0s"}, None),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(NOW + 9) * 1000)}, 9.0),
        ({"x-ratelimit-remaining-requests-day": "0", "x-ratelimit-reset-requests-day": "33011.38"}, 33011.38),
        (
            {
                "anthropic-ratelimit-requests-remaining": "5",
                "anthropic-ratelimit-requests-reset": rfc_3339(NOW + 90),
                "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": rfc_3339(NOW + 20),
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": rfc_3339(NOW + 10),
            },
            20.0,
        ),
        ({"anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": rfc_3339(NOW - 9)}, None),
        ({"x-codex-primary-used-percent": "100", "x-codex-primary-reset-at": str(int(NOW) + 60)}, 60.0),
        ({"x-codex-primary-used-percent": "99.5", "x-codex-primary-reset-at": str(int(NOW) + 60)}, None),
        ({"x-ratelimit-remaining-tokens": "0"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "soon"}, None),
    ],
)
def test_a_limit_that_is_used_up(headers: dict[str, str], wait_s: float | None) -> None:
    read = retry_after.used_up(httpx.Headers(headers), NOW)

    assert read == (wait_s if wait_s is None else pytest.approx(wait_s))


@pytest.mark.parametrize(
    "body",
    [
        b'{"error":{"message":"m","metadata":{"headers":{"X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1800000009000"}}}}',
        b'{"error":{"message":"m","details":[{"@type":"RetryInfo","retryDelay":"9s"}]}}',
        b'{"error":{"code":"rate_limit_exceeded","message":"m","resets_in_seconds":9}}',
    ],
)
def test_a_wait_may_be_anywhere_in_the_body(body: bytes) -> None:
    fault = of_response(429, {}, body, NOW)

    assert (fault.again, fault.wait_s) == ("while it lasts", 9.0)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (
            429,
            b'{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"pro"}}',
        ),
        (429, b'{"error":{"message":"x","code":"usage_not_included"}}'),
        (400, b'{"type":"error","error":{"message":"Your credit balance is too low to access the Anthropic API."}}'),
        (
            400,
            b'{"error":{"message":"You have reached your specified API usage limits. Wait until 2027-02-01"}}',
        ),
        (403, b'{"error":"Your team has either used all available credits or reached its monthly spending limit."}'),
        (429, b'{"error":{"code":"1113","message":"Insufficient balance or no resource package."}}'),
        (429, b'{"error":{"message":"m","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]}]}}'),
        (402, b'{"error":{"message":"x","code":"billing_error"}}'),
        (429, b'{"error":{"message":"Request too large for gpt-5 on tokens per min (TPM): Limit 1, Requested 2"}}'),
    ],
)
def test_what_is_used_up_is_not_asked_for_again(status: int, body: bytes) -> None:
    fault = of_response(status, {"x-should-retry": "true", "retry-after": "1"}, body, NOW)

    assert (fault.code, fault.again) == ("rate_limited", "never")
    assert fault.hint


def test_credit_that_the_service_says_will_be_there_is_waited_for() -> None:
    body = b'{"error":{"message":"This request requires more credits","code":402}}'

    patient, final = (of_response(402, headers, body, NOW) for headers in ({"retry-after": "20"}, {}))

    assert (patient.code, patient.again, patient.wait_s) == ("rate_limited", "while it lasts", 20.0)
    assert (final.code, final.again, final.wait_s) == ("rate_limited", "never", None)


def test_a_plan_that_is_used_up_says_until_when(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Vienna")
    time.tzset()
    body = b'{"error":{"type":"usage_limit_reached","message":"m","plan_type":"plus","resets_in_seconds":7800}}'

    fault = of_response(429, {}, body, NOW)

    assert fault.hint == (
        "What your plus plan includes is used up until 11:10 (in 2 h 10 min); until then choose another model."
    )
    assert retry_after.clock(NOW + 86_400, NOW) == "09:00 on Sat 16 Jan"
    monkeypatch.undo()
    time.tzset()


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


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefgh12345",
        "gsk_abcdefgh12345",
        "xai-abcdefgh12345",
        "ghu_abcdefgh12345",
        "github_pat_abcdefgh12345",
        "AIzaSyA1234567890abcdefghij",
        "eyJhbGciOiJI.eyJzdWIi.c2ln",
        "tid=abc;exp=1;sku=x",
    ],
)
def test_whatever_looks_like_a_key_is_taken_out(secret: str) -> None:
    assert secret not in redacted(f"Your key {secret} is wrong", "")


def test_the_password_of_a_proxy_is_taken_out() -> None:
    assert redacted("cannot reach http://me:secret@proxy:3128/ now", "") == "cannot reach http://proxy:3128/ now"


def test_a_placeholder_is_no_key() -> None:
    assert redacted("ollama does not answer", "ollama") == "ollama does not answer"


def test_what_the_users_own_headers_hold_is_taken_out() -> None:
    headers = {"X-Api-Key": "planted-header", "X-Title": "Trouper"}
    endpoint = Endpoint(provider="mine", api="openai-chat", base_url="https://h/v1", headers=headers)

    said = problem(Fault("bad_request", "Trouper sent planted-header."), endpoint)

    assert said.text == "mine (https://h/v1): Trouper sent [key]."


def test_who_signed_in_is_told_to_do_so_again() -> None:
    endpoint = Endpoint(provider="codex", api="openai-responses", base_url="https://h", sign_in="codex")

    assert problem(Fault("unauthorized", "no."), endpoint).hint == "Sign in again: trouper auth login codex"
