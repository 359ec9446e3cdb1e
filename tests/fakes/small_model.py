"""A model with a window: it counts what it is sent, refuses what is too much, and sums up what it is told to."""

from collections.abc import Callable

import msgspec
import trio

from actors.errors import UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Problem
from actors.messages.conversation import AssistantMessage, Block, Text
from actors.messages.model import Answer, AskModel, ModelFacts, ResolvedModel, ResolveModel, SumsUp, TextDelta
from actors.messages.usage import Usage
from tests.fakes.model import say

BYTES = 3.0
"""Of a token, as this model counts them."""
OVERFLOW = Problem(code="context_overflow", text="small: prompt is too long.")
COST = 0.01


class SmallModel:
    """In the place of the providers actor."""

    def __init__(
        self,
        limit: int,
        answer: Callable[[AskModel], Answer] = lambda _ask: say("I see."),
        *,
        known: bool = True,
        usage: bool = True,
    ) -> None:
        """limit: tokens of a request; known: the table of models has it; usage: it says what it counted."""
        self._limit, self._answer, self._known, self._usage = limit, answer, known, usage
        self.requests: list[AskModel] = []
        """Those that it answered as a part of the conversation."""
        self.summaries: list[AskModel] = []
        self.refused = 0
        self.summary: str | Problem = "## Goal and constraints\nThe goal is in the summary."
        self.hold: trio.Event | None = None
        """Summaries wait for it."""
        self.asked = trio.Event()
        """A summary was asked for."""
        self.sums_up: SumsUp = ""
        """What its service makes of a conversation by itself."""
        self.made: tuple[Block, ...] | Problem = ()
        self.served: list[AskModel] = []
        """Where it was to do that."""

    async def run(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, self._serve)

    async def _serve(self, request: Request) -> None:
        ask = request.message
        if isinstance(ask, ResolveModel):
            facts = ModelFacts(id="small", context=self._limit if self._known else 0)
            request.reply(ResolvedModel(model="fake/model", facts=facts, priced=True, sums_up=self.sums_up))
        elif not isinstance(ask, AskModel):
            raise UnexpectedMessage(ask)
        elif size(ask) > self._limit:
            self.refused += 1
            request.fail(OVERFLOW)
        elif ask.sum_up:
            await self._sum_up_by_itself(ask, request)
        elif "## Goal and constraints" in ask.system:
            await self._sum_up(ask, request)
        else:
            self.requests.append(ask)
            await self._reply(self._answer(ask), ask, request)

    async def _sum_up(self, ask: AskModel, request: Request) -> None:
        self.summaries.append(ask)
        self.asked.set()
        if self.hold is not None:
            await self.hold.wait()
        if isinstance(self.summary, Problem):
            request.fail(self.summary)
        else:
            await self._reply(say(self.summary), ask, request)

    async def _sum_up_by_itself(self, ask: AskModel, request: Request) -> None:
        self.served.append(ask)
        if isinstance(self.made, Problem):
            request.fail(self.made)
            return
        message = AssistantMessage(blocks=self.made, stop_reason="pause", model="fake/model")
        await self._reply(Answer(message=message), ask, request)

    async def _reply(self, answer: Answer, ask: AskModel, request: Request) -> None:
        if answer.message.text:
            await request.send(TextDelta(text=answer.message.text))
        used = Usage(input_tokens=size(ask), output_tokens=20, cost_usd=COST) if self._usage else Usage()
        message = msgspec.structs.replace(answer.message, usage=used)
        request.reply(msgspec.structs.replace(answer, message=message))


def size(ask: AskModel) -> int:
    """Tokens of a request."""
    texts = [ask.system, *(f"{tool.name}{tool.description}{tool.parameters}" for tool in ask.tools)]
    for message in ask.history:
        if not isinstance(message, AssistantMessage):
            texts.append(message.output if hasattr(message, "output") else message.text)
            continue
        texts += [b.text if isinstance(b, Text) else getattr(b, "arguments", "") for b in message.blocks]
    return round(sum(len(text.encode()) + 10 for text in texts) / BYTES)


def sent(ask: AskModel) -> str:
    """All texts of the messages of a request."""
    return "\n".join(getattr(one, "output", "") or one.text for one in ask.history)  # type: ignore[union-attr]
