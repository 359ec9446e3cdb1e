"""From what httpcore raises to a Fault in words."""

import re
import socket
import ssl
from collections.abc import Iterator

from actors.providers.faults.fault import ADDRESS, STALLED, Again, Fault, broken, cut
from actors.providers.http.httpcore_library import httpcore
from actors.providers.http.tls_handshake import SpeaksPlainly

NOT_TRUSTED_HINT = (
    "Is it an authority of your own, or a proxy that reads along? Name its certificate in SSL_CERT_FILE, "
    "or use the name the certificate is for."
)
GONE = re.compile("disconnected|closed connection")
"""In the words of httpcore and h11 where the other side hung up; else what it sent is not HTTP."""
ERRORS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)
"""All that httpcore raises for a request."""
NO_TLS = {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION"}
"""Reasons of OpenSSL's that do not pass."""


def of(error: Exception) -> Fault:
    """error: one of ERRORS."""
    match error:
        case httpcore.ReadTimeout() | httpcore.WriteTimeout():
            return STALLED
        case httpcore.ConnectTimeout():
            return Fault("unreachable", "connecting took too long.", "while it lasts")
        case httpcore.ConnectError() | httpcore.ProxyError():
            return _unreachable(error)
        case httpcore.LocalProtocolError():
            return Fault("bad_request", "the request cannot be written as HTTP.")  # its words may hold a header
        case httpcore.RemoteProtocolError() if not GONE.search(str(error)):
            return broken("what came is not HTTP.")
        case httpcore.RemoteProtocolError() | httpcore.NetworkError():
            return cut("the connection broke.")
        case _:
            return broken(f"{type(error).__name__}.")


def _unreachable(error: BaseException) -> Fault:
    for cause in _causes(error):
        if isinstance(cause, SpeaksPlainly):
            why = "it speaks plain http at that port, and https was asked for."
            return Fault("unreachable", why, hint=f"Write http:// in {ADDRESS}.")
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = f"no trusted connection: {cause.verify_message or cause.reason or cause}."
            return Fault("unreachable", why, hint=NOT_TRUSTED_HINT)
        if isinstance(cause, ssl.SSLError):
            why = f"no secure connection: {cause.reason or cause}."
            again: Again = "never" if cause.reason in NO_TLS else "while it lasts"
            return Fault("unreachable", why, again, hint="Does it speak https at all, and at that port?")
        if isinstance(cause, socket.gaierror):
            return Fault("unreachable", "no machine of that name is known.", "while it lasts")
        if isinstance(cause, ConnectionRefusedError):
            return Fault("unreachable", "the connection was refused.", "while it lasts")
    return Fault("unreachable", f"no connection: {str(error) or 'it was closed at once'}.", "while it lasts")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _causes(inner)
        error = error.__cause__ or error.__context__
