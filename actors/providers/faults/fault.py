"""What went wrong with a model service, from its status, headers and words, and what the user is told."""

import time
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from actors.common.lean.late_patterns import late_pattern
from actors.errors import Failed, Trouble
from actors.messages.base import Problem, ProblemCode
from actors.providers.endpoint import Endpoint, without_secrets
from actors.providers.faults import error_body, retry_after
from actors.providers.faults.error_body import Said

Again = Literal["never", "a few times", "while it lasts"]
"""Is another try worth it? While it lasts: it is an outage, or the load, and passes by waiting."""
LONGEST_MESSAGE = 300
"""Characters of a service's own words that are passed on."""
LEAST_SECRET = 8
"""Characters: a shorter key is a placeholder such as "ollama"."""

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
    "exceeded_current_quota_error",  # Moonshot
    "quota_per_day",  # Google
    "quota_exceeded",  # this and the next two: GitHub Copilot
    "free_quota_exceeded",
    "overage_limit_reached",
    "1113",  # this and the next three: Z.ai, with HTTP 429
    "1308",
    "1309",
    "1310",
}
QUOTA_WORDS = late_pattern(
    r"credit balance is too low|insufficient (balance|credit|funds)|(spend|spending|usage|billing) (hard )?limits? "
    r"(has been |is |was )?(reached|exceeded)|reached (your|its) (\w+ ){0,4}(usage|spend|spending) limit|"
    r"used all available credits|out of credits|requires more credits"
)
QUOTA_HINT = "Check your credit and limits with the service; waiting does not help."
IMAGE_ERRORS = {  # ResponseErrorCode of https://platform.openai.com/docs/api-reference/responses/object
    "invalid_image",
    "invalid_image_format",
    "invalid_base64_image",
    "invalid_image_url",
    "invalid_image_mode",
    "image_too_large",
    "image_too_small",
    "image_parse_error",
    "image_content_policy_violation",
    "image_file_too_large",
    "image_file_not_found",
    "unsupported_image_media_type",
    "empty_image_file",
    "failed_to_download_image",
}
STATUS_OF = {  # errors inside a stream have a name where others have a status
    **dict.fromkeys(IMAGE_ERRORS, 400),
    "authentication_error": 401,
    "invalid_api_key": 401,
    "unauthenticated": 401,
    "billing_error": 402,
    "permission_error": 403,
    "permission_denied": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "conflict_error": 409,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "resource_exhausted": 429,
    "engine_overloaded_error": 429,
    "insufficient_quota": 429,
    "usage_limit_reached": 429,
    "usage_not_included": 429,
    "invalid_request_error": 400,
    "invalid_argument": 400,
    "invalid_prompt": 400,
    "context_length_exceeded": 400,
    "exceed_context_size_error": 400,
    "bio_policy": 400,
    "cyber_policy": 400,
    "data_residency_mismatch": 400,
    "api_error": 500,
    "server_error": 500,
    "internal": 500,
    "server_is_overloaded": 503,
    "slow_down": 503,
    "unavailable": 503,
    "unavailable_error": 503,
    "timeout_error": 504,
    "deadline_exceeded": 504,
    "overloaded_error": 529,
}
OVERFLOW = late_pattern(
    r"prompt (is )?too long|exceeds the context window|maximum context length|maximum prompt length|"
    r"reduce the length of the (messages|prompt)|exceeds the limit of \d+|exceeds? the available context size|"
    r"greater than the context length|context window exceeds limit|exceeded model token limit|"
    r"exceeded max context length|context_length_exceeded|exceed_context_size|"
    r"input token count.{0,200}exceeds the maximum|"
    r"input is too long for requested model|exceeds? context limit|context length of only|"
    r"longer than the (model's context|maximum model) length|exceeds the (context length|maximum allowed input length)|"
    r"range of input length should be|context length exceeded|configured context size"
)
SECRET = late_pattern(
    r"\b(?:sk|xai|key)-[\w-]{8,}|\bgsk_\w{8,}|\b(?:gh[opusr]_|github_pat_)\w{8,}|\bAIza[\w-]{20,}|\btid=[^\s\"]+|"
    r"\beyJ[\w-]{8,1000}\.[\w.-]+|(?<=Bearer )\S+"
)
PASSWORD = late_pattern(r"(?<=://)[^\s/@\"']+@")
REQUEST_ID = late_pattern(r"[\w.:/+=-]{1,128}")
REQUEST_IDS = ("request-id", "x-request-id", "x-generation-id", "x-amzn-requestid", "x-github-request-id")
SECRET_HEADER = late_pattern(r"(?i)auth|key|token|secret|cookie")

ADDRESS = "its base_url"
"""In our own words; where a variable holds the address, `clean` names that instead."""
NEXT_STEP: dict[ProblemCode, str] = {
    "unreachable": f"Is the server running, and is {ADDRESS} right?",
    "bad_stream": f"Is {ADDRESS} that of the right server, and its api right? If so, try again.",
    "stalled": "Try again, or raise idle_timeout_s of this provider in config.toml.",
    "rate_limited": "Wait a little, or choose another model.",
    "overloaded": "Try again later, or choose another model.",
    "server_error": "Try again later, or choose another model.",
    "context_overflow": "Choose a model with a larger context.",
}


class Fault(msgspec.Struct, frozen=True):
    """Why one try failed. Its text reads on after the provider's name: "ollama: the connection was refused."."""

    code: ProblemCode
    text: str
    again: Again = "never"
    wait_s: float | None = None
    """What the service asked for."""
    hint: str = ""
    status: int = 0
    """HTTP's, or what the service's words amount to; 0: it said nothing."""
    request_id: str = ""
    """What the service calls the request, for whoever asks there what became of it."""

    @property
    def slow_down(self) -> bool:
        """Is it the load that the service complains of? Then all who use this key wait."""
        return self.code in ("rate_limited", "overloaded") and self.again != "never"


class ServiceFailed(Trouble):
    """One try failed; `backoff` decides whether there is another (the providers actor acts)."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Passing(Failed):
    """As Failed, but it passes by waiting (who asks a model waits; everybody else tells the user)."""

    @property
    def fault(self) -> Fault:
        return Fault(self.problem.code, self.problem.text, "while it lasts", hint=self.problem.hint)


def broken(text: str) -> Fault:
    """The service does not keep to the format; the next try may be whole."""
    return Fault("bad_stream", text, "a few times")


def cut(text: str) -> Fault:
    """It stopped in the middle."""
    return Fault("bad_stream", text, "while it lasts")


NESTED = broken("it sent JSON that is nested without end.")
STALLED = Fault("stalled", "nothing came for so long that the connection counts as dead.", "while it lasts")
ENDED = cut("the stream ended in the middle.")
FOREIGN = broken("its stream had nothing in it of the format that it was asked in.")


def of_response(status: int, headers: Mapping[str, str], body: bytes, now: float) -> Fault:
    """now: seconds since the epoch."""
    said = error_body.read(body, now)
    fault = _classed(status, said, f"HTTP {status}", now)
    if fault.code == "unreachable" and "location" in headers:
        where = without_secrets(headers["location"])[:LONGEST_MESSAGE]
        fault = msgspec.structs.replace(fault, text=f"HTTP {status}: the server redirects to {where}.")
    return _advised(fault, said, headers, now)


def of_event(data: bytes, now: float | None = None) -> Fault:
    """An error that came inside a stream, after HTTP 200, or as a frame of a socket."""
    now = time.time() if now is None else now
    said = error_body.read(data, now)
    status = said.status or next((STATUS_OF[name] for name in said.names if name in STATUS_OF), 0)
    return _advised(_classed(status, said, "an error in the middle of the answer", now), said, {}, now)


def named(fault: Fault | None, headers: Mapping[str, str]) -> Fault | None:
    """With what the service calls the request; headers: those of its answer, lower case."""
    if fault is None or fault.request_id:
        return fault
    return msgspec.structs.replace(fault, request_id=_request_id(headers.get(name, "") for name in REQUEST_IDS))


def _request_id(candidates: Iterable[str]) -> str:
    """The first that is one and no text."""
    return next((one for one in candidates if REQUEST_ID.fullmatch(one)), "")


def problem(fault: Fault, endpoint: Endpoint) -> Problem:
    """In words for the user; no secret is in them."""
    fault = clean(msgspec.structs.replace(fault, hint=fault.hint or _next_step(fault, endpoint)), endpoint)
    request = f" (request {fault.request_id})" if fault.request_id else ""
    text = f"{endpoint.provider} ({endpoint.shown_url}): {fault.text}{request}"
    return Problem(code=fault.code, text=text, hint=fault.hint)


def clean(fault: Fault, endpoint: Endpoint) -> Fault:
    """Without keys, whoever wrote them there; with the variable that holds the address."""
    secrets = [value for name, value in endpoint.headers.items() if SECRET_HEADER.search(name)]
    text, hint, request_id = fault.text, fault.hint, fault.request_id
    for secret in (endpoint.key, *secrets):
        text, hint, request_id = (redacted(one, secret) for one in (text, hint, request_id))
    if endpoint.url_variable:
        text, hint = text.replace(ADDRESS, endpoint.url_variable), hint.replace(ADDRESS, endpoint.url_variable)
    return msgspec.structs.replace(fault, text=text, hint=hint, request_id=request_id)


def redacted(text: str, key: str) -> str:
    text = text.replace(key, "[key]") if len(key) >= LEAST_SECRET else text
    return PASSWORD.sub("", SECRET.sub("[key]", text))


def _next_step(fault: Fault, endpoint: Endpoint) -> str:
    if fault.code != "unauthorized":
        return NEXT_STEP.get(fault.code, "")
    if endpoint.sign_in:
        return f"Sign in again: trouper auth login {endpoint.sign_in}"
    if endpoint.kept:
        return f"Keep another key: trouper auth set {endpoint.provider}"
    if endpoint.key_env:
        return f"Check the key in {endpoint.key_env}."
    return f"It wants a key: name its variable (api_key_env), or keep it: trouper auth set {endpoint.provider}"


def _advised(fault: Fault, said: Said, headers: Mapping[str, str], now: float) -> Fault:
    """With what the service says about another try."""
    headers = {**said.headers, **{name.lower(): value for name, value in headers.items()}}
    fault = msgspec.structs.replace(fault, request_id=_request_id((said.request_id,)))
    fault = named(fault, headers) or fault
    wait_s = retry_after.asked(headers, now) or said.wait_s
    if fault.code == "rate_limited" and fault.again == "never":
        if fault.status != 402 or wait_s is None or not QUOTA.isdisjoint(said.names):
            return fault  # used up, and no advice changes that
        fault = Fault("rate_limited", fault.text, "while it lasts", status=402)  # only these of OpenRouter's pass
    if fault.status in (429, 503, 529):
        wait_s = wait_s or (said.resets_at - now if said.resets_at and said.resets_at > now else None)
        wait_s = wait_s or retry_after.asked_in_words(said.message) or retry_after.used_up(headers, now)
    return msgspec.structs.replace(fault, wait_s=wait_s, again=_again(fault, headers.get("x-should-retry", "")))


def _again(fault: Fault, should_retry: str) -> Again:
    if should_retry == "false":
        return "never"
    return "a few times" if should_retry == "true" and fault.again == "never" else fault.again


def _classed(status: int, said: Said, what: str, now: float) -> Fault:
    fault = _kind(status, said, _words(said, what), now)
    return msgspec.structs.replace(fault, status=status)


def _words(said: Said, what: str) -> str:
    message = " ".join(said.message.split())[:LONGEST_MESSAGE].rstrip(".")
    return f"{what}: {message}." if message else f"{what}."


def _kind(status: int, said: Said, text: str, now: float) -> Fault:
    lower = said.message.lower()
    if status == 413 or OVERFLOW.search(" ".join((lower, *said.names))):  # llama.cpp says it with 500
        return Fault("context_overflow", text)
    refused = status == 0 or 400 <= status < 500
    if status == 402 or not QUOTA.isdisjoint(said.names) or (refused and QUOTA_WORDS.search(lower)):
        return Fault("rate_limited", text, hint=_used_up_until(said, now))
    if status == 429 and "request too large" in lower:
        hint = "It is more than your limit for a minute: sum it up with /compact, or choose another model."
        return Fault("rate_limited", text, hint=hint)
    if "model_not_found" in said.names or "not a valid model" in lower or (status == 404 and "model" in lower):
        return Fault("unknown_model", text)
    if status == 403 and said.html:
        what = f"{text.rstrip('.')}: a web page came; whatever guards the service turned the request away."
        return Fault("unauthorized", what, hint="Try again later, or without the proxy or VPN you may be using.")
    return _by_status(status, text)


def _by_status(status: int, text: str) -> Fault:
    match status:
        case 401 | 403:
            return Fault("unauthorized", text)
        case 404 | 405 | 501:
            return Fault("unreachable", text, hint=f"Nothing answers there: check {ADDRESS}.")
        case _ if 0 < status < 400:
            return Fault("unreachable", text, hint=f"Set {ADDRESS} to the address that answers itself.")
        case 429:
            return Fault("rate_limited", text, "while it lasts")
        case 503 | 529:
            return Fault("overloaded", text, "while it lasts")
        case _ if status in (408, 409, 425) or status >= 500:
            return Fault("server_error", text, "while it lasts")
        case 0:
            return Fault("server_error", text, "a few times")
        case _:
            return Fault("bad_request", text)


def _used_up_until(said: Said, now: float) -> str:
    if "usage_not_included" in said.names:
        return "Your plan does not include this: choose another model, or another provider."
    if not said.resets_at or said.resets_at <= now:
        return QUOTA_HINT
    whose = f"your {said.plan} plan" if said.plan else "your plan"
    until = f"{retry_after.clock(said.resets_at, now)} (in {retry_after.length(said.resets_at - now)})"
    return f"What {whose} includes is used up until {until}; until then choose another model."
