"""A session that is open elsewhere: at the screen a copy of it is offered, where nobody can be asked it is refused."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.conversation import TurnEnded, UserMessage
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.turn import Accepted, Prompt
from actors.store import locks
from tests.actors.agent.test_agent import PROMPT, Scene, a_scene
from tests.fakes.model import say

AGAIN = Prompt(prompt_id="p2", text="go on")


@asynccontextmanager
async def opened_elsewhere(folder: Path, *, interactive: bool) -> AsyncIterator[Scene]:
    async with a_scene(folder, say("hello")) as scene:
        await scene.send()
        await scene.until_end()
    lock = locks.take(folder / "run" / "s1.lock")
    async with a_scene(folder, say("again"), interactive=interactive, resume=True, run_id="r2") as scene:
        yield scene
    locks.release(folder / "run" / "s1.lock", lock)


async def answered(scene: Scene, choice: str) -> UserAsked:
    async for request in scene.ui:
        if isinstance(request.message, UserAsked):
            request.reply(UserAnswered(choice=choice))
            return request.message
    raise AssertionError("nobody asked")


async def test_a_yes_goes_on_with_a_copy_also_in_the_next_life_of_the_agent(tmp_path: Path) -> None:
    async with opened_elsewhere(tmp_path, interactive=True) as scene:
        question = await answered(scene, "copy")
        while True:
            try:
                await scene.send(AGAIN)
                break
            except Failed as failure:  # the copy is being made
                assert failure.problem.code == "session_in_use"  # noqa: PT017
        bodies = await scene.until_end(2)
        scene.network.kill("agent:main")
        scene.start_agent()
        later = await scene.until_end(2)

    assert "open in another terminal" in question.title
    assert bodies == [
        UserMessage(text="do it", turn_id="p1", prompt_id="p1"),
        say("hello").message,
        TurnEnded(turn_id="p1", reason="done"),
        UserMessage(text="go on", turn_id="p2", prompt_id="p2"),
        say("again").message,
        TurnEnded(turn_id="p2", reason="done"),
    ]
    assert later == bodies


async def test_a_no_leaves_the_session_where_it_is(tmp_path: Path) -> None:
    async with opened_elsewhere(tmp_path, interactive=True) as scene:
        await answered(scene, "no")

        with pytest.raises(Failed, match="is open in another terminal"):
            await scene.ui.ask("agent:main", AGAIN, Accepted)


async def test_where_nobody_can_be_asked_the_way_to_a_copy_is_named(tmp_path: Path) -> None:
    async with opened_elsewhere(tmp_path, interactive=False) as scene:
        with pytest.raises(Failed, match="trouper -r s1 --copy"):
            await scene.ui.ask("agent:main", PROMPT, Accepted)
