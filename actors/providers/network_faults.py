"""From what httpx raises to a Fault in words."""

import socket
import ssl
from collections.abc import Iterator

from actors.providers.faults import TRIES, Fault, broken
from actors.providers.library import httpx
from actors.providers.tls import NO_URL

NOT_TRUSTED_HINT = (
    "Is it an authority of your own, or a proxy that reads along? Name its certificate in SSL_CERT_FILE, "
    "or use the name the certificate is for."
)


def of(error: httpx.HTTPError | httpx.InvalidURL) -> Fault:
    match error:
        case httpx.ReadTimeout() | httpx.WriteTimeout():
            return Fault("stalled", "nothing came for so long that the connection counts as dead.", tries=2)
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return NO_URL
        case httpx.ConnectTimeout():
            return Fault("unreachable", "connecting took too long.", tries=TRIES)
        case httpx.ConnectError() | httpx.ProxyError():
            return _unreachable(error)
        case httpx.LocalProtocolError():
            return Fault("bad_request", "the request cannot be written as HTTP.")  # its words may hold a header
        case httpx.RemoteProtocolError() | httpx.NetworkError():
            return broken("the connection broke, or what came is not HTTP.")
        case httpx.DecodingError():
            return broken("what came is compressed and cannot be unpacked.")
        case _:
            return broken(f"{type(error).__name__}.")


def _unreachable(error: BaseException) -> Fault:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = f"no trusted connection: {cause.verify_message or cause.reason or cause}."
            return Fault("unreachable", why, hint=NOT_TRUSTED_HINT)
        if isinstance(cause, ssl.SSLError):
            why = f"no secure connection: {cause.reason or cause}."
            return Fault("unreachable", why, hint="Does it speak https at all, and at that port?")
        if isinstance(cause, socket.gaierror):
            return Fault("unreachable", "no machine of that name is known.", tries=TRIES)
        if isinstance(cause, ConnectionRefusedError):
            return Fault("unreachable", "the connection was refused.", tries=TRIES)
    return Fault("unreachable", f"no connection: {str(error) or 'it was closed at once'}.", tries=TRIES)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _causes(inner)
        error = error.__cause__ or error.__context__
