"""An agent's requests over sockets, the providers actor's part of it, and the service they go to."""

import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import trio

from actors.messages.conversation import AssistantMessage, ModelInput, ToolResult, UserMessage
from actors.messages.model import Answer, AskModel, TextDelta
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults.fault import Fault
from actors.providers.formats.openai_responses import FORMAT
from actors.providers.formats.wire_format import Delta
from actors.providers.http.answer_listener import Listener
from actors.providers.http.exchange import Client
from actors.providers.http.responses_socket import REFUSED, Sockets
from tests.actors.providers.formats.openai_responses.streams import added, call, completed, done, event, message
from tests.fakes.responses_socket import ResponsesSocket, Turn, open_responses_socket

KEY = "planted-key"
IDLE_S = 20.0
HELLO = UserMessage(text="Hello.", turn_id="t1")
RESULT = ToolResult(call_id="c1", name="read", output="text")


def created(number: int) -> dict[str, Any]:
    return event("created", response={"id": f"resp_{number}"})


def ended(number: int) -> dict[str, Any]:
    return completed(id=f"resp_{number}")


CALLS = [created(1), added(0, call("c1", "")), done(0, call("c1", "{}")), ended(1)]
SAYS = [
    created(2),
    added(0, message("", id="m")),
    event("output_text.delta", output_index=0, delta="So"),
    event("output_text.delta", output_index=0, delta="."),
    done(0, message("So.", id="m")),
    ended(2),
]


@dataclass
class Asker:
    """An agent, and the providers actor on its behalf."""

    sockets: Sockets
    client: Client
    endpoint: Endpoint
    name: str = "agent:main"
    history: tuple[ModelInput, ...] = (HELLO,)
    deltas: list[Delta] = field(default_factory=list)
    answers: list[AssistantMessage] = field(default_factory=list)
    accepted: list[Mapping[str, str]] = field(default_factory=list)

    async def ask(self, *said: ModelInput) -> Fault | None:
        """One try: over a socket, else over HTTP."""
        self.history += said
        self.deltas.clear()
        ask = AskModel(model="test/model", session_id="s", system="Be brief.", history=self.history)
        target = Target(self.endpoint, "model")
        parts, reader = FORMAT.request(target, ask), FORMAT.reader(target, ask)
        outcome = await self.sockets.ask(self.endpoint, parts, reader, self.listener, f"s/{self.name}")
        if outcome == REFUSED:
            return await self.client.ask(self.endpoint, parts, reader, self.listener)
        return outcome

    @property
    def listener(self) -> Listener:
        return Listener(self.accepted.append, self._heard, self._answered)

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))

    async def _heard(self, delta: Delta) -> None:
        self.deltas.append(delta)

    def _answered(self, answer: Answer) -> None:
        self.answers.append(answer.message)
        self.history += (answer.message,)


def endpoint(url: str, **changes: Any) -> Endpoint:  # noqa: ANN401
    given = {"key": KEY, "idle_timeout_s": IDLE_S, "websocket": True} | changes
    return Endpoint(provider="test", api="openai-responses", base_url=url, **given)


@asynccontextmanager
async def asker_and_server(
    *turns: Turn,
    faults: tuple[str, ...] = (),
    refuses: int | bytes | None = None,
    context: ssl.SSLContext | None = None,
) -> AsyncIterator[tuple[Asker, ResponsesSocket]]:
    client, server = Client(), ResponsesSocket(turns, faults, refuses, context)
    async with open_responses_socket(server), trio.open_nursery() as nursery:
        yield Asker(Sockets(nursery), client, endpoint(server.url)), server
        await client.aclose()
        nursery.cancel_scope.cancel()


def inputs(server: ResponsesSocket) -> list[list[tuple[int, str | None]]]:
    """Of every socket: how many items each frame had, and what it builds on."""
    return [[(len(one["input"]), one.get("previous_response_id")) for one in heard.frames] for heard in server.sockets]
