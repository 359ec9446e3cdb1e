"""A session is named after its first prompt: once, aside, and never against the user's own name."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from actors.agent import actor as agent_actor
from actors.errors import UnexpectedMessage
from actors.gate import actor as gate_actor
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message, Problem
from actors.messages.budget import Budget
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Named,
    TurnEnded,
)
from actors.messages.model import Answer, AskModel, FindCheapest, ModelFacts, ResolvedModel, ResolveModel, TextDelta
from actors.messages.store import FindSession, NameSession, Sessions
from actors.messages.turn import (
    Accepted,
    CancelTurn,
    EntryAdded,
    GoTo,
    OpenOther,
    Prompt,
    StartOver,
    Subscribe,
    TurnStopped,
)
from actors.messages.usage import Usage
from actors.settings.config import Settings
from actors.store import actor as store_actor
from tests.actors.agent.test_accepted_prompts import ask_and_die
from tests.fakes.checkpoints import FakeCheckpoints
from tests.fakes.model import say
from tests.fakes.network import Network, open_network
from tests.fakes.tools import FakeTools

COST = 0.25
"""Of each answer, in dollars."""
FACTS = ModelFacts(id="cheap", efforts=("minimal", "high"))


class Model:
    """In the place of providers: it answers each prompt, and is asked for a name aside."""

    def __init__(self) -> None:
        self.name: str | Problem = "The login page"
        self.cheapest = "fake/cheap"
        self.asked = trio.Event()
        """For a name."""
        self.hold = trio.Event()
        """Names wait for it, unless it is set."""
        self.hold.set()
        self.slow = trio.Event()
        """So do answers."""
        self.slow.set()
        self.before: tuple[Message, ...] = ()
        """What comes before a name."""
        self.aside: list[AskModel] = []
        self.looked: list[str] = []
        """For the cheapest of the service of these."""

    async def run(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, self._serve)

    async def _serve(self, request: Request) -> None:
        match request.message:
            case FindCheapest(model=model):
                self.looked.append(model)
                request.reply(ResolvedModel(model=self.cheapest, facts=FACTS, priced=True))
            case ResolveModel(model=model):
                request.reply(ResolvedModel(model=model or "fake/model", priced=True))
            case AskModel(aside=True) as ask:
                await self._named(ask, request)
            case AskModel():
                await request.send(TextDelta(text="I"))
                await self.slow.wait()
                request.reply(_billed("I see."))
            case other:
                raise UnexpectedMessage(other)

    async def _named(self, ask: AskModel, request: Request) -> None:
        self.aside.append(ask)
        self.asked.set()
        await self.hold.wait()
        for item in self.before:
            await request.send(item)
        if isinstance(self.name, Problem):
            request.fail(self.name)
        else:
            request.reply(_billed(self.name))


def _billed(text: str) -> Answer:
    message = msgspec.structs.replace(say(text).message, usage=Usage(input_tokens=1, output_tokens=1, cost_usd=COST))
    return Answer(message=message)


class Scene:
    """The test is the ui."""

    def __init__(self, network: Network, model: Model, settings: Settings) -> None:
        self.network, self.model = network, model
        self._settings = settings
        network.start("store", partial(store_actor.run, settings=settings))
        network.start("gate", partial(gate_actor.run, settings=settings))
        network.start("providers", model.run)
        network.start("tools:main", FakeTools().run)
        network.start("checkpoints", FakeCheckpoints().run)
        self.start_agent()
        self.ui = network.mailbox("ui")

    def start_agent(self) -> None:
        self.network.start("agent:main", partial(agent_actor.run, settings=self._settings))

    async def send(self, text: str = "make it blue", prompt_id: str = "p1") -> None:
        await self.ui.insist("agent:main", Prompt(prompt_id=prompt_id, text=text), Accepted)

    async def until(self, kind: type[Body], count: int = 1) -> list[Body]:
        """What is stored, once so many of this kind are."""
        bodies: list[Body] = []
        async with self.ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                assert not isinstance(event, TurnStopped)
                if isinstance(event, EntryAdded):
                    bodies.append(event.entry.body)
                    if sum(isinstance(body, kind) for body in bodies) == count:
                        break
        return bodies

    async def called(self, session_id: str = "s1") -> tuple[str, float | None]:
        """And what it has cost."""
        found = (await self.ui.insist("store", FindSession(said=session_id), Sessions)).sessions[0]
        return found.name, found.cost_usd


@asynccontextmanager
async def a_scene(home: Path, **more: object) -> AsyncIterator[Scene]:
    """more: of the settings."""
    (home / "run").mkdir(exist_ok=True)
    plain = Settings(home=str(home), cwd=str(home), session_id="s1", run_id="r1", mode="auto", interactive=True)
    async with open_network() as network:
        yield Scene(network, Model(), msgspec.structs.replace(plain, **more))


async def test_it_is_named_and_the_name_is_billed(tmp_path: Path) -> None:
    async with a_scene(tmp_path, model="fake/model") as scene:
        await scene.send()
        await scene.until(Named)

        assert await scene.called() == ("The login page", 2 * COST)
        assert scene.model.looked == ["fake/model"]


async def test_it_is_named_also_where_the_screen_died_while_its_first_prompt_was_being_saved(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        await ask_and_die(scene.network, scene.ui)
        scene.network.let_go("store")
        await scene.until(Named)

        assert (await scene.called())[0] == "The login page"


async def test_only_the_beginning_of_the_first_prompt_is_told_without_secrets(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        await scene.send("use sk-abcdefghijklmnopqrstuvwx " + "please " * 1000)
        await scene.until(Named)
        (ask,) = scene.model.aside

    (said,) = ask.history
    assert said.text.startswith("Name the session that begins with this:\n\nuse [redacted] please ")  # type: ignore[union-attr]
    assert len(said.text) < 1600  # type: ignore[union-attr]
    assert (ask.model, ask.effort, ask.tools) == ("fake/cheap", "minimal", ())


async def test_of_a_template_it_is_told_what_was_typed(tmp_path: Path) -> None:
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "look.md").write_text("Look at this:\n@notes.md\n")
    (tmp_path / "notes.md").write_text("what a file says\n")
    async with a_scene(tmp_path) as scene:
        await scene.send("/look please")
        bodies = await scene.until(Named)
        (ask,) = scene.model.aside

    assert "what a file says" in str(bodies[0])
    assert "/look please" in str(ask.history)
    assert "what a file says" not in str(ask.history)


async def test_the_turn_does_not_wait_for_it(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.hold = trio.Event()
        await scene.send()
        bodies = await scene.until(TurnEnded)
        await scene.model.asked.wait()
        await scene.send("and again", "p2")
        both = await scene.until(TurnEnded, 2)
        scene.model.hold.set()
        await scene.until(Named)

        assert not any(isinstance(body, Named) for body in (*bodies, *both))
        assert await scene.called() == ("The login page", 3 * COST)


async def test_an_esc_does_not_end_it(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.slow, scene.model.hold = trio.Event(), trio.Event()
        await scene.send()
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    break
        await scene.ui.insist("agent:main", CancelTurn(), Done)
        await scene.model.asked.wait()
        await scene.ui.insist("agent:main", CancelTurn(), Done)
        scene.model.hold.set()
        await scene.until(Named)

        assert (await scene.called())[0] == "The login page"


@pytest.mark.parametrize("when", ["before it is asked for", "while it is asked for"])
async def test_the_users_own_name_stays(tmp_path: Path, when: str) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.slow, scene.model.hold = trio.Event(), trio.Event()
        await scene.send()
        if when == "while it is asked for":
            scene.model.slow.set()
            await scene.model.asked.wait()
        await scene.ui.insist("store", NameSession(session_id="s1", name="my own"), Done)
        scene.model.slow.set()
        scene.model.hold.set()
        await scene.until(Named if when == "while it is asked for" else TurnEnded)
        await trio.testing.wait_all_tasks_blocked()

        assert (await scene.called())[0] == "my own"
        assert len(scene.model.aside) == (when == "while it is asked for")


FAILED = Problem(code="overloaded", text="too busy")


async def test_a_failure_changes_nothing_and_it_is_not_tried_again(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.name = FAILED
        await scene.send()
        await scene.model.asked.wait()
        await scene.send("once more", "p2")
        bodies = await scene.until(TurnEnded, 2)
        await trio.testing.wait_all_tasks_blocked()

        assert [type(body).__name__ for body in bodies if not isinstance(body, TurnEnded | AssistantMessage)] == [
            "UserMessage",
            "UserMessage",
        ]
        assert await scene.called() == ("", 2 * COST)
        assert len(scene.model.aside) == 1


async def test_what_broke_off_is_billed(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.before = (TextDelta(text="The"), BrokenTry(usage=Usage(input_tokens=1, cost_usd=COST)))
        scene.model.name = FAILED
        await scene.send()
        await scene.until(BrokenTry)

        assert await scene.called() == ("", 2 * COST)


async def test_an_answer_without_a_name_in_it_is_billed(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.name = " \n\x1b[2J\n"
        await scene.send()
        bodies = await scene.until(Named)

        assert Named(usage=Usage(input_tokens=1, output_tokens=1, cost_usd=COST)) in bodies
        assert await scene.called() == ("", 2 * COST)


@pytest.mark.parametrize(
    "settings",
    [{"interactive": False}, {"naming_model": "off"}, {"budgets": (Budget(usd=COST),)}],
    ids=["nobody looks on", "it is turned off", "the limit is reached"],
)
async def test_where_it_is_not_asked_for(tmp_path: Path, settings: dict[str, object]) -> None:
    async with a_scene(tmp_path, **settings) as scene:
        await scene.send()
        await scene.until(TurnEnded)
        await trio.testing.wait_all_tasks_blocked()

        assert scene.model.aside == []


async def test_where_no_model_is_known_to_be_cheap_none_is_asked(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.cheapest = ""
        await scene.send()
        await scene.until(TurnEnded)
        await trio.testing.wait_all_tasks_blocked()

        assert (len(scene.model.looked), scene.model.aside) == (1, [])


async def test_the_settings_say_which_model(tmp_path: Path) -> None:
    async with a_scene(tmp_path, naming_model="other/small") as scene:
        await scene.send()
        await scene.until(Named)

        assert [ask.model for ask in scene.model.aside] == ["other/small"]
        assert scene.model.looked == []


async def test_another_life_of_the_agent_does_not_ask_again(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.hold = trio.Event()
        await scene.send()
        await scene.until(TurnEnded)
        await scene.model.asked.wait()
        scene.network.kill("agent:main")
        scene.start_agent()
        scene.model.hold.set()
        await scene.send("and now red", "p2")
        await scene.until(TurnEnded, 2)
        await trio.testing.wait_all_tasks_blocked()

        assert len(scene.model.aside) == 1


async def test_a_session_that_is_left_is_not_named_and_the_next_one_is(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.hold = trio.Event()
        await scene.send()
        await scene.until(TurnEnded)
        await scene.model.asked.wait()
        await scene.ui.insist("agent:main", OpenOther(session_id=""), Done)
        scene.model.hold.set()
        await scene.send("something else", "p2")
        await scene.until(Named)

        assert (await scene.called())[0] == ""
        assert "something else" in str(scene.model.aside[1].history)


async def test_a_plan_that_is_carried_out_in_a_new_session_names_it(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        await scene.ui.insist("agent:main", StartOver(prompt_id="p9", text="the plan"), Accepted)
        await scene.until(Named)

        assert "the plan" in str(scene.model.aside[0].history)


async def test_who_goes_back_to_the_beginning_is_not_named_anew(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        scene.model.name = FAILED
        await scene.send()
        await scene.until(TurnEnded)
        await scene.ui.insist("agent:main", GoTo(entry_id=""), Done)
        await scene.send("no, red", "p2")
        await scene.until(TurnEnded)
        await trio.testing.wait_all_tasks_blocked()

        assert len(scene.model.aside) == 1
