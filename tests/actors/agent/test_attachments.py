"""Images and PDFs of prompts: refused before they are accepted, sent, kept, shown without their data."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.messages.base import Problem
from actors.messages.conversation import Attachment, Body, PromptQueued, TurnEnded, UserMessage
from actors.messages.model import Answer, ModelFacts
from actors.messages.turn import Accepted, ModelIs, Prompt, SetModel
from actors.settings.config import Settings
from tests.actors.agent.test_agent import CHANGE, Scene
from tests.fakes.model import FakeModel, say
from tests.fakes.network import open_network
from tests.fakes.tools import FakeTools

PNG = Attachment(name="shot.png", media_type="image/png", data=b"\x89PNG1", size=5)
SHOWN = Attachment(name="shot.png", media_type="image/png", size=5)
LOOK = Prompt(prompt_id="p1", text="look", attachments=(PNG,))
GO_ON = Prompt(prompt_id="p2", text="go on")
BLIND = {"fake/blind": ModelFacts(id="blind", images=False)}
TOO_BIG = Problem(code="bad_request", text="the image is too big.")


@asynccontextmanager
async def a_scene(
    home: Path, *answers: Answer | Problem, model: str = "fake/model", facts: Mapping[str, ModelFacts] = BLIND
) -> AsyncIterator[Scene]:
    (home / "run").mkdir(exist_ok=True)
    settings = Settings(home=str(home), cwd=str(home), session_id="s1", run_id="r1", mode="auto", model=model)
    async with open_network() as network:
        yield Scene(network, FakeModel(answers, facts), FakeTools(), settings)


def prompts(bodies: list[Body]) -> list[UserMessage]:
    return [body for body in bodies if isinstance(body, UserMessage)]


async def test_the_model_gets_the_data_and_who_watches_does_not(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("a cat")) as scene:
        await scene.send(LOOK)
        bodies = await scene.until_end()

    assert scene.model.requests[0].history == (
        UserMessage(text="look", turn_id="p1", prompt_id="p1", attachments=(PNG,)),
    )
    assert bodies[0] == UserMessage(text="look", turn_id="p1", prompt_id="p1", attachments=(SHOWN,))


async def test_a_restarted_agent_still_has_the_data(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("a cat"), say("yes")) as scene:
        await scene.send(LOOK)
        await scene.until_end()
        scene.network.kill("agent:main")
        scene.start_agent()
        await scene.send(GO_ON)
        await scene.until_end(2)

    first = scene.model.requests[1].history[0]
    assert isinstance(first, UserMessage)
    assert first.attachments == (PNG,)


async def test_a_model_that_takes_none_does_not_accept_the_prompt(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("fine"), model="fake/blind") as scene:
        with pytest.raises(Failed) as failure:
            await scene.send(LOOK)
        await scene.send(GO_ON)
        bodies = await scene.until_end()

    assert failure.value.problem == Problem(
        code="bad_request",
        text="fake/blind does not take shot.png.",
        hint="Choose a model that does: trouper models shows them.",
    )
    assert prompts(bodies) == [UserMessage(text="go on", turn_id="p2", prompt_id="p2")]


async def test_a_prompt_that_was_accepted_is_not_checked_again(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("a cat")) as scene:
        await scene.send(LOOK)
        await scene.until_end()
        await scene.ui.insist("agent:main", SetModel(model="fake/blind"), ModelIs)

        accepted = await scene.ui.insist("agent:main", LOOK, Accepted)

    assert accepted == Accepted(turn_id="p1")


async def test_what_came_during_a_turn_joins_with_its_attachment(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("seen")) as scene:
        scene.tools.hold = hold = trio.Event()
        await scene.send(GO_ON)
        await scene.tools.started.wait()
        await scene.send(LOOK)
        hold.set()
        bodies = await scene.until_end()

    assert PromptQueued(prompt_id="p1", text="look", attachments=(SHOWN,)) in bodies
    last = scene.model.requests[1].history[-1]
    assert last == UserMessage(text="look", turn_id="p2", prompt_id="p1", attachments=(PNG,))


async def test_what_the_service_refused_is_left_out_from_then_on(tmp_path: Path) -> None:
    async with a_scene(tmp_path, TOO_BIG, say("fine")) as scene:
        await scene.send(LOOK)
        first = await scene.until_end()
        await scene.send(GO_ON)
        await scene.until_end(2)

    assert first[-1] == TurnEnded(
        turn_id="p1",
        reason="failed",
        text="the image is too big. Left out from now on: shot.png.",
        refused_prompts=("p1",),
        code="bad_request",
    )
    note = "look\n[image shot.png left out: the model service refused the request it came with]"
    assert scene.model.requests[1].history[0] == UserMessage(text=note, turn_id="p1", prompt_id="p1")


async def test_what_was_answered_before_is_not_blamed_for_a_refusal(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("a cat"), TOO_BIG) as scene:
        await scene.send(LOOK)
        await scene.until_end()
        await scene.send(GO_ON)
        bodies = await scene.until_end(2)

    assert bodies[-1] == TurnEnded(turn_id="p2", reason="failed", text="the image is too big.", code="bad_request")


async def test_after_a_switch_what_another_model_took_may_be_to_blame(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("a cat"), TOO_BIG) as scene:
        await scene.send(LOOK)
        await scene.until_end()
        await scene.ui.insist("agent:main", SetModel(model="fake/other"), ModelIs)
        await scene.send(GO_ON)
        bodies = await scene.until_end(2)

    end = bodies[-1]
    assert isinstance(end, TurnEnded)
    assert end.refused_prompts == ("p1",)


async def test_other_failures_leave_it_in(tmp_path: Path) -> None:
    busy = Problem(code="overloaded", text="busy.")
    async with a_scene(tmp_path, busy, say("fine")) as scene:
        await scene.send(LOOK)
        await scene.until_end()
        await scene.send(GO_ON)
        await scene.until_end(2)

    first = scene.model.requests[1].history[0]
    assert isinstance(first, UserMessage)
    assert first.attachments == (PNG,)
