"""An OpenRouter key by browser; it is then a key like any other.

Flow: https://openrouter.ai/docs/guides/overview/auth/oauth
"""

from functools import partial
from urllib.parse import urlencode

import msgspec

from actors.errors import failed
from actors.messages.auth import LogInStep
from actors.providers.auth.vault import KeptKey
from actors.providers.auth.ways import pkce
from actors.providers.auth.ways.callback_socket import while_listening
from actors.providers.auth.ways.redirect_addresses import Expected, used_code
from actors.providers.auth.ways.token_requests import Web
from actors.providers.auth.ways.way import Method, Talk

TEXT = (
    "Sign in with your browser: OpenRouter makes a key for this program, which you can revoke there. Is your browser "
    "on another machine? Then paste the address it ends at here."
)


class _Key(msgspec.Struct):
    key: str


class OpenRouter:
    def __init__(self, issuer: str, web: Web) -> None:
        self._url = issuer
        self._web = web

    async def log_in(self, method: Method, talk: Talk) -> KeptKey:
        """Raises Failed."""
        if method == "device":
            hint = "Sign in without --device, and paste the address your browser ends at."
            raise failed("bad_request", "openrouter has no sign-in by code.", hint)
        proof, path = pkce.new_proof(), f"/callback/{pkce.unguessable()}"

        async def conduct(port: int) -> KeptKey:
            query = {
                "callback_url": f"http://localhost:{port}{path}",
                "code_challenge": proof.challenge,
                "code_challenge_method": "S256",
            }
            await talk.show(LogInStep(text=TEXT, url=f"{self._url}/auth?{urlencode(query)}"))
            use = partial(self._exchanged, proof.verifier)
            return await used_code(talk.redirects, Expected(path), use, lambda _said: "")

        return await while_listening((0,), talk.redirects, conduct)

    async def _exchanged(self, verifier: str, code: str) -> KeptKey:
        body = {"code": code, "code_verifier": verifier, "code_challenge_method": "S256"}
        answer = await self._web.post(f"{self._url}/api/v1/auth/keys", json=body)
        if answer.status != 200:
            raise answer.failed("make a key")
        return KeptKey(key=answer.read(_Key).key)


WAY = OpenRouter
