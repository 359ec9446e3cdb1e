"""What went wrong with a model service, from its status, headers and words, and what the user is told. No I/O.

Error bodies come in many forms (OpenAI, Anthropic, FastAPI, plain text, HTML, nothing), so they are read leniently.
"""

import email.utils
import re
from collections.abc import Mapping

import msgspec

from actors.errors import Trouble
from actors.messages.base import Problem, ProblemCode
from actors.providers.endpoint import Endpoint, without_secrets

TRIES = 4
"""In all, for what may pass by itself."""
LONGEST_MESSAGE = 300
"""Characters of a service's own words that are passed on."""

QUOTA = {  # no waiting helps: https://platform.openai.com/docs/guides/error-codes, https://docs.claude.com/en/api/errors
    "insufficient_quota",
    "billing_error",
    "credit_balance_exhausted",
    "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded",
    "enforced_spend_limit_reached",
    "usage_limit_reached",
    "usage_not_included",
}
STATUS_OF = {  # errors inside a stream have a name where others have a status
    "authentication_error": 401,
    "invalid_api_key": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "conflict_error": 409,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "invalid_request_error": 400,
    "api_error": 500,
    "server_error": 500,
    "server_is_overloaded": 503,
    "timeout_error": 504,
    "overloaded_error": 529,
}
OVERFLOW = re.compile(
    r"prompt (is )?too long|exceeds the context window|maximum context length|maximum prompt length|"
    r"reduce the length of the messages|exceeds the limit of \d+|exceeds? the available context size|"
    r"greater than the context length|context window exceeds limit|exceeded model token limit|"
    r"exceeded max context length|context_length_exceeded|exceed_context_size"
)
SHOULD_RETRY = {"true": TRIES, "false": 1}
SECRET = re.compile(r"\b(sk|gsk|xai|key)-[\w-]{8,}|(?<=Bearer )\S+")

NEXT_STEP: dict[ProblemCode, str] = {
    "unreachable": "Is the server running, and is its base_url right?",
    "bad_stream": "Is this the right server and api for that base_url? If so, try again.",
    "stalled": "Try again, or raise idle_timeout_s of this provider in config.toml.",
    "rate_limited": "Wait a little, or choose another model.",
    "overloaded": "Try again later, or choose another model.",
    "server_error": "Try again later, or choose another model.",
    "context_overflow": "Start a new session, or choose a model with a larger context.",
}


class Fault(msgspec.Struct, frozen=True):
    """Why one try failed. Its text reads on after the provider's name: "ollama: the connection was refused."."""

    code: ProblemCode
    text: str
    tries: int = 1
    """How often a request that fails like this is worth sending, in all."""
    wait_s: float | None = None
    """What the service asked for."""
    hint: str = ""


class ServiceFailed(Trouble):
    """One try failed; `retry` decides whether there is another (the providers actor acts)."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class _Details(msgspec.Struct):
    error_code: str | None = None


class _Error(msgspec.Struct):
    message: str | None = None
    type: str | None = None
    code: str | int | None = None
    status_code: int | None = None
    details: _Details | None = None


class _Body(_Error):
    error: _Error | str | None = None
    detail: msgspec.Raw = msgspec.Raw(b"")
    object: str | None = None


def broken(text: str) -> Fault:
    """The service does not keep to the format, or stopped in the middle; the next try may be whole."""
    return Fault("bad_stream", text, tries=TRIES)


def of_response(status: int, headers: Mapping[str, str], body: bytes, now: float) -> Fault:
    """now: seconds since the epoch, for a retry-after that is a date."""
    error = _read(body)
    fault = _classed(status, error, f"HTTP {status}")
    if fault.code == "unreachable" and "location" in headers:
        where = without_secrets(headers["location"])
        fault = msgspec.structs.replace(fault, text=f"HTTP {status}: the server redirects to {where}.")
    if advice := SHOULD_RETRY.get(headers.get("x-should-retry", "")):
        fault = msgspec.structs.replace(fault, tries=advice)
    return msgspec.structs.replace(fault, wait_s=_asked_wait(headers, now))


def of_event(data: bytes) -> Fault:
    """An error that came inside a stream, after HTTP 200."""
    error = _read(data)
    names = _names(error)
    status = error.status_code or (error.code if isinstance(error.code, int) else 0)
    status = status or next((STATUS_OF[name] for name in names if name in STATUS_OF), 500)
    return _classed(status, error, "an error in the middle of the answer")


def problem(fault: Fault, endpoint: Endpoint) -> Problem:
    """In words for the user; no secret is in them."""
    return Problem(
        code=fault.code,
        text=redacted(f"{endpoint.provider} ({endpoint.shown_url}): {fault.text}", endpoint.key),
        hint=redacted(fault.hint, endpoint.key) or _next_step(fault, endpoint),
    )


def redacted(text: str, key: str) -> str:
    return SECRET.sub("[key]", text.replace(key, "[key]") if key else text)


def _next_step(fault: Fault, endpoint: Endpoint) -> str:
    if fault.code == "unauthorized":
        return (
            f"Check the key in {endpoint.key_env}." if endpoint.key_env else "Name its key: api_key_env in config.toml."
        )
    return NEXT_STEP.get(fault.code, "")


def _read(body: bytes) -> _Error:
    try:
        read = msgspec.json.decode(body, type=_Body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        text = body.decode("utf-8", "replace").strip()
        return _Error(message="" if text.startswith("<") else text)
    if isinstance(read.error, _Error):
        return read.error
    return _Error(read.error or read.message or bytes(read.detail).decode(), read.type, read.code, read.status_code)


def _names(error: _Error) -> list[str]:
    details = error.details.error_code if error.details else None
    return [name for name in (details, error.code, error.type) if isinstance(name, str)]


def _classed(status: int, error: _Error, what: str) -> Fault:
    said = " ".join((error.message or "").split())[:LONGEST_MESSAGE]
    text = f"{what}: {said.rstrip('.')}." if said else f"{what}."
    names, lower = _names(error), said.lower()
    if 400 <= status < 500 and (status == 413 or OVERFLOW.search(" ".join((lower, *names)))):
        return Fault("context_overflow", text)
    if status == 402 or not QUOTA.isdisjoint(names):
        return Fault("rate_limited", text, hint="Check your credit and limits with the service; waiting does not help.")
    if "model_not_found" in names or "not a valid model" in lower or (status == 404 and "model" in lower):
        return Fault("unknown_model", text)
    match status:
        case 401 | 403:
            return Fault("unauthorized", text)
        case 404 | 405:
            return Fault("unreachable", text, hint="Nothing answers there: check this provider's base_url.")
        case _ if status < 400:
            return Fault("unreachable", text, hint="Set base_url to the address that answers itself.")
        case 429:
            return Fault("rate_limited", text, tries=TRIES)
        case 503 | 529:
            return Fault("overloaded", text, tries=TRIES)
        case _ if status in (408, 409) or status >= 500:
            return Fault("server_error", text, tries=TRIES)
        case _:
            return Fault("bad_request", text)


def _asked_wait(headers: Mapping[str, str], now: float) -> float | None:
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return _positive(float(milliseconds) / 1000)
        after = headers.get("retry-after", "")
        if not after or after[0].isdigit():
            return _positive(float(after or 0))
        return _positive(email.utils.parsedate_to_datetime(after).timestamp() - now)
    except ValueError:
        return None


def _positive(seconds: float) -> float | None:
    return seconds if seconds > 0 else None
