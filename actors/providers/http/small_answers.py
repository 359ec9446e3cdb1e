"""Answers that are small when all is well: read whole, but never more of them than they may have. Loads httpx.

httpx would decode what it read at once, and few compressed bytes can become gigabytes: so only gzip is taken, bounded.
"""

import zlib

import trio

from actors.providers.faults.fault import Fault, ServiceFailed
from actors.providers.http.httpx_library import httpx

DAMAGED = "its compressed answer is damaged."
ACCEPTED = {"Accept-Encoding": "gzip"}
GZIP = 16 + zlib.MAX_WBITS
"""How zlib is told."""


async def body(pool: httpx.AsyncClient, request: httpx.Request, most: int) -> tuple[int, bytes]:
    """The status, and at most `most` bytes. Raises ServiceFailed for more, and httpx.HTTPError."""
    response = await pool.send(request, stream=True)
    try:
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", "gzip"):
            raise ServiceFailed(Fault("bad_stream", "it answered in an encoding that it was not asked for."))
        whole = _Whole(most, packed=encoding == "gzip")
        with trio.CancelScope() as reading:
            async for piece in response.aiter_raw():
                if not whole.take(piece):
                    reading.cancel()  # to leave the loop would leave httpx's generators open
        return response.status_code, whole.data
    finally:
        await response.aclose()


class _Whole:
    def __init__(self, most: int, *, packed: bool) -> None:
        self._packed = zlib.decompressobj(GZIP) if packed else None
        self._left = most
        self._pieces: list[bytes] = []
        self._wrong = ""

    def take(self, piece: bytes) -> bool:
        """Is more wanted?"""
        if self._wrong:
            return False
        try:
            unpacked = self._packed.decompress(piece, self._left + 1) if self._packed else piece
        except zlib.error:
            self._wrong = DAMAGED
            return False
        self._left -= len(unpacked)
        if self._left < 0:
            self._wrong = "it answered with far more than was asked for."
            return False
        self._pieces.append(unpacked)
        return True

    @property
    def data(self) -> bytes:
        """Raises ServiceFailed."""
        wrong = self._wrong or (DAMAGED if self._packed and self._pieces and not self._packed.eof else "")
        if wrong:
            raise ServiceFailed(Fault("bad_stream", wrong))
        return b"".join(self._pieces)
