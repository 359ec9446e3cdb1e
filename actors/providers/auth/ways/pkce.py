"""Proof that who ends a log-in is who began it (RFC 7636), and other things nobody can guess."""

import base64
import hashlib
import secrets
from typing import NamedTuple


class Proof(NamedTuple):
    verifier: str
    challenge: str


def new_proof() -> Proof:
    verifier = secrets.token_urlsafe(64)
    digest = hashlib.sha256(verifier.encode()).digest()
    return Proof(verifier, base64.urlsafe_b64encode(digest).rstrip(b"=").decode())


def unguessable() -> str:
    return secrets.token_urlsafe(32)
