"""An inquiry in one process: a real store, a model of the test's own, and ears that remember."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Problem
from actors.messages.budget import Budget
from actors.messages.conversation import AssistantMessage, BrokenTry, StopReason, Text
from actors.messages.model import (
    Answer,
    AskModel,
    ModelFacts,
    Price,
    ResolvedModel,
    ResolveModel,
    Retrying,
    TextDelta,
)
from actors.messages.usage import Usage
from actors.settings.config import Settings
from actors.store import actor as store
from tests.fakes.network import Network
from ui.inquiry.inquiry import Inquiry
from ui.inquiry.question import Asked, Heard, Terms

COST = 0.5
"""Dollars of an answer."""
FACTS = ModelFacts(id="m", max_output=100, prices=(Price(input=1, output=1),))


def answer(text: str = "yes", stop_reason: StopReason = "end_turn") -> Answer:
    usage = Usage(input_tokens=10, output_tokens=2, cost_usd=COST)
    blocks = (Text(text=text),)
    return Answer(message=AssistantMessage(blocks=blocks, stop_reason=stop_reason, model="local/m", usage=usage))


class Model:
    """In the place of the providers: what it says to a prompt, and who waits for it."""

    def __init__(self, says: Callable[[str], Answer | Problem] = lambda prompt: answer(f"to {prompt}")) -> None:
        self._says = says
        self.asked: list[AskModel] = []
        self.held = trio.Event()
        self.held.set()
        self.broken = False
        """The next answer begins, and breaks off once."""
        self.at_once = self.most_at_once = 0
        self._more = trio.lowlevel.ParkingLot()

    @property
    def prompts(self) -> list[str]:
        return [message.text for ask in self.asked for message in ask.history if hasattr(message, "turn_id")]

    async def until_asked(self, times: int) -> None:
        while len(self.asked) < times:
            await self._more.park()

    def hold(self) -> None:
        self.held = trio.Event()

    async def run(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, self._answer)

    async def _answer(self, request: Request) -> None:
        match request.message:
            case ResolveModel(model=model):
                request.reply(ResolvedModel(model=model, facts=FACTS, priced=True))
            case AskModel() as ask:
                self.asked.append(ask)
                self._more.unpark_all()
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
                try:
                    await self._say(request, self.prompts[-1])
                finally:
                    self.at_once -= 1

    async def _say(self, request: Request, prompt: str) -> None:
        await request.send(TextDelta(text="y"))
        if self.broken:
            self.broken = False
            await request.send(BrokenTry(usage=Usage(cost_usd=COST)))
            await request.send(Retrying(why="it broke off", wait_s=0.0))
        await self.held.wait()
        said = self._says(prompt)
        if isinstance(said, Problem):
            request.fail(said)
        else:
            request.reply(said)


class Ears:
    def __init__(self) -> None:
        self.begun: list[str] = []
        self.heard: dict[str, Heard] = {}
        self.missed: dict[str, str] = {}
        self.waited: list[str] = []

    def begins(self, question_id: str) -> None:
        self.begun.append(question_id)

    def waits(self, question_id: str, why: Retrying) -> None:
        self.waited.append(f"{question_id}: {why.why}")

    async def hears(self, heard: Heard) -> None:
        assert heard.id not in self.heard
        self.heard[heard.id] = heard

    def misses(self, question_id: str, why: Failed) -> None:
        self.missed[question_id] = why.problem.code


def questions(*prompts: str) -> list[Asked]:
    return [Asked(id=prompt, system="s", prompt=partial(str, prompt)) for prompt in prompts]


def terms(usd: float | None = None, model: str = "local/m") -> Terms:
    budgets = () if usd is None else (Budget(session_id="run", usd=usd, what="this audit", again="again with"),)
    return Terms(run_id="run", cwd="/w", model=model, budgets=budgets)


def start_store(network: Network, home: Path) -> None:
    (home / "run").mkdir(exist_ok=True)
    settings = Settings(home=str(home), cwd="/w", session_id="s", run_id="start", model="local/m")
    network.start("store", partial(store.run, settings=settings))


def inquiry(network: Network, workers: int = 2, **more: object) -> Inquiry:
    return Inquiry(network.mailbox("ui"), terms(**more), workers)  # type: ignore[arg-type]
