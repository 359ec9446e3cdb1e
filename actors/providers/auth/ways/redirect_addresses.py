"""The addresses a browser ends at after a log-in: sent to a socket on this machine, or pasted by the user."""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlsplit

import trio

from actors.errors import Failed, failed

Result = TypeVar("Result")
LONGEST_WORDS = 200
"""Characters of a service's own words that are passed on."""


class Verdict(NamedTuple):
    """What whoever brought an address is told."""

    good: bool
    words: str


class Redirect:
    """One address and what became of it."""

    def __init__(self, path: str, query: Mapping[str, str]) -> None:
        self.path = path
        self.query = query
        self._decided = trio.Event()
        self._told = trio.Event()
        self._verdict = Verdict(good=False, words="The sign-in is over.")

    def decide(self, *, good: bool, words: str) -> None:
        self._verdict = Verdict(good, words)
        self._decided.set()

    def over(self) -> None:
        """Without a verdict of its own."""
        self._decided.set()

    async def verdict(self) -> Verdict:
        await self._decided.wait()
        return self._verdict

    def told(self) -> None:
        """The verdict has reached the user."""
        self._told.set()

    async def until_told(self) -> None:
        await self._told.wait()


class Redirects:
    """Of one log-in, wherever they come from."""

    def __init__(self) -> None:
        self.wanted = False
        """The log-in waits for one."""
        self._put, self._arrived = trio.open_memory_channel[Redirect](float("inf"))
        self._all: list[Redirect] = []

    def put(self, redirect: Redirect) -> None:
        self._all.append(redirect)
        self._put.send_nowait(redirect)

    async def next(self) -> Redirect:
        self.wanted = True
        return await self._arrived.receive()

    def close(self) -> None:
        """The log-in is over: nobody waits for a verdict any longer."""
        for redirect in self._all:
            redirect.over()


def parsed(url: str) -> Redirect:
    """Raises ValueError for what is no address."""
    parts = urlsplit(url.strip())
    return Redirect(parts.path, dict(parse_qsl(parts.query)))


TELL_S = 2.0
"""How long a browser may take to fetch the page that says how it went."""


class Expected(NamedTuple):
    """What tells the answer to our own question from anything else that may come."""

    path: str
    state: str = ""
    """"" where the path itself cannot be guessed."""


async def used_code(
    redirects: Redirects, expected: Expected, use: Callable[[str], Awaitable[Result]], why_denied: Callable[[str], str]
) -> Result:
    """What `use` makes of the code in the right address; the browser's page says how that ended. Raises Failed."""
    while True:
        redirect = await redirects.next()
        if redirect.path == "/cancel":
            redirect.decide(good=True, words="The sign-in was given up.")
            await _leave(redirect)
            raise failed("unauthorized", "The sign-in was given up: another program has begun one.", "Try again.")
        if not _belongs(redirect, expected):
            redirect.decide(good=False, words="This address is not the answer to the sign-in that is waiting.")
            continue
        try:
            result = await use(_code(redirect.query, why_denied))
        except Failed as failure:
            redirect.decide(good=False, words=failure.problem.text)
            await _leave(redirect)
            raise
        redirect.decide(good=True, words="You are signed in. You can close this page.")
        await _leave(redirect)
        return result


def _belongs(redirect: Redirect, expected: Expected) -> bool:
    return redirect.path == expected.path and redirect.query.get("state", "") == expected.state


def _code(query: Mapping[str, str], why_denied: Callable[[str], str]) -> str:
    if error := query.get("error"):
        said = " ".join(query.get("error_description", "").split())[:LONGEST_WORDS]
        why = why_denied(f"{error} {said}") or said or error[:LONGEST_WORDS]
        raise failed("unauthorized", f"The service refused the sign-in: {why.rstrip('.')}.")
    if not query.get("code"):
        raise failed("bad_stream", "The service sent no code back.", "Try again.")
    return query["code"]


async def _leave(redirect: Redirect) -> None:
    with trio.move_on_after(TELL_S):
        await redirect.until_told()
