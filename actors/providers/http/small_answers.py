"""Answers that are small when all is well: read whole, but never more of them than they may have."""

from actors.providers.faults.fault import ServiceFailed, broken
from actors.providers.http import network_faults
from actors.providers.http.pools import Call, Pools, Response
from actors.providers.http.unpacking import Unpacking

TOO_MUCH = broken("it answered with far more than was asked for.")


async def body(pools: Pools, call: Call, most: int) -> tuple[int, bytes]:
    """The status, and at most `most` bytes. Raises ServiceFailed, also for more."""
    try:
        response = await pools.send(call)
        try:
            return response.status, await _whole(response, most)
        finally:
            await response.aclose()
    except network_faults.ERRORS as error:
        raise ServiceFailed(network_faults.of(error)) from error


async def _whole(response: Response, most: int) -> bytes:
    unpacking, whole = Unpacking(response.encoding), bytearray()

    async def take(packed: bytes) -> None:
        for piece in unpacking.unpack(packed):
            whole.extend(piece)
            if len(whole) > most:
                raise ServiceFailed(TOO_MUCH)

    await response.read(take)
    unpacking.end()
    return bytes(whole)
