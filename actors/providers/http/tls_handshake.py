"""TLS on a connection, and the server that speaks plain http where https was asked for: it is named within a second.

Some of these answer a TLS greeting with an error, which OpenSSL takes for a wrong version; others wait for its end for
ever. Nothing is sent to them but a request for "/" without any header.
"""

import ssl

import trio

from actors.providers.http.httpcore_library import httpcore

SILENT_S = 0.4
"""A handshake on this machine that takes longer is looked into, while it goes on."""
ASK_S = 2.0
REFUSED = b" 400"
"""What servers with TLS answer to plain http, some of them in plain http."""


class SpeaksPlainly(httpcore.ConnectError):
    """There is no TLS at that port."""


async def secured(
    plain: httpcore.AsyncNetworkStream, context: ssl.SSLContext, host: str, within_s: float | None, *, here: bool
) -> httpcore.AsyncNetworkStream:
    """here: the host is this machine. Raises httpcore.ConnectError and ConnectTimeout."""
    address = plain.get_extra_info("server_addr")
    secure: httpcore.AsyncNetworkStream | None = None
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:

        async def watch() -> None:
            await trio.sleep(SILENT_S)
            if await _speaks_plainly(address):
                nursery.cancel_scope.cancel()

        if here:
            nursery.start_soon(watch)
        try:
            secure = await plain.start_tls(context, host, within_s)
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            failure = error  # a nursery would make a group of it
        nursery.cancel_scope.cancel()
    if secure is not None:
        return secure
    if failure is not None and (_has_certificate(failure) or not await _speaks_plainly(address)):
        raise failure
    await plain.aclose()
    raise SpeaksPlainly


def _has_certificate(failure: BaseException | None) -> bool:
    """The server showed one that is not believed, so it does speak TLS."""
    while failure is not None and not isinstance(failure, ssl.SSLCertVerificationError):
        failure = failure.__cause__ or failure.__context__
    return failure is not None


async def _speaks_plainly(address: tuple[str, int]) -> bool:
    received = b""
    with trio.move_on_after(ASK_S):
        try:
            async with await trio.open_tcp_stream(address[0], address[1]) as stream:
                await stream.send_all(b"GET / HTTP/1.0\r\n\r\n")
                while b"\n" not in received and (piece := await stream.receive_some(1024)):
                    received += piece
        except (OSError, trio.BrokenResourceError):
            return False
    return received.startswith(b"HTTP/") and REFUSED not in received.partition(b"\n")[0]
