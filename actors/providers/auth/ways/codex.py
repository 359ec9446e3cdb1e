"""Signing in with ChatGPT as the Codex CLI does. Its client registration and its back end are not for other programs.

Facts: github.com/openai/codex, codex-rs/login/src (server.rs, device_code_auth.rs, auth/manager.rs, auth/revoke.rs).
"""

import base64
import time
from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

import msgspec
import trio
from msgspec.structs import replace

from actors.errors import failed
from actors.messages.auth import LogInStep
from actors.providers.auth.vault import SignedIn
from actors.providers.auth.ways import pkce
from actors.providers.auth.ways.callback_socket import while_listening
from actors.providers.auth.ways.redirect_addresses import Expected, used_code
from actors.providers.auth.ways.token_requests import Web, error_code
from actors.providers.auth.ways.way import Method, Talk
from actors.providers.endpoint import Endpoint
from actors.providers.faults.foreign_json import Unreadable, decoded

CLIENT = "app_EMoamEEZ73f0CkXaXp7hrann"
SCOPE = "openid profile email offline_access"
PORTS = (1455, 1457)
"""Registered with the issuer, which sends browsers nowhere else."""
PATH = "/auth/callback"
CODE_S = 15 * 60.0
FINAL = {
    "refresh_token_expired",
    "refresh_token_reused",
    "refresh_token_invalidated",
    "token_revoked",
    "invalid_grant",
}
NOTICE = (
    "This signs in with your ChatGPT plan the way OpenAI's Codex CLI does, with Codex's own client registration and a "
    "service that OpenAI does not document for other programs. It can stop working at any time, and using it from here "
    "may be against OpenAI's terms."
)


class _Tokens(msgspec.Struct):
    id_token: str | None = None
    access_token: str | None = None
    refresh_token: str | None = None
    expires_in: float | None = None


class _DeviceCode(msgspec.Struct):
    device_auth_id: str
    user_code: str = ""
    usercode: str = ""
    interval: str | float = 5.0


class _DeviceAnswer(msgspec.Struct):
    authorization_code: str
    code_verifier: str


class _Auth(msgspec.Struct):
    chatgpt_account_id: str | None = None
    chatgpt_plan_type: str | None = None


class Claims(msgspec.Struct):
    """What a token says of itself."""

    exp: float | None = None
    email: str | None = None
    auth: _Auth = msgspec.field(default_factory=_Auth, name="https://api.openai.com/auth")


def claims(token: str) -> Claims:
    """Not verified: it came from the issuer itself, and only the issuer's services act on it."""
    payload = token.split(".")[1] if token.count(".") == 2 else ""
    try:
        return decoded(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)), Claims)
    except (ValueError, Unreadable):
        return Claims()


class Codex:
    def __init__(self, issuer: str, web: Web, ports: Sequence[int] = PORTS) -> None:
        self._issuer = issuer
        self._ports = ports
        self._web = web

    @property
    def issuer(self) -> str:
        return self._issuer

    async def log_in(self, method: Method, talk: Talk) -> SignedIn:
        """Raises Failed."""
        await talk.show(LogInStep(text=NOTICE))
        return await (self._by_device(talk) if method == "device" else self._by_browser(talk))

    async def _by_browser(self, talk: Talk) -> SignedIn:
        proof, state = pkce.new_proof(), pkce.unguessable()

        async def conduct(port: int) -> SignedIn:
            back = f"http://localhost:{port}{PATH}"
            text = "Sign in with your browser. Is it on another machine? Then paste the address it ends at here."
            await talk.show(LogInStep(text=text, url=self._authorize_url(back, proof.challenge, state)))
            use = partial(self._exchanged, proof.verifier, back)
            return await used_code(talk.redirects, Expected(PATH, state), use, _why_denied)

        return await while_listening(self._ports, talk.redirects, conduct)

    def _authorize_url(self, back: str, challenge: str, state: str) -> str:
        query = {
            "response_type": "code",
            "client_id": CLIENT,
            "redirect_uri": back,
            "scope": SCOPE,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "id_token_add_organizations": "true",
            "codex_cli_simplified_flow": "true",
            "state": state,
            "originator": "trouper",
        }
        return f"{self.issuer}/oauth/authorize?{urlencode(query)}"

    async def _by_device(self, talk: Talk) -> SignedIn:
        url = f"{self.issuer}/api/accounts/deviceauth"
        asked = await self._web.post(f"{url}/usercode", json={"client_id": CLIENT})
        if asked.status == 404:
            raise failed("unauthorized", "The service has no sign-in by code.", "Sign in without --device.")
        if asked.status != 200:
            raise asked.failed("begin a sign-in by code")
        device = asked.read(_DeviceCode)
        code = device.user_code or device.usercode
        text = (
            "Open the address on any machine and type the code, which is good for 15 minutes. Type it only if you "
            "began this yourself, and give it to nobody. ChatGPT's security settings may have to allow it first."
        )
        await talk.show(LogInStep(text=text, url=f"{self.issuer}/codex/device", code=code))
        with trio.move_on_after(CODE_S):
            while True:
                await trio.sleep(_seconds(device.interval))
                polled = await self._web.post(
                    f"{url}/token", json={"device_auth_id": device.device_auth_id, "user_code": code}
                )
                if polled.status == 200:
                    answer = polled.read(_DeviceAnswer)
                    back = f"{self.issuer}/deviceauth/callback"
                    return await self._exchanged(answer.code_verifier, back, answer.authorization_code)
                if polled.status not in (403, 404):
                    raise polled.failed("sign you in")
        raise failed("unauthorized", "The code was not typed within 15 minutes.", "Begin again.")

    async def _exchanged(self, verifier: str, back: str, code: str) -> SignedIn:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "client_id": CLIENT,
            "code_verifier": verifier,
        }
        answer = await self._web.post(f"{self.issuer}/oauth/token", form=form)
        if answer.status != 200:
            raise answer.failed("sign you in")
        tokens = answer.read(_Tokens)
        if not tokens.access_token or not tokens.refresh_token:
            raise failed("bad_stream", f"{answer.host} sent no tokens.", "Try again.")
        signed_in = self._with(SignedIn(access="", issuer=self.issuer), tokens)
        if not signed_in.account_id:
            raise failed("unauthorized", "This account has no ChatGPT workspace.", "Sign in with another one.")
        return signed_in

    async def renew(self, entry: SignedIn) -> SignedIn:
        """Raises Failed; no_credentials is final."""
        body = {"client_id": CLIENT, "grant_type": "refresh_token", "refresh_token": entry.refresh}
        answer = await self._web.post(f"{self.issuer}/oauth/token", json=body)
        if answer.status == 200:
            return self._with(entry, answer.read(_Tokens))
        if answer.status in (400, 401) and error_code(answer.body) in FINAL:
            why = error_code(answer.body)
            raise failed("no_credentials", f"codex: the sign-in has ended ({why}).", "Again: trouper auth login codex")
        raise answer.failed("renew the sign-in")

    def _with(self, entry: SignedIn, tokens: _Tokens) -> SignedIn:
        """Each of them may be missing: then the old one stays."""
        access = tokens.access_token or entry.access
        said = [claims(tokens.id_token or ""), claims(access)]
        lasts_until = None if tokens.expires_in is None else time.time() + tokens.expires_in
        email = next((claim.email for claim in said if claim.email), "")
        plan = next((claim.auth.chatgpt_plan_type for claim in said if claim.auth.chatgpt_plan_type), "")
        account = f"{email} ({plan})" if email and plan else email or plan
        return msgspec.structs.replace(
            entry,
            access=access,
            refresh=tokens.refresh_token or entry.refresh,
            expires_at=said[1].exp or lasts_until,
            account=account or entry.account,
            account_id=next((claim.auth.chatgpt_account_id for claim in said if claim.auth.chatgpt_account_id), "")
            or entry.account_id,
        )

    def applied(self, endpoint: Endpoint, entry: SignedIn) -> Endpoint:
        return replace(endpoint, key=entry.access, headers={**endpoint.headers, "chatgpt-account-id": entry.account_id})

    async def revoke(self, entry: SignedIn) -> None:
        """Raises Failed."""
        kind = "refresh_token" if entry.refresh else "access_token"
        body = {"token": entry.refresh or entry.access, "token_type_hint": kind, "client_id": CLIENT}
        answer = await self._web.post(f"{entry.issuer}/oauth/revoke", json=body)
        if answer.status != 200:
            raise answer.failed("end the sign-in there too")


def _seconds(interval: str | float) -> float:
    try:
        return max(1.0, float(interval))
    except ValueError:
        return 5.0


def _why_denied(said: str) -> str:
    if "missing_codex_entitlement" in said:
        return "your workspace has no Codex; its administrator can add it"
    return ""


WAY = Codex
