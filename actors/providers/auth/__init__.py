"""Credentials of model services: kept keys, sign-ins, their renewal. Loads neither httpx nor keyring."""

from actors.providers.auth.sign_ins import SignIns

__all__ = ["SignIns"]
