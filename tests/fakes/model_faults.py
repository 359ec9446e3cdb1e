"""The ways in which a model service fails: each from the good answer to what is sent instead."""

import gzip
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from tests.fakes.model_formats import error_event

JSON = {"content-type": "application/json"}
HTML = {"content-type": "text/html; charset=utf-8"}
STREAM = {"content-type": "text/event-stream"}
PLAN_RESETS_S = 2 * 3600 + 600
HUGE = 33 * 1024 * 1024
"""Bytes: more than any line may have."""


@dataclass(frozen=True)
class Good:
    """An answer as it should be."""

    path: str
    pieces: tuple[bytes, ...]
    whole: bytes
    """As one JSON body."""

    @property
    def half(self) -> tuple[bytes, ...]:
        return self.pieces[: max(1, len(self.pieces) // 2)]


@dataclass(frozen=True)
class Reply:
    pieces: tuple[bytes, ...]
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: STREAM)
    then: Literal["end", "drop", "stall"] = "end"
    pause_s: float = 0.0
    """Before each piece."""
    raw: bool = False
    """The pieces are all that is sent: no HTTP around them."""


def refusal(status: int, message: str, kind: str = "", headers: dict[str, str] | None = None, **more: object) -> Reply:
    error = {"message": message, "type": kind or None, "code": kind or None, **more}
    return Reply((msgspec.json.encode({"error": error}),), status, {**JSON, **(headers or {})})


def _bytewise(good: Good) -> tuple[bytes, ...]:
    return tuple(bytes([byte]) for byte in b"".join(good.pieces))


def _in_the_middle(good: Good, kind: str) -> Reply:
    return Reply((*good.half, error_event(good.path, kind, "Too many are asking")), then="drop")


def _packed(good: Good) -> Reply:
    return Reply((gzip.compress(b"".join(good.pieces)),), headers={**STREAM, "content-encoding": "gzip"})


def _limited(**headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return refusal(429, "Slow down", "rate_limit_exceeded", named)


def _usage_limit(_: Good) -> Reply:
    resets_at = int(time.time()) + PLAN_RESETS_S
    said = "The usage limit has been reached"
    return refusal(429, said, "usage_limit_reached", plan_type="plus", resets_at=resets_at)


def _spend_limit(_: Good) -> Reply:
    details = {"error_code": "enforced_spend_limit_reached"}
    return refusal(429, "You have reached the limit", "rate_limit_error", details=details)


Fault = Callable[[Good], Reply]
FAULTS: dict[str, Fault] = {
    # the connection
    "drop": lambda good: Reply(good.half, then="drop"),
    "stall": lambda good: Reply(good.half, then="stall"),
    "silence": lambda _: Reply((), then="stall", raw=True),
    "close": lambda _: Reply((), then="drop", raw=True),
    "short": lambda good: Reply(good.half),
    "unended": lambda good: Reply(good.pieces, then="drop"),
    "not-http": lambda _: Reply((b"\x15\x03\x01\x00\x02\x02\x46",), raw=True, then="drop"),
    "split": lambda good: Reply(_bytewise(good)),
    "drip": lambda good: Reply(good.pieces, pause_s=1.0),
    # what comes
    "garbage": lambda _: Reply((b"data: \xff\x00{not json\n\n",)),
    "huge-line": lambda _: Reply((b"data: ", *([b"x" * 1024 * 1024] * (HUGE // 1024 // 1024)))),
    "empty": lambda _: Reply(()),
    "wrong-type": lambda _: Reply((b"<html>Welcome!</html>",), headers=HTML),
    "html-as-stream": lambda _: Reply((b"\n<!doctype html><p>Sign in</p>",)),
    "text": lambda _: Reply((b"It works!",), headers={"content-type": "text/plain"}),
    "plain-stream": lambda good: Reply(good.pieces, headers={"content-type": "text/plain; charset=utf-8"}),
    "plain-split": lambda good: Reply(_bytewise(good), headers={"content-type": "application/octet-stream"}),
    "json": lambda good: Reply((good.whole,), headers=JSON),
    "json-as-stream": lambda good: Reply((good.whole,)),
    "json-cut": lambda good: Reply((good.whole[: len(good.whole) // 2],), headers=JSON),
    "gzip": _packed,
    "bad-gzip": lambda good: Reply(good.pieces, headers={**STREAM, "content-encoding": "gzip"}),
    "error-in-200": lambda _: Reply(refusal(200, "no such thing").pieces, headers=JSON),
    "overloaded-inside": lambda good: _in_the_middle(good, "overloaded_error"),
    "api-error-inside": lambda good: _in_the_middle(good, "api_error"),
    "quota-inside": lambda good: _in_the_middle(good, "insufficient_quota"),
    "used-up": lambda good: Reply(
        good.pieces,
        headers={**STREAM, "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "5s"},
    ),
    # refusals
    "redirect": lambda _: Reply((), 307, {"location": "http://user:pass@127.0.0.1:9/v1"}),
    "400-overflow": lambda _: refusal(400, "prompt is too long: 9 tokens > 8 maximum", "invalid_request_error"),
    "401": lambda _: refusal(401, "Incorrect API key provided: planted-key.", "invalid_api_key"),
    "402": lambda _: refusal(402, "Insufficient credits. Add more"),
    "403-html": lambda _: Reply((b"<html>Just a moment...</html>",), 403, HTML),
    "404": lambda _: refusal(404, "The model does not exist.", "model_not_found"),
    "429": lambda _: _limited(),
    "429-after": lambda _: _limited(retry_after="7"),
    "429-ms": lambda _: _limited(retry_after_ms="1500", retry_after="60"),
    "429-words": lambda _: refusal(429, "Limit reached. Please try again in 1.3s. Visit us", "rate_limit_exceeded"),
    "429-reset": lambda _: _limited(x_ratelimit_remaining_tokens="0", x_ratelimit_reset_tokens="1m2.5s"),
    "429-long": lambda _: _limited(retry_after="7200"),
    "429-final": lambda _: _limited(x_should_retry="false"),
    "429-stalls": lambda _: Reply((b'{"error":{"mess',), 429, JSON, then="stall"),
    "429-quota": lambda _: refusal(429, "You exceeded your current quota", "insufficient_quota"),
    "usage-limit": _usage_limit,
    "spend-limit": _spend_limit,
    "408": lambda _: refusal(408, "Request timeout"),
    "425": lambda _: refusal(425, "Too early"),
    "500": lambda _: refusal(500, "Internal error"),
    "500-final": lambda _: refusal(500, "Internal error", headers={"x-should-retry": "false"}),
    "503-html": lambda _: Reply((b"<html>busy</html>",), 503, HTML),
    "503-loading": lambda _: refusal(503, "Loading model", "unavailable_error"),
    "529": lambda _: refusal(529, "Overloaded", "overloaded_error"),
}
