"""--max-cost: no request is begun once as much is spent as may be, and none whose price nobody knows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from actors.agent import actor as agent_actor
from actors.errors import Failed
from actors.gate import actor as gate_actor
from actors.mailbox import Mailbox, Request
from actors.messages import decode
from actors.messages.base import Done
from actors.messages.budget import Budget, Budgets, RaiseBudget, ReadBudgets, Release, Reserve, ShowBudget
from actors.messages.conversation import (
    BrokenTry,
    Entry,
    ToolCall,
    TurnEnded,
)
from actors.messages.model import Answer, AskModel, ResolvedModel, ResolveModel, TextDelta
from actors.messages.turn import Accepted, CancelTurn, EntryAdded, Prompt, Subscribe
from actors.messages.usage import Usage
from actors.settings.config import Settings
from actors.store import actor as store_actor
from tests.fakes.budgets import stands
from tests.fakes.model import say
from tests.fakes.network import Network, open_network
from tests.fakes.tools import FakeTools

LOOK = ToolCall(call_id="c1", name="look", arguments="{}")
LOOK_AGAIN = ToolCall(call_id="c2", name="look", arguments="{}")


class PricedModel:
    """In the place of the providers actor: each answer has its cost."""

    def __init__(
        self, *costs: float | None, priced: bool = True, breaks: float | None = None, sticks_at: int = 0
    ) -> None:
        """breaks: each answer comes after a try that broke off, and so much was billed for that.

        sticks_at: that answer begins and does not end.
        """
        self._breaks = breaks
        self._sticks_at = sticks_at
        self.stuck = trio.Event()
        self._costs = list(costs)
        self._priced = priced
        self.asked = 0

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            await request.serve(self._answer)

    async def _answer(self, request: Request) -> None:
        match request.message:
            case ResolveModel():
                request.reply(ResolvedModel(model="fake/model", priced=self._priced))
            case AskModel():
                self.asked += 1
                if self.asked == self._sticks_at:
                    await request.send(TextDelta(text="so"))
                    self.stuck.set()
                    await trio.sleep_forever()
                if self._breaks is not None:
                    await request.send(BrokenTry(usage=Usage(input_tokens=1, cost_usd=self._breaks)))
                usage = Usage(input_tokens=1, cost_usd=self._costs.pop(0))
                plain = say("so far", LOOK if self.asked % 2 else LOOK_AGAIN) if self._costs else say("done")
                message = msgspec.structs.replace(plain.message, usage=usage)
                request.reply(Answer(message=message))


def own(limit: float | None, tokens: int | None = None) -> tuple[Budget, ...]:
    if limit is None and tokens is None:
        return ()
    return (Budget(usd=limit, tokens=tokens, again="trouper -c"),)


def settings(home: Path, limit: float | None, **more: object) -> Settings:
    (home / "run").mkdir(exist_ok=True)
    base = Settings(home=str(home), cwd=str(home), session_id="r1.a", run_id="r1", mode="auto", budgets=own(limit))
    return msgspec.structs.replace(base, **more)


@asynccontextmanager
async def agents(model: PricedModel, of: Settings) -> AsyncIterator[Network]:
    async with open_network() as network:
        network.start("store", partial(store_actor.run, settings=of))
        network.start("gate", partial(gate_actor.run, settings=of))
        network.start("providers", model.run)
        network.start("tools:main", FakeTools().run)
        network.start("agent:main", partial(agent_actor.run, settings=of))
        yield network


async def turn(ui: Mailbox, prompt_id: str = "p1", agent: str = "agent:main") -> TurnEnded:
    """How a turn ends."""
    await ui.insist(agent, Prompt(prompt_id=prompt_id, text="go"), Accepted)
    async with ui.stream(agent, Subscribe()) as events:
        async for event in events:
            match event:
                case EntryAdded(entry=Entry(body=TurnEnded(turn_id=ended) as end)) if ended == prompt_id:
                    return end
                case _:
                    continue
    raise AssertionError(agent)


async def test_the_turn_ends_before_the_request_that_would_be_too_much(tmp_path: Path) -> None:
    model = PricedModel(0.25, 0.25, 0.25, 0.25)
    async with agents(model, settings(tmp_path, 0.5)) as network:
        end = await turn(network.mailbox("ui"))

    assert model.asked == 2
    assert end.reason == "budget"
    assert end.text == ("this session has cost $0.50, and --max-cost is $0.50. Go on with: trouper -c --max-cost 1")


async def test_below_the_limit_a_turn_is_not_disturbed(tmp_path: Path) -> None:
    model = PricedModel(0.25, 0.25)
    async with agents(model, settings(tmp_path, 0.51)) as network:
        end = await turn(network.mailbox("ui"))

    assert (end.reason, model.asked) == ("done", 2)


async def test_what_earlier_turns_have_cost_counts(tmp_path: Path) -> None:
    model = PricedModel(0.5)
    async with agents(model, settings(tmp_path, 0.5)) as network:
        ui = network.mailbox("ui")
        ends = [await turn(ui), await turn(ui, "p2")]

    assert [end.reason for end in ends] == ["done", "budget"]
    assert model.asked == 1


async def test_without_a_known_price_nothing_is_asked(tmp_path: Path) -> None:
    model = PricedModel(0.1, priced=False)
    async with agents(model, settings(tmp_path, 100.0)) as network:
        end = await turn(network.mailbox("ui"))

    assert (end.reason, model.asked) == ("budget", 0)
    assert end.text.startswith("the price of fake/model is unknown, so --max-cost cannot be kept.")


async def test_after_an_answer_of_unknown_cost_nothing_more_is_asked(tmp_path: Path) -> None:
    model = PricedModel(None, 0.1)
    async with agents(model, settings(tmp_path, 100.0)) as network:
        end = await turn(network.mailbox("ui"))

    assert (end.reason, model.asked) == ("budget", 1)


async def test_without_a_limit_no_price_is_needed(tmp_path: Path) -> None:
    model = PricedModel(None, None, priced=False)
    async with agents(model, settings(tmp_path, None)) as network:
        end = await turn(network.mailbox("ui"))

    assert (end.reason, model.asked) == ("done", 2)


async def test_sessions_that_share_a_limit_count_together(tmp_path: Path) -> None:
    model = PricedModel(0.25, 0.25, 0.25)
    batch = Budget(session_id="r1", usd=0.75, what="this batch", again="the same command and")
    shared = settings(tmp_path, None, budgets=(batch,))
    async with agents(model, shared) as network:
        other = msgspec.structs.replace(shared, session_id="r1.b")
        network.start("tools:b", FakeTools().run)
        network.start("agent:b", partial(agent_actor.run, settings=other))
        ui = network.mailbox("ui")
        done = await turn(ui)
        (stands,) = (await ui.ask("store", ReadBudgets(budgets=(batch,)), Budgets)).budgets
        refused = await turn(ui, "p2", "agent:b")

    assert (done.reason, stands.usd, stands.requests) == ("done", 0.75, 0)
    assert refused.reason == "budget"
    assert refused.text == (
        "this batch has cost $0.75, and --max-cost is $0.75. Go on with: the same command and --max-cost 1.5"
    )
    assert model.asked == 3


async def test_a_try_that_broke_off_counts_before_the_next_one(tmp_path: Path) -> None:
    model = PricedModel(0.25, 0.25, breaks=0.5)
    async with agents(model, settings(tmp_path, 0.5)) as network:
        end = await turn(network.mailbox("ui"))

    assert (end.reason, model.asked) == ("budget", 1)
    assert end.text.startswith("this session has cost $0.50, and --max-cost is $0.50.")


async def test_tries_that_broke_off_are_no_answers(tmp_path: Path) -> None:
    model = PricedModel(0.25, 0.25, breaks=0.1)
    async with agents(model, settings(tmp_path, 1.0)) as network:
        end = await turn(network.mailbox("ui"))

    assert (end.reason, model.asked) == ("done", 2)


async def test_an_answer_whose_model_process_died_counts_as_much_as_the_one_before(tmp_path: Path) -> None:
    model, successor = PricedModel(0.25, 0.25, sticks_at=2), PricedModel(0.25)
    async with agents(model, settings(tmp_path, 0.5)) as network, trio.open_nursery() as nursery:
        ends: list[TurnEnded] = []

        async def go() -> None:
            ends.append(await turn(network.mailbox("ui")))

        nursery.start_soon(go)
        await model.stuck.wait()
        network.kill("providers")
        network.start("providers", successor.run)

    assert [end.reason for end in ends] == ["budget"]
    assert successor.asked == 0


async def test_the_user_may_raise_the_limit_and_the_session_goes_on(tmp_path: Path) -> None:
    model = PricedModel(0.25, 0.25, 0.25)
    async with agents(model, settings(tmp_path, 0.5)) as network:
        ui = network.mailbox("ui")
        stopped = await turn(ui)
        wanted = RaiseBudget(id="w", usd=0.5)
        raised = [await ui.ask("agent:main", wanted, Budgets) for _ in range(2)]  # the second as when it had died
        network.kill("agent:main")
        network.start("agent:main", partial(agent_actor.run, settings=settings(tmp_path, 0.5)))
        gone_on = await turn(ui, "p2")

    assert (stopped.reason, gone_on.reason) == ("budget", "done")
    assert [one.budgets[0].budget.usd for one in raised] == [1.0, 1.0]
    assert raised[0].budgets[0].usd == 0.5


async def test_where_there_is_no_limit_none_is_raised(tmp_path: Path) -> None:
    async with agents(PricedModel(), settings(tmp_path, None)) as network:
        ui = network.mailbox("ui")
        shown = await ui.ask("agent:main", ShowBudget(), Budgets)
        with pytest.raises(Failed, match="no limit in dollars"):
            await ui.ask("agent:main", RaiseBudget(id="w", usd=0.5), Budgets)

    assert [(one.budget.session_id, one.budget.usd, one.usd) for one in shown.budgets] == [("r1.a", None, 0.0)]


async def test_a_cancelled_request_gives_its_room_back(tmp_path: Path) -> None:
    model = PricedModel(0.25, sticks_at=1)
    async with agents(model, settings(tmp_path, 0.5)) as network:
        ui = network.mailbox("ui")
        await ui.insist("agent:main", Prompt(prompt_id="p1", text="go"), Accepted)
        await model.stuck.wait()
        under_way = await stands(ui, "r1.a")
        await ui.ask("agent:main", CancelTurn(), Done)

        assert (under_way.requests, (await stands(ui, "r1.a")).requests) == (1, 0)


async def test_what_an_agent_had_under_way_when_it_was_killed_is_billed(tmp_path: Path) -> None:
    model = PricedModel(0.25, 0.25, sticks_at=2)
    async with agents(model, settings(tmp_path, 5.0)) as network:
        ui = network.mailbox("ui")
        await ui.insist("agent:main", Prompt(prompt_id="p1", text="go"), Accepted)
        await model.stuck.wait()
        network.kill("agent:main")
        network.start("agent:main", partial(agent_actor.run, settings=settings(tmp_path, 5.0)))
        async with ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                if isinstance(event, EntryAdded) and isinstance(event.entry.body, TurnEnded):
                    break
        now = await stands(ui, "r1.a")

    assert (now.usd, now.requests) == (0.75, 0)


async def test_without_a_budget_nothing_is_reserved(tmp_path: Path) -> None:
    async with agents(PricedModel(0.1, 0.1), settings(tmp_path, None)) as network:
        await turn(network.mailbox("ui"))
        words = [decode(one.body) for one in network.carried if one.kind in ("ask", "stream")]

    assert not any(isinstance(word, Reserve | Release) for word in words)
