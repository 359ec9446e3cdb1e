"""Bodies that are read whole, up to a size: more of it, or what would be more unpacked, is a broken connection."""

import httpx2

from actors.common.plurals import how_many

DOCUMENT_BYTES = 1024 * 1024
"""Of what a service tells in a sign-in: metadata, a registration, tokens."""
PLAIN = "identity"
"""The encoding to ask for: 24 MB that are compressed can be 24 GB, and a body is bounded before it is unpacked."""


def bound(response: httpx2.Response, most: int) -> None:
    """most: bytes, as they come. Reading more raises httpx2.ReadError."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream, most)


def is_compressed(response: httpx2.Response) -> bool:
    return response.headers.get("content-encoding", PLAIN).strip().lower() != PLAIN


class _Bounded(httpx2.AsyncByteStream):
    """No generator: one that is left in the middle is told of when it is collected."""

    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        self._inner = inner
        self._chunks = aiter(inner)
        self._most = most
        self._read = 0

    def __aiter__(self) -> "_Bounded":
        return self

    async def __anext__(self) -> bytes:
        chunk = await anext(self._chunks)
        self._read += len(chunk)
        if self._read > self._most:
            raise httpx2.ReadError(f"the answer is longer than {how_many(self._most, 'byte')}")
        return chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
