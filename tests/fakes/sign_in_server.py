"""The services one signs in at, on one loopback socket: ChatGPT's issuer, GitHub with Copilot, OpenRouter.

It keeps to the rules: codes are good once and for who can prove that they asked, and so are refresh tokens; using one
twice ends the whole sign-in.
"""

import base64
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import trio

Query = dict[str, str]
ACCOUNT = "acc-1"


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    query: Query
    headers: Query
    fields: dict[str, Any]
    """Of the body, form or JSON."""


@dataclass(frozen=True)
class Said:
    status: int
    body: dict[str, Any] = field(default_factory=dict)
    location: str = ""


def jwt(**claims: object) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part({'alg': 'none'})}.{part(claims)}.c2ln"


def refused(status: int, code: str, message: str = "no") -> Said:
    return Said(status, {"error": {"code": code, "message": message}})


class SignInServer:
    def __init__(self) -> None:
        self.url = ""
        self.asked: list[Asked] = []
        self.lasts_s = 3600.0
        """How long the access tokens that it gives are good."""
        self.deny: Query = {}
        """What a browser is sent back with instead of a code."""
        self.faults: list[Said] = []
        """Answers to the next token requests in place of the right ones."""
        self.hold: trio.Event | None = None
        """Token requests are done at once but answered only when it is set."""
        self.holding = trio.Event()
        self.approved = False
        """The user has typed the code of a device flow."""
        self.interval_s = 5
        """Between two polls of a device flow."""
        self.pending = [Said(200, {"error": "authorization_pending"})]
        """What GitHub answers before that, the last one for ever."""
        self.ended = False
        """Refresh tokens are refused: one was used twice, or it was revoked."""
        self.copilot: dict[str, Any] = {}
        """Members of Copilot's token answer that are not as usual."""
        self._codes: dict[str, Query] = {}
        self._current = ""
        self._used: set[str] = set()
        self._number = 0

    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def renewals(self) -> int:
        return sum(asked.fields.get("grant_type") == "refresh_token" for asked in self.asked)

    def tokens(self, **more: object) -> dict[str, Any]:
        """A new pair, of which only the newest can be renewed."""
        self._number += 1
        self._current = f"refresh-{self._number}-planted"
        account = {"chatgpt_account_id": ACCOUNT, "chatgpt_plan_type": "plus"}
        claims = {"https://api.openai.com/auth": account, "n": self._number, **more}
        access = jwt(exp=time.time() + self.lasts_s, **claims)
        return {
            "access_token": access,
            "refresh_token": self._current,
            "id_token": jwt(email="me@example.com", **claims),
        }

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.url = f"http://127.0.0.1:{listeners[0].socket.getsockname()[1]}"
        task_status.started()
        await trio.serve_listeners(self._talk, listeners)

    async def _talk(self, stream: trio.SocketStream) -> None:
        async with stream:
            try:
                asked = await _receive(stream)
                self.asked.append(asked)
                said = self._answer(asked)
                if asked.path == "/oauth/token" and self.hold is not None:
                    self.holding.set()
                    await self.hold.wait()
                await stream.send_all(_http(said))
            except (trio.BrokenResourceError, EOFError):
                pass  # whoever asked was killed

    def _answer(self, asked: Asked) -> Said:
        answers: dict[str, Callable[[Asked], Said]] = {
            "/oauth/authorize": self._authorize,
            "/oauth/token": self._token,
            "/oauth/revoke": self._revoke,
            "/api/accounts/deviceauth/usercode": self._user_code,
            "/api/accounts/deviceauth/token": self._device_token,
            "/login/device/code": self._github_code,
            "/login/oauth/access_token": self._github_token,
            "/copilot_internal/v2/token": self._copilot_token,
            "/auth": self._openrouter,
            "/api/v1/auth/keys": self._openrouter_key,
        }
        return answers[asked.path](asked) if asked.path in answers else Said(404)

    # ChatGPT

    def _authorize(self, asked: Asked) -> Said:
        back = {"state": asked.query["state"], **(self.deny or {"code": self._code(asked.query)})}
        return Said(302, location=f"{asked.query['redirect_uri']}?{urlencode(back)}")

    def _code(self, query: Query) -> str:
        self._number += 1
        self._codes[f"code-{self._number}"] = query
        return f"code-{self._number}"

    def _token(self, asked: Asked) -> Said:
        if self.faults:
            return self.faults.pop(0)
        if asked.fields.get("grant_type") == "refresh_token":
            return self._renewed(str(asked.fields.get("refresh_token")))
        query = self._codes.pop(asked.fields.get("code", ""), None)
        if query is None or query["redirect_uri"] != asked.fields["redirect_uri"] or not _proves(asked, query):
            return Said(400, {"error": "invalid_grant", "error_description": "Wrong code."})
        return Said(200, self.tokens())

    def _renewed(self, token: str) -> Said:
        if token in self._used:
            self.ended = True
            return refused(401, "refresh_token_reused")
        if self.ended or token != self._current:
            return refused(401, "refresh_token_invalidated")
        self._used.add(token)
        return Said(200, self.tokens())

    def _revoke(self, asked: Asked) -> Said:
        self.ended = self.ended or asked.fields["token"] == self._current
        return Said(200)

    def _user_code(self, _asked: Asked) -> Said:
        return Said(200, {"device_auth_id": "dev-1", "usercode": "ABCD-1234", "interval": str(self.interval_s)})

    def _device_token(self, asked: Asked) -> Said:
        if asked.fields != {"device_auth_id": "dev-1", "user_code": "ABCD-1234"}:
            return Said(400)
        if not self.approved:
            return Said(403)
        verifier = "v" * 43
        query = {"redirect_uri": f"{self.url}/deviceauth/callback", "code_challenge": challenge(verifier)}
        answer = {"authorization_code": self._code(query), "code_challenge": "?", "code_verifier": verifier}
        return Said(200, answer)

    # GitHub

    def _github_code(self, _asked: Asked) -> Said:
        device = {"device_code": "gh-dev", "user_code": "WXYZ-9876", "interval": self.interval_s, "expires_in": 900}
        return Said(200, {**device, "verification_uri": f"{self.url}/login/device"})

    def _github_token(self, asked: Asked) -> Said:
        if asked.fields.get("device_code") != "gh-dev":
            return Said(200, {"error": "incorrect_device_code"})
        if self.approved:
            return Said(200, {"access_token": "ghu_planted", "token_type": "bearer"})
        return self.pending.pop(0) if len(self.pending) > 1 else self.pending[0]

    def _copilot_token(self, asked: Asked) -> Said:
        if self.faults:
            return self.faults.pop(0)
        if asked.headers.get("authorization") != "token ghu_planted" or self.ended:
            return Said(401, {"message": "Bad credentials"})
        self._number += 1
        usual = {"token": f"tid={self._number};planted", "expires_at": time.time() + self.lasts_s, "refresh_in": 1500}
        return Said(200, {**usual, "endpoints": {"api": f"{self.url}/copilot"}, "sku": "individual", **self.copilot})

    # OpenRouter

    def _openrouter(self, asked: Asked) -> Said:
        back = self.deny or {"code": self._code(asked.query)}
        return Said(302, location=f"{asked.query['callback_url']}?{urlencode(back)}")

    def _openrouter_key(self, asked: Asked) -> Said:
        query = self._codes.pop(asked.fields.get("code", ""), None)
        if query is None or not _proves(asked, query):
            return Said(403, {"error": {"message": "Invalid code or code_verifier"}})
        return Said(200, {"key": "sk-or-planted", "user_id": "u"})


def challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _proves(asked: Asked, query: Query) -> bool:
    return challenge(asked.fields["code_verifier"]) == query["code_challenge"]


async def _receive(stream: trio.SocketStream) -> Asked:
    received = b""
    while b"\r\n\r\n" not in received:
        received += await _more(stream)
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += await _more(stream)
    method, target, _ = first.split(" ")
    parts = urlsplit(target)
    is_json = headers.get("content-type", "").startswith("application/json")
    fields = json.loads(body) if is_json else dict(parse_qsl(body.decode()))
    return Asked(method, parts.path, dict(parse_qsl(parts.query)), headers, fields)


async def _more(stream: trio.SocketStream) -> bytes:
    data = await stream.receive_some()
    if not data:
        raise EOFError
    return bytes(data)


def _http(said: Said) -> bytes:
    body = json.dumps(said.body).encode()
    location = f"Location: {said.location}\r\n" if said.location else ""
    head = f"HTTP/1.1 {said.status} -\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{location}"
    return f"{head}Connection: close\r\n\r\n".encode() + body


@asynccontextmanager
async def open_sign_in_server() -> AsyncIterator[SignInServer]:
    server = SignInServer()
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()
