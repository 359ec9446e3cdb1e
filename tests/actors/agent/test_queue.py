"""Prompts that wait for the end of a turn: one turn each, in their order, never twice; and those that come back."""

from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.messages.base import Done, PromptsWithdrawn
from actors.messages.conversation import Attachment, Entry, PromptQueued, TurnEnded, UserMessage
from actors.messages.store import Append, ReadSession, SessionOpened
from actors.messages.turn import (
    CancelTurn,
    CaughtUp,
    GoTo,
    Prompt,
    QueueIs,
    Subscribe,
    WithdrawPrompts,
)
from tests.actors.agent.session.test_moving import entries
from tests.actors.agent.test_agent import CHANGE, LOOK, Scene, a_scene
from tests.fakes.model import say

FIRST, SECOND = (Prompt(prompt_id=f"q{n}", text=text, kind="next") for n, text in enumerate(("one", "two"), 1))
STEER = Prompt(prompt_id="s1", text="and that")


def said(bodies: list[object]) -> list[tuple[str, str]]:
    """Each prompt, with the turn that it is in."""
    return [(body.text, body.turn_id) for body in bodies if isinstance(body, UserMessage)]


async def in_a_turn(scene: Scene, *prompts: Prompt) -> None:
    """A call of it runs, and the prompts came meanwhile."""
    scene.tools.hold = trio.Event()
    await scene.send()
    await scene.tools.started.wait()
    for prompt in prompts:
        await scene.send(prompt)


def go_on(scene: Scene) -> None:
    assert scene.tools.hold is not None
    scene.tools.hold.set()


async def last_id(scene: Scene) -> str:
    async with scene.ui.stream("store", ReadSession(session_id="s1")) as stream:
        found = [entry.id async for entry in stream if isinstance(entry, Entry)]
        await stream.result(SessionOpened)
    return found[-1]


async def standing(scene: Scene) -> QueueIs | None:
    """As who subscribes is told."""
    async with scene.ui.stream("agent:main", Subscribe()) as events:
        async for event in events:
            if isinstance(event, QueueIs):
                return event
            if isinstance(event, CaughtUp):
                return None
    return None


async def test_prompts_for_after_the_turn_have_a_turn_each_in_their_order(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("done"), say("one done"), say("two done")) as scene:
        await in_a_turn(scene, FIRST, STEER, SECOND)
        go_on(scene)
        bodies = await scene.until_end(turns=3)

    assert said(list(bodies)) == [("do it", "p1"), ("and that", "p1"), ("one", "q1"), ("two", "q2")]
    assert [body.reason for body in bodies if isinstance(body, TurnEnded)] == ["done"] * 3


async def test_a_prompt_for_after_the_turn_begins_one_when_none_runs(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("hello")) as scene:
        await scene.send(FIRST)
        bodies = await scene.until_end()

    assert said(list(bodies)) == [("one", "q1")]


async def test_what_is_attached_goes_with_it(tmp_path: Path) -> None:
    shown = Attachment(name="a.png", media_type="image/png", data=b"png", size=3)
    with_it = Prompt(prompt_id="q1", text="look", attachments=(shown,), kind="next")
    async with a_scene(tmp_path, say("", LOOK), say("done"), say("seen")) as scene:
        await in_a_turn(scene)
        await scene.send(with_it)
        go_on(scene)
        await scene.until_end(turns=2)
        last = scene.model.requests[-1].history[-1]

    assert isinstance(last, UserMessage)
    assert last.attachments == (shown,)


async def test_what_came_back_is_not_answered_and_not_taken_again(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("done"), say("one done")) as scene:
        await in_a_turn(scene, FIRST, SECOND, STEER)
        back = await scene.ui.insist("agent:main", WithdrawPrompts(prompt_ids=("q2", "s1")), PromptsWithdrawn)
        again = await scene.ui.insist("agent:main", WithdrawPrompts(prompt_ids=("q2",)), PromptsWithdrawn)
        with pytest.raises(Failed, match="taken back"):
            await scene.send(SECOND)
        go_on(scene)
        bodies = await scene.until_end(turns=2)

    assert (back.prompt_ids, again.prompt_ids) == (("q2", "s1"), ("q2",))
    assert said(list(bodies)) == [("do it", "p1"), ("one", "q1")]


async def test_what_the_agent_has_begun_does_not_come_back(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE)) as scene:
        await in_a_turn(scene)
        back = await scene.ui.insist("agent:main", WithdrawPrompts(prompt_ids=("p1",)), PromptsWithdrawn)

    assert back.prompt_ids == ()


async def test_what_is_withdrawn_before_it_comes_is_not_taken(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE)) as scene:
        await in_a_turn(scene)
        await scene.ui.insist("agent:main", WithdrawPrompts(prompt_ids=("q1",)), PromptsWithdrawn)
        with pytest.raises(Failed, match="taken back"):
            await scene.send(FIRST)


async def test_a_cancel_gives_back_what_it_names_and_all_that_was_for_after_the_turn(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE)) as scene:
        await in_a_turn(scene, STEER, FIRST)
        await scene.ui.ask("agent:main", CancelTurn(withdraw=("s1",)), Done)
        bodies = await scene.until_end()
        told = await standing(scene)

    assert said(list(bodies)) == [("do it", "p1")]
    assert told == QueueIs(waiting=(), withdrawn=("s1", "q1"))
    assert isinstance(bodies[-1], TurnEnded)


async def test_an_end_that_is_none_gives_back_what_was_for_after_it(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("no", stop_reason="refusal")) as scene:
        await in_a_turn(scene, FIRST)
        go_on(scene)
        bodies = await scene.until_end()

    assert bodies[-2] == PromptsWithdrawn(prompt_ids=("q1",))


async def test_who_subscribes_later_is_told_what_waits_without_its_data(tmp_path: Path) -> None:
    shown = Attachment(name="a.png", media_type="image/png", data=b"png", size=3)
    async with a_scene(tmp_path, say("", CHANGE)) as scene:
        await in_a_turn(scene, Prompt(prompt_id="q1", text="look", attachments=(shown,), kind="next"))
        told = await standing(scene)

    light = Attachment(name="a.png", media_type="image/png", size=3)
    waits = PromptQueued(prompt_id="q1", text="look", attachments=(light,), kind="next")
    assert told == QueueIs(waiting=(waits,), withdrawn=())


@pytest.mark.parametrize("dead", ["agent:main", "store"])
async def test_what_waits_survives_a_death_and_is_answered_once(tmp_path: Path, dead: str) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("done"), say("one done"), say("two done")) as scene:
        await in_a_turn(scene, FIRST, SECOND)
        scene.network.kill(dead)
        go_on(scene)
        (scene.start_store if dead == "store" else scene.start_agent)()
        bodies = await scene.until_end(turns=3)

    assert said(list(bodies)) == [("do it", "p1"), ("one", "q1"), ("two", "q2")]


async def test_an_agent_that_died_between_two_turns_begins_the_next(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("done"), say("one done")) as scene:
        await in_a_turn(scene, FIRST)
        scene.network.kill("agent:main")
        ended = TurnEnded(turn_id="p1", reason="done")
        end = Entry(id="end", session_id="s1", parent=await last_id(scene), body=ended, at=1.0)
        await scene.ui.insist("store", Append(entries=(end,)), Done)
        scene.start_agent()
        bodies = await scene.until_end(turns=2)

    assert said(list(bodies)) == [("do it", "p1"), ("one", "q1")]


async def test_going_elsewhere_gives_back_what_waits_and_coming_back_does_not_begin_it(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("done"), say("one done"), say("more")) as scene:
        await in_a_turn(scene, FIRST)
        go_on(scene)
        await scene.until_end(turns=2)
        first_end = next(one.id for one in await entries(scene) if isinstance(one.body, TurnEnded))
        await scene.ui.ask("agent:main", GoTo(entry_id=first_end), Done)
        await scene.send(Prompt(prompt_id="p9", text="another way"))
        bodies = await scene.until_end(turns=2)

    assert said(list(bodies)) == [("do it", "p1"), ("another way", "p9")]
