"""Signing in to GitHub Copilot: GitHub's device flow (RFC 8628), and the short-lived token that Copilot itself wants.

GitHub does not document this for other programs; the client is that of its own editor extension.
"""

import ipaddress
import time
from urllib.parse import urlsplit

import msgspec
import trio
from msgspec.structs import replace

from actors.errors import Failed, failed
from actors.messages.auth import LogInStep
from actors.providers.auth.vault import SignedIn
from actors.providers.auth.ways.token_requests import Reply, Web
from actors.providers.auth.ways.way import Method, Talk
from actors.providers.endpoint import Endpoint
from actors.providers.services import copilot
from actors.settings import sign_ins
from actors.settings.services import COPILOT

GITHUB = sign_ins.ALL["copilot"].issuer
CLIENT = "Iv1.b507a08c87ecfe98"
SCOPE = "read:user"
GRANT = "urn:ietf:params:oauth:grant-type:device_code"
SLOWER_S = 5.0
DRIFT_S = 1.0
"""Beyond the interval: the service's clock may be a little behind ours."""
DIRECT = "gho_"
"""Tokens of OAuth apps, as OpenCode's and GitHub CLI's: they are used as they are, and do not end by themselves."""
DIRECT_HEADERS = {"copilot-integration-id": "copilot-developer-cli"}
"""What they are taken under: docs.docker.com, docker-agent, GitHub Copilot. The exchanged ones are for vscode-chat."""
NOTICE = (
    "This signs in with GitHub as its own editor extension for Copilot does. GitHub does not document that service for "
    "other programs. It can stop working at any time, and using it from here may be against GitHub's terms."
)


def token_url(issuer: str) -> str:
    """Where Copilot's own token is had."""
    parts = urlsplit(issuer)
    host = parts.netloc if _is_address(parts.hostname or "") else f"api.{parts.netloc}"
    return f"{parts.scheme}://{host}/copilot_internal/v2/token"


def may_get_token(issuer: str, url: str) -> bool:
    """Is that GitHub's, or the company's whose GitHub it is?"""
    parts, own = urlsplit(url), urlsplit(issuer)
    host, domain = parts.hostname or "", "githubcopilot.com" if issuer == GITHUB else own.hostname or ""
    return parts.scheme in ("https", own.scheme) and (host == domain or host.endswith(f".{domain}"))


class _Device(msgspec.Struct):
    device_code: str
    user_code: str
    verification_uri: str
    interval: float = 5.0
    expires_in: float = 900.0


class _Granted(msgspec.Struct):
    access_token: str = ""
    error: str = ""
    interval: float | None = None


class _Endpoints(msgspec.Struct):
    api: str = ""


class _Token(msgspec.Struct):
    token: str
    expires_at: float = 0.0
    refresh_in: float = 1500.0
    endpoints: _Endpoints | None = None


class Copilot:
    def __init__(self, issuer: str, web: Web) -> None:
        """issuer: GitHub, or a company's own one."""
        self._issuer = issuer
        self._web = web

    @property
    def issuer(self) -> str:
        return self._issuer

    async def log_in(self, method: Method, talk: Talk) -> SignedIn:  # noqa: ARG002
        """By code, whatever the method: GitHub has no other way for programs. Raises Failed."""
        await talk.show(LogInStep(text=NOTICE))
        form = {"client_id": CLIENT, "scope": SCOPE}
        asked = await self._web.post(f"{self.issuer}/login/device/code", form=form)
        if asked.status != 200:
            raise asked.failed("begin a sign-in")
        device = asked.read(_Device)
        text = "Open the address on any machine and type the code. Type it only if you began this yourself."
        await talk.show(LogInStep(text=text, url=self._checked(device.verification_uri), code=device.user_code))
        granted = await self._granted(device)
        return await self.renew(SignedIn(access="", refresh=granted, issuer=self.issuer))

    def _checked(self, url: str) -> str:
        """What is opened in a browser is never more than a page of GitHub's. Raises Failed."""
        if urlsplit(url).hostname != urlsplit(self.issuer).hostname:
            raise failed("bad_stream", "GitHub named a page of somebody else's for the sign-in.", "Try again.")
        return url

    async def _granted(self, device: _Device) -> str:
        """GitHub's own token, once the user has agreed."""
        form = {"client_id": CLIENT, "device_code": device.device_code, "grant_type": GRANT}
        interval_s = max(0.0, device.interval)
        with trio.move_on_after(max(0.0, device.expires_in)):
            while True:
                await trio.sleep(interval_s + DRIFT_S)
                polled = await self._web.post(f"{self.issuer}/login/oauth/access_token", form=form)
                answer = polled.read(_Granted)
                if answer.access_token:
                    return answer.access_token
                match answer.error:
                    case "authorization_pending":
                        continue
                    case "slow_down":
                        interval_s = max(answer.interval or 0.0, interval_s + SLOWER_S)
                    case "expired_token":
                        break
                    case "access_denied":
                        raise failed("unauthorized", "The sign-in was refused on GitHub's page.")
                    case _:
                        raise polled.failed("sign you in")
        raise failed("unauthorized", "The code was not typed in time.", "Begin again.")

    async def adopted(self, token: str, account: str) -> SignedIn:
        """With a token of GitHub's that another program has. Raises Failed."""
        return await self.renew(SignedIn(access="", refresh=token, issuer=self.issuer, account=account))

    async def renew(self, entry: SignedIn) -> SignedIn:
        """Copilot's token from GitHub's, which stays. Raises Failed."""
        if entry.refresh.startswith(DIRECT):
            return msgspec.structs.replace(entry, access=entry.refresh, base_url=self._direct_url)
        headers = {"Authorization": f"token {entry.refresh}", **copilot.EDITOR}
        answer = await self._web.get(token_url(self._issuer), headers)
        if answer.status != 200:
            raise self._refused(answer)
        token = answer.read(_Token)
        base_url = (token.endpoints.api if token.endpoints else "").rstrip("/")
        if base_url and not may_get_token(self._issuer, base_url):
            raise failed("bad_stream", f"{answer.host} sends Copilot's requests to a host that is not GitHub's.")
        return msgspec.structs.replace(
            entry,
            access=token.token,
            expires_at=token.expires_at or time.time() + token.refresh_in,
            base_url=base_url or entry.base_url,
        )

    def _refused(self, answer: Reply) -> Failed:
        if answer.status == 401:
            return failed("no_credentials", "copilot: the sign-in has ended.", "Again: trouper auth login copilot")
        if answer.status in (403, 404):
            return failed(
                "unauthorized", answer.failed("give access to Copilot").problem.text, "Has it a Copilot plan?"
            )
        return answer.failed("give access to Copilot")

    def applied(self, endpoint: Endpoint, entry: SignedIn) -> Endpoint:
        base_url = endpoint.base_url
        if base_url == COPILOT.base_url:
            base_url = entry.base_url or base_url  # else the user has set another one
        headers = {**DIRECT_HEADERS, **endpoint.headers} if entry.access.startswith(DIRECT) else endpoint.headers
        return replace(endpoint, key=entry.access, base_url=base_url, headers=headers)

    @property
    def _direct_url(self) -> str:
        return "" if self.issuer == GITHUB else f"https://copilot-api.{urlsplit(self.issuer).hostname}"

    async def revoke(self, entry: SignedIn) -> None:
        """Only the client's owner could: the user can at https://github.com/settings/applications."""


WAY = Copilot


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
