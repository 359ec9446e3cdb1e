"""Who answers: chosen in the session, on the command line or in the settings; through restarts and resumptions."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from actors.agent import actor as agent_actor
from actors.agent.session.history import History
from actors.agent.session.model_choice import choice
from actors.errors import Failed
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Body,
    Entry,
    ModelChosen,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import ModelFacts
from actors.messages.turn import ModelIs, Prompt, SessionInfo, SetModel, Subscribe
from actors.messages.usage import Usage
from actors.settings.config import Settings
from tests.actors.agent.test_agent import CHANGE, PROMPT
from tests.actors.agent.test_attachments import PNG, a_scene
from tests.fakes.model import say

SETTINGS = Settings(home="/h", cwd="/w", session_id="s", run_id="now", model="conf/a", effort="low")
BEFORE = ModelChosen(model="told/b", effort="high", run_id="before")
NOW = ModelChosen(model="told/c", run_id="now")
FACTS = {"fake/thinker": ModelFacts(id="thinker", efforts=("low", "high")), "fake/blind": ModelFacts(images=False)}


@dataclass(frozen=True)
class Case:
    entries: tuple[ModelChosen, ...]
    chosen: tuple[str, ...]
    model: str
    effort: str


@pytest.mark.parametrize(
    "case",
    [
        Case((), (), "conf/a", "low"),
        Case((BEFORE,), (), "told/b", "high"),
        Case((BEFORE, NOW), (), "told/c", ""),
        Case((BEFORE,), ("model",), "conf/a", "low"),
        Case((BEFORE,), ("effort",), "told/b", "low"),
        Case((BEFORE, NOW), ("model", "effort"), "told/c", ""),
    ],
    ids=["settings", "session", "this run", "--model", "--effort", "this run over flags"],
)
def test_what_counts(case: Case) -> None:
    entries = [Entry(id=str(n), session_id="s", parent="", body=body, at=0.0) for n, body in enumerate(case.entries)]
    settings = msgspec.structs.replace(SETTINGS, chosen=case.chosen)

    found = choice(History("s", entries), settings)

    assert (found.model, found.effort) == (case.model, case.effort)


def ended(code: str, *refused: str) -> Body:
    return msgspec.convert(
        {"type": "TurnEnded", "turn_id": "t", "reason": "failed", "code": code, "refused_prompts": refused}, TurnEnded
    )


SAID = UserMessage(text="go", turn_id="t")
WRONG = ModelChosen(model="told/wrong", run_id="before")
ANSWERED = AssistantMessage(blocks=(), stop_reason="end_turn", model="told/b", usage=Usage())


@pytest.mark.parametrize(
    ("bodies", "model"),
    [
        ((BEFORE, SAID, ended("overloaded")), "told/b"),
        ((BEFORE, SAID, ended("unreachable")), "told/b"),
        ((BEFORE, SAID, ended("stalled")), "told/b"),
        ((WRONG, SAID, ended("unknown_model")), "conf/a"),
        ((WRONG, SAID, ended("unauthorized")), "conf/a"),
        ((BEFORE, SAID, ANSWERED, ended(""), WRONG, SAID, ended("unknown_model")), "told/b"),
        ((BEFORE, SAID, ANSWERED, ended("unauthorized")), "told/b"),
        ((BEFORE, SAID, ended("unauthorized"), SAID, ANSWERED, ended("")), "told/b"),
        ((BEFORE, SAID, ended("bad_request", "p1")), "told/b"),
    ],
    ids=[
        "an outage",
        "no connection",
        "silence",
        "no such model",
        "a wrong key",
        "the one before that",
        "it had answered",
        "it answered later",
        "only an image was refused",
    ],
)
def test_a_later_run_goes_on_with_a_model_that_can_be_had(bodies: tuple[Body, ...], model: str) -> None:
    entries = [Entry(id=str(n), session_id="s", parent="", body=body, at=0.0) for n, body in enumerate(bodies)]

    assert choice(History("s", entries), SETTINGS).model == model


async def test_the_next_request_goes_to_the_new_model(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), say("two"), facts=FACTS) as scene:
        await scene.send()
        await scene.until_end()
        now = await scene.ui.insist("agent:main", SetModel(model="fake/thinker", effort="high"), ModelIs)
        await scene.send(Prompt(prompt_id="p2", text="more"))
        bodies = await scene.until_end(2)

    assert now == ModelIs(model="fake/thinker", effort="high")
    assert [(ask.model, ask.effort) for ask in scene.model.requests] == [("fake/model", ""), ("fake/thinker", "high")]
    assert ModelChosen(model="fake/thinker", effort="high", run_id="r1") in bodies


async def test_a_turn_that_runs_goes_on_with_the_new_model(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("done"), facts=FACTS) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        await scene.ui.insist("agent:main", SetModel(model="fake/thinker"), ModelIs)
        scene.tools.hold.set()
        await scene.until_end()

    assert [ask.model for ask in scene.model.requests] == ["fake/model", "fake/thinker"]


async def test_the_choice_survives_the_agent(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), facts=FACTS) as scene:
        await scene.ui.insist("agent:main", SetModel(model="fake/thinker", effort="low"), ModelIs)
        scene.network.kill("agent:main")
        scene.start_agent()
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            info = await anext(events)
        await scene.send()
        await scene.until_end()

    assert isinstance(info, SessionInfo)
    assert (info.model, info.effort) == ("fake/thinker", "low")
    assert scene.model.requests[0].model == "fake/thinker"


async def test_a_model_that_cannot_be_had_changes_nothing(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), facts=FACTS) as scene:
        with pytest.raises(Failed) as failure:
            await scene.ui.insist("agent:main", SetModel(model="fake/unknown"), ModelIs)
        await scene.send()
        await scene.until_end()

    assert failure.value.problem.code == "unknown_model"
    assert scene.model.requests[0].model == "fake/model"


async def test_an_effort_that_was_meant_for_another_model_is_dropped(tmp_path: Path) -> None:
    async with a_scene(tmp_path, facts=FACTS) as scene:
        await scene.ui.insist("agent:main", SetModel(model="fake/model", effort="max"), ModelIs)
        now = await scene.ui.insist("agent:main", SetModel(model="fake/thinker"), ModelIs)

        with pytest.raises(Failed):
            await scene.ui.insist("agent:main", SetModel(effort="max"), ModelIs)

    assert now == ModelIs(model="fake/thinker", effort="")


async def test_what_the_new_model_does_not_take_is_named(tmp_path: Path) -> None:
    other = Attachment(name="spec.pdf", media_type="application/pdf", data=b"%PDF-", size=5)
    look = Prompt(prompt_id="p1", text="look", attachments=(PNG, other))
    async with a_scene(tmp_path, say("seen"), facts=FACTS) as scene:
        await scene.send(look)
        await scene.until_end()
        now = await scene.ui.insist("agent:main", SetModel(model="fake/blind"), ModelIs)

    assert now == ModelIs(model="fake/blind", effort="", left_out=("shot.png",))


async def test_what_the_command_line_said_is_remembered_with_the_first_prompt(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), say("two")) as scene:
        told = Settings(
            home=str(tmp_path), cwd=str(tmp_path), session_id="s1", run_id="r1", model="fake/x", chosen=("model",)
        )
        later = msgspec.structs.replace(told, run_id="r2", model="conf/default", chosen=())
        for settings, prompt in ((told, PROMPT), (later, Prompt(prompt_id="p2", text="more"))):
            scene.network.kill("agent:main")
            scene.network.start("agent:main", partial(agent_actor.run, settings=settings))
            await scene.send(prompt)
            await scene.until_end(1 if prompt is PROMPT else 2)

    assert [ask.model for ask in scene.model.requests] == ["fake/x", "fake/x"]
