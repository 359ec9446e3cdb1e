"""One URL's answer: redirects followed by ourselves, nothing endless read. Importing it loads httpcore.

httpcore does HTTP and no more: no cookies, proxies, redirects or unpacking happen that are not written here.
"""

import ssl
import zlib
from collections.abc import Mapping

import httpcore
import msgspec
import trio

from actors.confinement.errors import ToolFailed
from actors.tools import limits
from actors.tools.web.network import Network, Public, without_proxy
from actors.tools.web.urls import Method, Url, redirected

REDIRECTS = (301, 302, 303, 307, 308)
AGENT = "Mozilla/5.0 (compatible; Trouper)"
ACCEPT = "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.5"
GZIP = 16 + zlib.MAX_WBITS
"""How zlib is told."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    url: Url
    """That answered, after all redirects."""
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    cut: bool = False
    """There was more."""
    leads_to: Url | None = None
    """A redirect that was not followed: it leads to another host, see DECISIONS."""


async def ask(url: Url, method: Method, headers: Mapping[str, str], network: Network) -> Answer:
    """Raises ToolFailed, also when it takes too long."""
    try:
        with trio.fail_after(limits.WEB_S):
            return await _followed(url, method, headers, network)
    except trio.TooSlowError as error:
        raise ToolFailed(f"{url.authority} has not answered whole within {limits.WEB_S:g} s.") from error


async def _followed(url: Url, method: Method, headers: Mapping[str, str], network: Network) -> Answer:
    at = url
    for _ in range(limits.WEB_HOPS + 1):
        answer = await _asked(at, method, headers, network)
        location = answer.headers.get("location", "") if answer.status in REDIRECTS else ""
        if not location:
            return answer
        next_one = redirected(at, location)
        if next_one.host != at.host:
            return Answer(url=at, status=answer.status, headers={}, body=b"", leads_to=next_one)
        headers = headers if next_one.origin == at.origin else {}
        at = next_one
    raise ToolFailed(f"{url} redirects more than {limits.WEB_HOPS} times.")


async def _asked(url: Url, method: Method, headers: Mapping[str, str], network: Network) -> Answer:
    own = {"host": url.authority, "user-agent": AGENT, "accept": ACCEPT, **headers, "accept-encoding": "gzip"}
    target = httpcore.URL(scheme=url.scheme, host=url.host, port=url.port, target=url.target)
    try:
        context = network.trust() if url.scheme == "https" else None
        async with (
            httpcore.AsyncConnectionPool(ssl_context=context, network_backend=Public(network)) as pool,
            pool.stream(method, target, headers=list(own.items())) as response,
        ):
            return await _read(url, response)
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError) as error:
        raise ToolFailed(_in_words(url, error)) from error


async def _read(url: Url, response: httpcore.Response) -> Answer:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1").strip() for name, value in response.headers}
    encoding = headers.get("content-encoding", "identity").lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        raise ToolFailed(f"{url} answered in an encoding it was not asked for.")
    body = _Body(packed=encoding != "identity")
    if response.status not in REDIRECTS:
        with trio.CancelScope() as reading:
            async for piece in response.aiter_stream():
                if not body.take(piece):
                    reading.cancel()  # to leave the loop would leave httpcore's generators open
    if body.wrong:
        raise ToolFailed(f"{url} answered with damaged compressed data.")
    return Answer(url=url, status=response.status, headers=headers, body=bytes(body.data), cut=body.full)


class _Body:
    """Grows to its limit and no further, however much a few packed bytes stand for."""

    def __init__(self, *, packed: bool) -> None:
        self.data = bytearray()
        self.full = False
        self.wrong = False
        self._unpacker = zlib.decompressobj(GZIP) if packed else None
        self._came = 0

    def take(self, piece: bytes) -> bool:
        """Is more wanted?"""
        if self.full or self.wrong:
            return False
        room = limits.WEB_BYTES - len(self.data)
        self._came += len(piece)
        try:
            plain = self._unpacker.decompress(piece, room + 1) if self._unpacker else piece
        except zlib.error:
            self.wrong = True
            return False
        self.data += plain[:room]
        self.full = len(plain) > room or self._came > limits.WEB_BYTES
        return not self.full


def _in_words(url: Url, error: Exception) -> str:
    cause = _cause(error)
    match cause:
        case ssl.SSLCertVerificationError():
            return f"{url.authority} has no certificate that is trusted: {cause.verify_message or cause.reason}."
        case ssl.SSLError():
            return f"No secure connection to {url.authority}: {cause.reason or 'it does not speak TLS there'}."
        case httpcore.NetworkError() | httpcore.TimeoutException() | OSError():
            why = str(cause) or "it was closed, or took too long"
            return f"No connection to {url.authority}: {why}.{without_proxy()}"
        case _:
            return f"{url.authority} did not answer with HTTP that can be read."


def _cause(error: BaseException) -> BaseException:
    """A TLS error, or the error itself."""
    inner: BaseException | None = error
    while inner is not None:
        if isinstance(inner, ssl.SSLError):
            return inner
        inner = inner.__cause__ or inner.__context__
    return error
