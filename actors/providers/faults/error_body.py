"""What a service says about an error. The forms are many (OpenAI, Anthropic, Google, FastAPI, llama.cpp, plain text,
HTML, nothing) and none is kept to, so they are read leniently. No I/O.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from actors.providers.faults import retry_after

Json = Any  # a body may be anything; msgspec knows no recursive types
NOTHING: dict[str, Json] = {}
NO_ERROR = (b"", b"null", b"false", b'""', b"{}", b"[]")
STATUS_DIGITS = 3


class Said(msgspec.Struct, frozen=True, kw_only=True):
    message: str = ""
    names: tuple[str, ...] = ()
    """Codes and types, lower case, the most telling first."""
    status: int = 0
    """HTTP's, where the body has one."""
    wait_s: float | None = None
    resets_at: float | None = None
    """Seconds since the epoch."""
    plan: str = ""
    headers: Mapping[str, str] = {}
    """Those of a service behind the one that was asked, or of a socket's frame."""
    html: bool = False
    request_id: str = ""


FARTHEST = 1e12
"""Seconds since the epoch: no moment that a service means lies beyond."""


def is_one(error: bytes) -> bool:
    """Does this member of an answer name an error? Some services always send one."""
    return bytes(error).strip() not in NO_ERROR


def read(body: bytes, now: float) -> Said:
    try:
        whole = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = body.decode("utf-8", "replace").strip()
        html = text.startswith("<")
        return Said(message="" if html else text, html=html)
    while isinstance(whole, list) and whole:
        whole = whole[0]  # Google
    if not isinstance(whole, dict):
        return Said(message=_text(whole))
    outer = whole["response"] if isinstance(whole.get("response"), dict) else whole
    error = outer.get("error")
    if isinstance(error, dict):
        return _read(error, whole, now)
    return _read(outer | {"message": error} if _text(error) else outer, whole, now)


def _read(error: dict[str, Json], outer: dict[str, Json], now: float) -> Said:
    metadata, details = _object(error.get("metadata")), error.get("details")
    message = _text(error.get("message")) or _text(error.get("detail")) or _text(error.get("error_description"))
    if raw := _text(metadata.get("raw")):
        message = f"{message}: {raw}"
    levels = [error, *([outer] if outer is not error else [])]
    resets_at = _first_number(levels, "resets_at")
    if resets_at is None and (seconds := _first_number(levels, "resets_in_seconds")) is not None:
        resets_at = now + seconds
    if resets_at is not None and resets_at > now + retry_after.LONGEST_S:
        resets_at = None
    headers: dict[str, str] = {}
    for place in (outer.get("headers"), error.get("headers"), metadata.get("headers")):
        headers |= {name.lower(): _text(value) for name, value in _object(place).items()}
    named = [_object(details).get("error_code"), *(error.get(key) for key in ("code", "type", "status"))]
    return Said(
        message=message,
        names=tuple(name.lower() for name in [*named, *_quotas(details)] if isinstance(name, str)),
        status=_status(levels),
        wait_s=_delay(details),
        resets_at=resets_at,
        plan=next((level["plan_type"] for level in levels if isinstance(level.get("plan_type"), str)), ""),
        headers=headers,
        request_id=next((level["request_id"] for level in levels if isinstance(level.get("request_id"), str)), ""),
    )


def _status(levels: list[dict[str, Json]]) -> int:
    values = (level.get(key) for level in levels for key in ("status_code", "status", "code"))
    numbers = (_number(value) for value in values)
    return next((number for number in numbers if 300 <= number < 600), 0)


def _number(value: Json) -> int:
    if isinstance(value, str) and len(value) == STATUS_DIGITS and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) else 0


def _first_number(levels: list[dict[str, Json]], key: str) -> float | None:
    values = (level.get(key) for level in levels)
    return next((float(value) for value in values if isinstance(value, int | float) and 0 < value < FARTHEST), None)


def _delay(details: Json) -> float | None:
    """Google's RetryInfo."""
    return next(
        (
            retry_after.duration(_text(detail.get("retryDelay")))
            for detail in _objects(details)
            if "retryDelay" in detail
        ),
        None,
    )


def _quotas(details: Json) -> Iterator[str]:
    """Google's QuotaFailure: a quota that is for a day says so in its name."""
    for detail in _objects(details):
        for violation in _objects(detail.get("violations")):
            if "PerDay" in _text(violation.get("quotaId")):
                yield "quota_per_day"


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else NOTHING


def _text(value: Json) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case list() | dict():
            return msgspec.json.encode(value).decode()
        case _:
            return str(value)
