"""How an actor talks: one inbox, `tell`, `ask` and `stream`. It does not know whether the other side is a process.

The reader (`pump`) never waits for anyone: items go into channels that credits keep from overflowing, and the cancel
scope of a request exists before its handler does, so a Cancel that comes right behind its request is not lost.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar

import msgspec
import trio

from actors import messages
from actors.errors import ActorDied, Failed, Trouble, UnexpectedMessage, failed
from actors.messages.base import Envelope, Message, Problem

CREDITS = 64
"""Items a stream may be ahead of its reader."""
CANCEL_ANSWER_S = 15.0
"""The router ends whoever does not answer a cancel; this is only for a router that is gone itself."""
INSIST = 8
"""How many deaths of the other side one request may live through."""

Reply = TypeVar("Reply", bound=Message)


class Link(Protocol):
    """The way out and in: a socket to the router, or memory channels in a test."""

    def send(self, envelope: Envelope) -> None: ...
    async def receive(self) -> list[Envelope]:
        """All that has arrived, at least one; [] when the other side is gone."""


class Request:
    """A message that arrived. A tell wants no answer; an ask or stream wants exactly one `reply` or `fail`."""

    def __init__(self, mailbox: "Mailbox", envelope: Envelope) -> None:
        self.message = messages.decode(envelope.body)
        self.sender = envelope.sender
        self.scope = trio.CancelScope()
        self._mailbox = mailbox
        self._id = envelope.id
        self._credits = trio.Semaphore(CREDITS, max_value=None)
        self.answered = envelope.kind == "tell"

    def reply(self, message: Message) -> None:
        self._settle("reply", messages.encode(message))

    def fail(self, problem: Problem) -> None:
        self._settle("error", messages.encode(problem))

    async def send(self, item: Message) -> None:
        """One item of a stream; waits while the reader is CREDITS behind."""
        await self._credits.acquire()
        self._mailbox.post("item", self.sender, self._id, messages.encode(item))

    def forward(self, to: str, message: Message | None = None) -> None:
        """Let `to` serve this request: its items and reply go straight to the asker, and so does a cancel to it.

        message: what `to` is handed instead of the request as it came.
        """
        body = messages.encode(message or self.message)
        self._mailbox.post("forward", to, self._id, body, asker=self.sender)
        self._close()

    async def serve(self, handler: Callable[["Request"], Awaitable[None]]) -> None:
        """Run the handler inside the request's cancel scope and answer for it when it is cancelled or fails."""
        with self.scope:
            try:
                await handler(self)
            except Failed as error:
                self.fail(error.problem)
        if not self.answered:
            if not self.scope.cancelled_caught:
                raise UnexpectedMessage(self.message)  # a handler that forgot to answer
            self._settle("cancelled", msgspec.Raw(b"\xc0"))

    def grant(self, count: int) -> None:
        for _ in range(count):
            self._credits.release()

    def _settle(self, kind: messages.base.Kind, body: msgspec.Raw) -> None:
        if self.answered:
            return  # a tell, or cancelled and finished at the same moment
        self._mailbox.post(kind, self.sender, self._id, body)
        self._close()

    def _close(self) -> None:
        self.answered = True
        self._mailbox.settled(self.sender, self._id)


class Stream:
    """The items of a request that is under way; `result` is its reply once the items have ended."""

    def __init__(self, post_credit: Callable[[int], None]) -> None:
        self.send_item, self._items = trio.open_memory_channel[msgspec.Raw](CREDITS + 1)
        self._post_credit = post_credit
        self._taken = 0
        self._outcome: Message | Failed | None = None

    def __aiter__(self) -> "Stream":
        return self

    async def __anext__(self) -> Message:
        try:
            item = await self._items.receive()
        except trio.EndOfChannel:
            if isinstance(self._outcome, Failed):
                raise self._outcome from None
            raise StopAsyncIteration from None
        self._taken += 1
        if self._taken == CREDITS // 2:
            self._post_credit(self._taken)
            self._taken = 0
        return messages.decode(item)

    async def result(self, expected: type[Reply]) -> Reply:
        """The reply; items not yet read are dropped. Raises Failed."""
        async for _ in self:
            pass
        return _expect(self._outcome, expected)

    @property
    def finished(self) -> bool:
        return self._outcome is not None

    def finish(self, outcome: Message | Failed) -> None:
        self._outcome = outcome
        self.send_item.close()


def _gone() -> Failed:
    return failed("gone", "The supervisor is gone.")


class Mailbox:
    def __init__(self, name: str, link: Link, *, first_id: int = 1, failures: int = 0) -> None:
        """first_id keeps the requests of successive lives of one actor apart."""
        self.name = name
        self.failures = failures
        """So many earlier lives of this actor crashed, hung or grew too large, not long ago: what it is about to do may
        be why."""
        self._link = link
        self._next_id = first_id
        self._to_inbox, self._inbox = trio.open_memory_channel[Request | Envelope](float("inf"))
        self._asked: dict[int, Stream] = {}
        self._serving: dict[tuple[str, int], Request] = {}
        self._closed = False

    def __aiter__(self) -> "Mailbox":
        return self

    async def __anext__(self) -> Request:
        while True:
            try:
                arrived = await self._inbox.receive()
            except trio.EndOfChannel:
                raise StopAsyncIteration from None
            if isinstance(arrived, Request):
                return arrived
            self._pong(arrived)

    def take_waiting(self) -> list[Request]:
        """The requests that are here already, without waiting for more."""
        waiting: list[Request] = []
        while True:
            try:
                arrived = self._inbox.receive_nowait()
            except (trio.WouldBlock, trio.EndOfChannel):
                return waiting
            if isinstance(arrived, Request):
                waiting.append(arrived)
            else:
                self._pong(arrived)

    def tell(self, to: str, message: Message) -> None:
        """At most once: lost if `to` dies. What matters is asked."""
        self.post("tell", to, 0, messages.encode(message))

    async def ask(self, to: str, message: Message, expected: type[Reply]) -> Reply:
        """Raises Failed with the other side's Problem, ActorDied when it died meanwhile."""
        async with self._request("ask", to, message) as stream:
            return await stream.result(expected)

    async def insist(self, to: str, message: Message, expected: type[Reply], lives: int = INSIST) -> Reply:
        """`ask` again when the other side dies: for requests that may safely happen twice.

        lives: so many of its deaths are too many.
        """
        for _ in range(lives):
            try:
                return await self.ask(to, message, expected)
            except ActorDied:
                continue  # the router holds the next one until the replacement is up
        raise failed(
            "gone",
            f"{to} died again and again while answering one request.",
            "Why is in TROUPER_HOME/logs (~/.trouper/logs).",
        )

    @asynccontextmanager
    async def stream(self, to: str, message: Message) -> AsyncIterator[Stream]:
        """Leaving the block early cancels the request and waits until it is really over."""
        async with self._request("stream", to, message) as stream:
            yield stream

    @asynccontextmanager
    async def _request(self, kind: messages.base.Kind, to: str, message: Message) -> AsyncIterator[Stream]:
        if self._closed:
            raise _gone()  # sent, it would be carried out, and nobody would learn how it went
        number, self._next_id = self._next_id, self._next_id + 1
        stream = Stream(lambda count: self.post("credit", to, number, msgspec.Raw(msgspec.msgpack.encode(count))))
        self._asked[number] = stream
        self.post(kind, to, number, messages.encode(message))
        try:
            yield stream
        finally:
            if not stream.finished:
                await self._cancel(to, number, stream)
            del self._asked[number]

    async def _cancel(self, to: str, number: int, stream: Stream) -> None:
        self.post("cancel", to, number)
        with trio.move_on_after(CANCEL_ANSWER_S) as scope:
            scope.shield = True
            try:
                async for _ in stream:
                    pass
            except Failed:
                return  # it ended, one way or another

    def post(
        self,
        kind: messages.base.Kind,
        to: str,
        number: int,
        body: msgspec.Raw = msgspec.Raw(b"\xc0"),  # noqa: B008  # immutable: msgpack's nil
        asker: str = "",
    ) -> None:
        self._link.send(Envelope(kind=kind, to=to, sender=self.name, id=number, body=body, asker=asker))

    def settled(self, sender: str, number: int) -> None:
        self._serving.pop((sender, number), None)

    async def pump(self) -> None:
        """Read until the other side is gone; then everything that waits for it fails."""
        try:
            while batch := await self._link.receive():
                for envelope in batch:
                    self._arrive(envelope)
        finally:
            self._closed = True
            self._to_inbox.close()
            for stream in list(self._asked.values()):
                if not stream.finished:
                    stream.finish(_gone())

    def _arrive(self, envelope: Envelope) -> None:
        match envelope.kind:
            case "tell" | "ask" | "stream":
                request = Request(self, envelope)
                if envelope.kind != "tell":
                    self._serving[envelope.sender, envelope.id] = request
                self._to_inbox.send_nowait(request)
            case "item" | "reply" | "error" | "cancelled":
                self._answer_arrived(envelope)
            case "credit":
                if request_or_none := self._serving.get((envelope.sender, envelope.id)):
                    request_or_none.grant(msgspec.msgpack.decode(envelope.body, type=int))
            case "cancel":
                if request_or_none := self._serving.get((envelope.sender, envelope.id)):
                    request_or_none.scope.cancel()
                else:
                    self.post("cancelled", envelope.sender, envelope.id)
            case "ping":
                self._to_inbox.send_nowait(envelope)  # answered from the inbox, so a stuck actor does not answer
            case "forward" | "pong" | "crashed":
                raise UnexpectedMessage(envelope)

    def _answer_arrived(self, envelope: Envelope) -> None:
        stream = self._asked.get(envelope.id)
        if stream is None or stream.finished:
            return  # an answer that crossed our cancel
        match envelope.kind:
            case "item":
                stream.send_item.send_nowait(envelope.body)
            case "cancelled":
                stream.finish(failed("gone", "The request was cancelled."))
            case _:
                outcome = messages.decode(envelope.body)
                stream.finish(_raised(outcome) if isinstance(outcome, Problem) else outcome)

    def _pong(self, ping: Envelope) -> None:
        self.post("pong", ping.sender, ping.id)


def _raised(problem: Problem) -> Failed:
    return ActorDied(problem) if problem.code == "actor_died" else Failed(problem)


def _expect(outcome: Message | Failed | None, expected: type[Reply]) -> Reply:
    if isinstance(outcome, Trouble):
        raise outcome
    if not isinstance(outcome, expected):
        raise UnexpectedMessage(outcome)
    return outcome
