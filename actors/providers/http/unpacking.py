"""Unpacking what comes compressed: gzip alone, which is all that is asked for, in pieces of bounded size.

A few compressed bytes can become gigabytes, and a service may name as many layers as it likes.
"""

import zlib
from collections.abc import Iterator

from actors.providers.faults.fault import ServiceFailed, broken

AT_ONCE = 256 * 1024
"""Bytes of a piece."""
GZIP = 16 + zlib.MAX_WBITS
"""How zlib is told."""
DAMAGED = broken("what came is compressed and cannot be unpacked.")
UNASKED = broken("it answered in an encoding that it was not asked for.")


class Unpacking:
    def __init__(self, encoding: str) -> None:
        """encoding: lower case, "identity" for none. Raises ServiceFailed for one that was not asked for."""
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise ServiceFailed(UNASKED)
        self._inflate = zlib.decompressobj(GZIP) if "gzip" in encoding else None
        self._begun = False

    def unpack(self, piece: bytes) -> Iterator[bytes]:
        """Raises ServiceFailed."""
        if self._inflate is None:
            yield piece
            return
        self._begun = self._begun or bool(piece)
        while piece:
            try:
                unpacked = self._inflate.decompress(piece, AT_ONCE)
            except zlib.error as error:
                raise ServiceFailed(DAMAGED) from error
            if unpacked:
                yield unpacked
            piece = self._inflate.unconsumed_tail

    def end(self) -> None:
        """Raises ServiceFailed where something is missing."""
        if self._inflate is not None and self._begun and not self._inflate.eof:
            raise ServiceFailed(DAMAGED)
