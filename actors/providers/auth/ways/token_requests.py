"""Small requests to the services one signs in at. What they answer is quoted only where it can hold no secret."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec
import trio

from actors.errors import Failed, failed
from actors.messages.base import Problem
from actors.providers.faults.fault import Fault, Passing, ServiceFailed
from actors.providers.faults.foreign_json import Unreadable, decoded

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client

WITHIN_S = 15.0
AGAIN_S = (0.5, 1.0)
"""Waits before a connection is tried again."""
WORDS = re.compile(r"[\w .,:;'()/-]{1,160}")
"""An error's own words that are passed on."""
SUSPICIOUS = 12
"""Characters of a word with digits in it that may be part of a secret."""
KNOWN = frozenset(
    {"client_id", "code_challenge_method", "grant_type", "redirect_uri", "scope", "token_type_hint", "Accept"}
)
"""What may be sent under these names is no secret."""
SHORTEST = 4
"""Characters of a secret; less would be found in any word."""
LONGEST = 1024 * 1024
"""Bytes of an answer."""

Shape = TypeVar("Shape", bound=msgspec.Struct)


@dataclass(frozen=True)
class Reply:
    host: str
    status: int
    body: bytes = field(repr=False)
    sent: tuple[str, ...] = field(default=(), repr=False)
    """The secrets that it answers."""

    def read(self, shape: type[Shape]) -> Shape:
        """Raises Failed."""
        try:
            return decoded(self.body, shape)
        except Unreadable:
            raise failed("bad_stream", f"{self.host} answered with something unexpected.", "Try again.") from None

    def failed(self, doing: str) -> Failed:
        """For an answer that is no success."""
        said = _said(self.body, self.sent)
        text = f"{self.host} refused to {doing}: HTTP {self.status}{f', {said}' if said else ''}."
        if self.status >= 500 or self.status in (408, 409, 425, 429):
            return Passing(Problem(code="server_error", text=text, hint="Try again later."))
        return failed("unauthorized", text)


class _Error(msgspec.Struct):
    code: str | None = None
    message: str | None = None


class _Body(msgspec.Struct):
    error: _Error | str | None = None
    code: str | None = None
    message: str | None = None
    error_description: str | None = None


def error_code(body: bytes) -> str:
    """By which a service names what went wrong; "" when it does not."""
    read = _body(body)
    if isinstance(read.error, _Error):
        return read.error.code or ""
    return read.error or read.code or ""


def _said(body: bytes, secrets: Iterable[str]) -> str:
    read = _body(body)
    inner = read.error.message if isinstance(read.error, _Error) else read.error_description
    words = inner or read.message or error_code(body)
    return harmless(words, secrets).rstrip(".") if WORDS.fullmatch(words) else ""


def harmless(words: str, secrets: Iterable[str]) -> str:
    """Without the secrets that were sent, and without long words that look like some."""
    for secret in secrets:
        words = words.replace(secret, "…")
    return " ".join("…" if len(word) >= SUSPICIOUS and re.search(r"\d", word) else word for word in words.split())


def _body(body: bytes) -> _Body:
    try:
        return decoded(body, _Body)
    except Unreadable:
        return _Body()


def _failed(host: str, fault: Fault) -> Failed:
    problem = Problem(code=fault.code, text=f"{host}: {fault.text}", hint=fault.hint or "Try again.")
    return Passing(problem) if fault.again == "while it lasts" else Failed(problem)


def _secrets(*parts: Mapping[str, str]) -> tuple[str, ...]:
    """The longest first: one may hold another. Authorization names its kind before the token."""
    values = {value.rpartition(" ")[2] for part in parts for name, value in part.items() if name not in KNOWN}
    return tuple(sorted((value for value in values if len(value) >= SHORTEST), key=len, reverse=True))


class Web:
    """With connections of its own, made when first needed."""

    def __init__(self) -> None:
        self._client: Client | None = None

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def post(
        self, url: str, *, json: Mapping[str, Any] | None = None, form: Mapping[str, str] | None = None
    ) -> Reply:
        """Once: what it asks for may only be had once. Raises Failed."""
        sent = tuple(part for part in (json, form) if part)
        if form is not None:
            kind, content = "application/x-www-form-urlencoded", urlencode(form).encode()
        else:
            kind, content = "application/json", msgspec.json.encode(json)
        return await self._send(url, {"Content-Type": kind}, content, _secrets(*sent))

    async def get(self, url: str, headers: Mapping[str, str]) -> Reply:
        """Raises Failed."""
        return await self._send(url, headers, None, _secrets(headers))

    async def _send(
        self,
        url: str,
        headers: Mapping[str, str],
        content: bytes | None,
        secrets: tuple[str, ...],
        waits: Sequence[float] = AGAIN_S,
    ) -> Reply:
        """Only what never left this machine is sent again."""
        host = urlsplit(url).hostname or ""
        try:
            with trio.fail_after(WITHIN_S):
                status, body = await self._once(url, headers, content)
                return Reply(host, status, body, secrets)
        except ServiceFailed as error:
            fault = error.fault
            unsent = fault.code == "unreachable" and fault.again == "while it lasts"
            if not waits or not unsent:
                raise _failed(host, fault) from error
        except trio.TooSlowError as error:
            text = f"{host} has not answered for {WITHIN_S:g} s."
            raise Passing(Problem(code="stalled", text=text, hint="Try again.")) from error
        await trio.sleep(waits[0])
        return await self._send(url, headers, content, secrets, waits[1:])

    async def _once(self, url: str, headers: Mapping[str, str], content: bytes | None) -> tuple[int, bytes]:
        from actors.providers.http import small_answers
        from actors.providers.http.exchange import Client
        from actors.providers.http.pools import Call

        self._client = self._client or Client()
        call = Call(url=url, headers={"Accept": "application/json", **headers}, content=content, idle_s=WITHIN_S)
        return await small_answers.body(self._client.pools, call, LONGEST)
