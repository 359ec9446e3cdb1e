"""The socket on this machine that a browser is sent to at the end of a log-in. HTTP as far as that needs it."""

import errno
import html
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import trio

from actors.errors import Failed, failed
from actors.providers.auth.ways.redirect_addresses import Redirect, Redirects, Result, Verdict, parsed

HERE = "127.0.0.1"
TRIES = 10
TRY_AGAIN_S = 0.2
LONGEST_REQUEST = 16 * 1024
REQUEST_S = 10.0
"""Browsers open connections that they may never use."""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>trouper</title>
<body style="font-family: sans-serif; margin: 4em"><h1>{title}</h1><p>{words}</p></body></html>
"""


async def while_listening(
    ports: Sequence[int], redirects: Redirects, conduct: Callable[[int], Awaitable[Result]]
) -> Result:
    """`conduct` with the port, the first of `ports` that can be had; 0 is any. Raises Failed."""
    listener = await _listen(ports)
    port = int(listener.socket.getsockname()[1])
    results: list[Result] = []
    failure = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, _Talk(redirects, port), [listener])
        try:
            results.append(await conduct(port))
        except Failed as error:
            failure = error  # a nursery would make a group of it
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return results[0]


async def _listen(ports: Sequence[int]) -> trio.SocketListener:
    for port in ports:
        for number in range(TRIES):
            try:
                return (await trio.open_tcp_listeners(port, host=HERE))[0]
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise failed("bad_configuration", f"Cannot listen on {HERE}:{port}: {error.strerror}.") from error
            if number == 0:
                await _ask_to_leave(port)
            await trio.sleep(TRY_AGAIN_S)
    taken = " and ".join(map(str, ports))
    raise failed(
        "bad_configuration",
        f"Ports {taken} of this machine are in use, and the service sends browsers nowhere else.",
        "End what uses them, or sign in with --device.",
    )


async def _ask_to_leave(port: int) -> None:
    """Another log-in that waits there gives up when it is asked to; Codex does so too."""
    with trio.move_on_after(2.0), suppress(OSError, trio.BrokenResourceError):
        async with await trio.open_tcp_stream(HERE, port) as stream:
            await stream.send_all(f"GET /cancel HTTP/1.1\r\nHost: {HERE}:{port}\r\nConnection: close\r\n\r\n".encode())
            await stream.receive_some(64)


class _Talk:
    """With one browser's connection: one request, one page."""

    def __init__(self, redirects: Redirects, port: int) -> None:
        self._redirects = redirects
        self._hosts = (f"localhost:{port}", f"{HERE}:{port}")

    async def __call__(self, stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async with stream:
                redirect = await _read(stream, self._hosts)
                if redirect is None:
                    await stream.send_all(_page(404, Verdict(good=False, words="There is nothing here.")))
                    return
                self._redirects.put(redirect)
                verdict = await redirect.verdict()
                await stream.send_all(_page(200 if verdict.good else 400, verdict))
                redirect.told()


async def _read(stream: trio.SocketStream, hosts: Sequence[str]) -> Redirect | None:
    """None for anything but the address of a log-in at one of these hosts."""
    head = b""
    with trio.move_on_after(REQUEST_S):
        while b"\r\n\r\n" not in head and len(head) < LONGEST_REQUEST:
            more = await stream.receive_some(4096)
            if not more:
                return None
            head += more
    first, *lines = head.decode("latin-1").partition("\r\n\r\n")[0].split("\r\n")
    method, _, rest = first.partition(" ")
    try:
        redirect = parsed(rest.partition(" ")[0])
    except ValueError:
        return None
    wanted = redirect.query or redirect.path == "/cancel"
    return redirect if method == "GET" and wanted and _is_meant(redirect, lines, hosts) else None


def _is_meant(redirect: Redirect, lines: Sequence[str], hosts: Sequence[str]) -> bool:
    """Any page can make a browser ask this machine: under a name of its own, or on its own behalf to give up."""
    parts = [line.lower().partition(":") for line in lines]
    fields = [(name.strip(), value.strip()) for name, _, value in parts]
    named = [value for name, value in fields if name == "host"]
    if len(named) != 1 or named[0] not in hosts:
        return False
    by_page = any(name == "origin" or (name == "sec-fetch-site" and value != "none") for name, value in fields)
    return not (by_page and redirect.path == "/cancel")


def _page(status: int, verdict: Verdict) -> bytes:
    title = "Done" if verdict.good else "That did not work"
    body = PAGE.format(title=title, words=html.escape(verdict.words)).encode()
    head = (
        f"HTTP/1.1 {status} -",
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body
