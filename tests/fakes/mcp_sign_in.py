"""The fake MCP server behind a sign-in, with the service that gives tokens; and a browser that does as it is told."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlencode, urlsplit

import trio

from tests.fakes.mcp_http import HEAD, McpHttp, request_of

EXPIRES_S = 3600
TOO_LITTLE = b'WWW-Authenticate: Bearer error="insufficient_scope", scope="calls"\r\nContent-Length: 0\r\n'


class SignedIn(McpHttp):
    """flags: of McpHttp, and: wants_more, a scope for each call; elsewhere, the service has another host;
    refuses, the user says no there; down, it renews nothing just now; lets_look, anybody may, and calls want a sign-in.

    Those of an attacker: wrong_issuer and wrong_state, in what the browser brings back; false_issuer, in its metadata;
    plain_token and plain_page, for endpoints without TLS; inner, for metadata in the user's network; huge, metadata
    without an end; compressed; plain_pkce; redirects without an end; moves_token, to another host."""

    def __init__(self, flags: tuple[str, ...]) -> None:
        super().__init__(flags)
        self.registered: list[dict[str, object]] = []
        self.token_requests: list[dict[str, str]] = []
        self.scopes: list[str] = []
        """As they were asked for."""
        self.good: set[str] = set()
        """Tokens that count."""
        self.renewing: set[str] = set()
        """Refresh tokens that count: once."""
        self.expires_s = EXPIRES_S
        self.asked = trio.Event()
        """Somebody asks for tokens; renewed by whoever waits for that."""
        self.answers = trio.Event()
        self.answers.set()
        """Not set: who asks for tokens waits."""
        self.redirected = 0

    @property
    def origin(self) -> str:
        """Of the service."""
        own = self.url.removesuffix("/mcp")
        return own.replace("127.0.0.1", "localhost") if "elsewhere" in self.flags else own

    async def serve(self, stream: trio.SocketStream) -> None:
        async with stream:
            try:
                method, target, headers, body = await request_of(stream)
                self.headers.append(headers)
                path = urlsplit(target)
                if path.path != "/mcp" and await self._attacked(stream, path.path, body):
                    return
                if path.path != "/mcp":
                    await self._service(stream, path.path, path.query, body, headers["host"])
                elif self._refuses(headers, body):
                    where = f'{self._metadata()}/.well-known/oauth-protected-resource/mcp"'.encode()
                    asks = b'WWW-Authenticate: Bearer resource_metadata="%s\r\nContent-Length: 0\r\n' % where
                    await stream.send_all(HEAD % (401, asks))
                elif "wants_more" in self.flags and b"tools/call" in body and "calls" not in self.scopes[-1].split():
                    await stream.send_all(HEAD % (403, TOO_LITTLE))
                else:
                    await self.answer(stream, method, headers, body)
            except (trio.BrokenResourceError, trio.ClosedResourceError, EOFError):
                return

    def _refuses(self, headers: dict[str, str], body: bytes) -> bool:
        if "lets_look" in self.flags and b"tools/call" not in body:
            return False
        return headers.get("authorization", "").removeprefix("Bearer ") not in self.good

    def _metadata(self) -> str:
        return "http://10.0.0.1" if "inner" in self.flags else self.url.removesuffix("/mcp")

    async def _attacked(self, stream: trio.SocketStream, path: str, body: bytes) -> bool:
        """Answered as an attacker does."""
        if "redirects" in self.flags:
            self.redirected += 1
            await stream.send_all(HEAD % (302, f"Location: {path}?{self.redirected}\r\nContent-Length: 0\r\n".encode()))
        elif path == "/token" and "moves_token" in self.flags:
            there = self.origin.replace("127.0.0.1", "localhost")
            await stream.send_all(HEAD % (307, f"Location: {there}/stolen\r\nContent-Length: 0\r\n".encode()))
        elif path == "/stolen":
            self.token_requests.append({"stolen": body.decode()})
        elif "oauth-protected-resource" in path and "huge" in self.flags:
            await stream.send_all(HEAD % (200, b"Content-Type: text/plain\r\n"))
            while True:
                await stream.send_all(b" " * 65_536)
        elif "oauth-protected-resource" in path and "compressed" in self.flags:
            head = b"Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n"
            await stream.send_all(HEAD % (200, head) + b"{}")
        else:
            return False
        return True

    async def _service(self, stream: trio.SocketStream, path: str, query: str, body: bytes, host: str) -> None:
        match path:
            case "/.well-known/oauth-protected-resource/mcp":
                await _json(stream, {"resource": self.url, "authorization_servers": [self.origin]})
            case "/.well-known/oauth-authorization-server":
                ends = {f"{name}_endpoint": f"{self.origin}/{name}" for name in ("authorization", "token")}
                ends |= {"token_endpoint": "http://a.example/token"} if "plain_token" in self.flags else {}
                ends |= {"authorization_endpoint": "http://a.example/"} if "plain_page" in self.flags else {}
                issuer = "https://elsewhere.example" if "false_issuer" in self.flags else self.origin
                more = {
                    "registration_endpoint": f"{self.origin}/register",
                    "code_challenge_methods_supported": ["plain" if "plain_pkce" in self.flags else "S256"],
                }
                iss = {"authorization_response_iss_parameter_supported": True}
                await _json(stream, {"issuer": issuer, "response_types_supported": ["code"], **ends, **more, **iss})
            case "/register":
                self.registered.append(json.loads(body))
                await _json(stream, {**self.registered[-1], "client_id": f"client-{len(self.registered)}"}, 201)
            case "/authorization":
                await self._authorize(stream, {name: values[0] for name, values in parse_qs(query).items()})
            case "/token":
                await self._token(stream, {name: values[0] for name, values in parse_qs(body.decode()).items()}, host)
            case _:
                await stream.send_all(HEAD % (404, b"Content-Length: 0\r\n"))

    async def _authorize(self, stream: trio.SocketStream, asked: dict[str, str]) -> None:
        self.scopes.append(asked.get("scope", ""))
        issuer = "https://elsewhere.example" if "wrong_issuer" in self.flags else self.origin
        said = {"error": "access_denied"} if "refuses" in self.flags else {"code": asked["code_challenge"]}
        state = "another" if "wrong_state" in self.flags else asked["state"]
        back = f"{asked['redirect_uri']}?{urlencode({**said, 'state': state, 'iss': issuer})}"
        await stream.send_all(HEAD % (302, b"Location: %s\r\nContent-Length: 0\r\n" % back.encode()))

    async def _token(self, stream: trio.SocketStream, asked: dict[str, str], host: str) -> None:
        self.token_requests.append({**asked, "host": host.partition(":")[0]})
        self.asked.set()
        good = "down" not in self.flags and self._is_good(asked)
        token = f"token-{len(self.token_requests)}"
        if good:
            self.good, self.renewing = {token}, {f"re-{token}"}
        await self.answers.wait()
        if "down" in self.flags:
            await stream.send_all(HEAD % (503, b"Content-Length: 0\r\n"))
        elif not good:
            await _json(stream, {"error": "invalid_grant"}, 400)
        else:
            more = {"expires_in": self.expires_s, "refresh_token": f"re-{token}"}
            await _json(stream, {"access_token": token, "token_type": "Bearer", **more})

    def _is_good(self, asked: dict[str, str]) -> bool:
        """A refresh token that is used twice ends the sign-in for everybody, as RFC 9700 has it."""
        if asked["grant_type"] == "authorization_code":
            digest = hashlib.sha256(asked["code_verifier"].encode()).digest()
            return asked["code"] == base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if asked["refresh_token"] in self.renewing:
            return True
        self.good.clear()
        self.renewing.clear()
        return False


async def _json(stream: trio.SocketStream, said: dict[str, object], status: int = 200) -> None:
    data = json.dumps(said).encode()
    head = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(data)
    await stream.send_all(HEAD % (status, head) + data)


@asynccontextmanager
async def signing_in(*flags: str) -> AsyncIterator[SignedIn]:
    server = SignedIn(flags)
    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        server.url = f"http://127.0.0.1:{listener.socket.getsockname()[1]}/mcp"
        nursery.start_soon(trio.serve_listeners, server.serve, [listener])
        yield server
        nursery.cancel_scope.cancel()


async def visited(url: str) -> str:
    """The address that this one sends a browser to."""
    parts = urlsplit(url)
    return (await _get(parts.hostname or "", parts.port or 0, f"{parts.path}?{parts.query}"))[1]["location"]


async def followed(url: str) -> int:
    """As a browser does it: to the end. The status there."""
    parts = urlsplit(await visited(url))
    return (await _get(parts.hostname or "", parts.port or 0, f"{parts.path}?{parts.query}"))[0]


async def _get(host: str, port: int, target: str) -> tuple[int, dict[str, str]]:
    async with await trio.open_tcp_stream(host, port) as stream:
        await stream.send_all(f"GET {target} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        data = b""
        while more := await stream.receive_some(65_536):
            data += more
    first, *lines = data.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split()[1]), headers
