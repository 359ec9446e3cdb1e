"""What may be sent where: whose certificates are believed, where plain http may go, what can be in a header."""

import os
import re
import ssl
import sys
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from actors.providers.endpoint import Endpoint
from actors.providers.faults.fault import ADDRESS, Fault, ServiceFailed
from actors.providers.services.addresses import is_here

HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
BUNDLES = (  # where systems keep their authorities when Python's own OpenSSL looks elsewhere
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


def ssl_context() -> ssl.SSLContext:
    """Believes whom SSL_CERT_FILE and SSL_CERT_DIR name, else whom the system believes. Raises ServiceFailed."""
    try:
        return _context(os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))
    except OSError as error:
        why = "the certificates that SSL_CERT_FILE or SSL_CERT_DIR name cannot be loaded."
        raise ServiceFailed(Fault("bad_configuration", why, hint="Correct or unset them.")) from error


@lru_cache(maxsize=4)
def _context(file: str, folder: str) -> ssl.SSLContext:
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=folder or None)
    if sys.platform == "darwin":
        import truststore  # asks the keychain; elsewhere it reads all certificates again for each connection: 37 ms

        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context = ssl.create_default_context()
    if not _believes_somebody(context):
        context.load_verify_locations(next(filter(os.path.exists, BUNDLES), None) or _bundled())
    return context


def _believes_somebody(context: ssl.SSLContext) -> bool:
    folder = ssl.get_default_verify_paths().capath  # None when it does not exist; read by OpenSSL when needed
    return bool(context.cert_store_stats()["x509_ca"] or (folder and any(Path(folder).iterdir())))


def _bundled() -> str:
    import certifi

    return certifi.where()


def check(endpoint: Endpoint, url: str) -> None:
    """Before anything is sent there. Raises ServiceFailed for what cannot be sent, or may not go there."""
    here = is_here(url)
    for name, value in {**endpoint.headers, "key": endpoint.key}.items():
        if not HEADER_NAME.fullmatch(name) or not HEADER_VALUE.fullmatch(value):
            why = f'what is set as "{name}" cannot be sent: headers are plain ASCII text, and their names are words.'
            hint = f"Correct it in [providers.{endpoint.provider}] of config.toml, or where the key is kept."
            raise ServiceFailed(Fault("bad_configuration", why, hint=hint))
    if urlsplit(url).scheme in ("http", "ws") and not here and not endpoint.allow_http:
        why = f"{ADDRESS} is plain http to another machine: anybody on the way could read your key and your code."
        hint = f"Use https, or set allow_http = true in [providers.{endpoint.provider}] of config.toml."
        raise ServiceFailed(Fault("bad_configuration", why, hint=hint))
