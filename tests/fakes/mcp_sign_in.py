"""The fake MCP server behind a sign-in, with the service that gives tokens; and a browser that does as it is told."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlencode, urlsplit

import trio

from tests.fakes.mcp_http import HEAD, McpHttp, request_of

EXPIRES_S = 3600
TOO_LITTLE = b'WWW-Authenticate: Bearer error="insufficient_scope", scope="calls"\r\nContent-Length: 0\r\n'


class SignedIn(McpHttp):
    """flags: of McpHttp, and: wants_more, a scope for each call; wrong_issuer, in
    what the browser brings back; refuses, the user says no there."""

    def __init__(self, flags: tuple[str, ...]) -> None:
        super().__init__(flags)
        self.registered: list[dict[str, object]] = []
        self.token_requests: list[dict[str, str]] = []
        self.scopes: list[str] = []
        """As they were asked for."""
        self.good: set[str] = set()
        """Tokens that count."""

    @property
    def origin(self) -> str:
        return self.url.removesuffix("/mcp")

    async def serve(self, stream: trio.SocketStream) -> None:
        async with stream:
            try:
                method, target, headers, body = await request_of(stream)
                self.headers.append(headers)
                path = urlsplit(target)
                if path.path != "/mcp":
                    await self._service(stream, path.path, path.query, body)
                elif headers.get("authorization", "").removeprefix("Bearer ") not in self.good:
                    where = f'{self.origin}/.well-known/oauth-protected-resource/mcp"'.encode()
                    asks = b'WWW-Authenticate: Bearer resource_metadata="%s\r\nContent-Length: 0\r\n' % where
                    await stream.send_all(HEAD % (401, asks))
                elif "wants_more" in self.flags and b"tools/call" in body and "calls" not in self.scopes[-1].split():
                    asks = (
                        b'WWW-Authenticate: Bearer error="insufficient_scope", scope="calls"\r\nContent-Length: 0\r\n'
                    )
                    await stream.send_all(HEAD % (403, asks))
                else:
                    await self.answer(stream, method, headers, body)
            except (trio.BrokenResourceError, trio.ClosedResourceError, EOFError):
                return

    async def _service(self, stream: trio.SocketStream, path: str, query: str, body: bytes) -> None:
        match path:
            case "/.well-known/oauth-protected-resource/mcp":
                await _json(stream, {"resource": self.url, "authorization_servers": [self.origin]})
            case "/.well-known/oauth-authorization-server":
                ends = {f"{name}_endpoint": f"{self.origin}/{name}" for name in ("authorization", "token")}
                more = {
                    "registration_endpoint": f"{self.origin}/register",
                    "code_challenge_methods_supported": ["S256"],
                }
                iss = {"authorization_response_iss_parameter_supported": True}
                await _json(
                    stream, {"issuer": self.origin, "response_types_supported": ["code"], **ends, **more, **iss}
                )
            case "/register":
                self.registered.append(json.loads(body))
                await _json(stream, {**self.registered[-1], "client_id": f"client-{len(self.registered)}"}, 201)
            case "/authorization":
                await self._authorize(stream, {name: values[0] for name, values in parse_qs(query).items()})
            case "/token":
                await self._token(stream, {name: values[0] for name, values in parse_qs(body.decode()).items()})
            case _:
                await stream.send_all(HEAD % (404, b"Content-Length: 0\r\n"))

    async def _authorize(self, stream: trio.SocketStream, asked: dict[str, str]) -> None:
        self.scopes.append(asked.get("scope", ""))
        issuer = "https://elsewhere.example" if "wrong_issuer" in self.flags else self.origin
        said = {"error": "access_denied"} if "refuses" in self.flags else {"code": asked["code_challenge"]}
        back = f"{asked['redirect_uri']}?{urlencode({**said, 'state': asked['state'], 'iss': issuer})}"
        await stream.send_all(HEAD % (302, b"Location: %s\r\nContent-Length: 0\r\n" % back.encode()))

    async def _token(self, stream: trio.SocketStream, asked: dict[str, str]) -> None:
        self.token_requests.append(asked)
        token = f"token-{len(self.token_requests)}"
        self.good = {token}
        said = {"access_token": token, "token_type": "Bearer", "expires_in": EXPIRES_S, "refresh_token": f"re-{token}"}
        await _json(stream, said)


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
