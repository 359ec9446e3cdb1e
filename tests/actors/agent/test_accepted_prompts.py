"""A prompt that was accepted is never lost, and a cancel right behind it is never too early."""

from pathlib import Path

import trio

from actors.messages.base import Done
from actors.messages.conversation import TurnEnded, UserMessage
from actors.messages.turn import CancelTurn, Prompt
from tests.actors.agent.test_agent import CHANGE, PROMPT, a_scene, reason
from tests.fakes.model import say

MORE = Prompt(prompt_id="p2", text="and this")


async def test_a_cancel_right_behind_its_prompt_ends_that_turn(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE)) as scene:
        scene.ui.tell("agent:main", PROMPT)
        await scene.ui.ask("agent:main", CancelTurn(), Done)
        bodies = await scene.until_end()

    assert reason(bodies) == "interrupted"
    assert scene.tools.ran == []


async def test_a_prompt_that_waits_when_its_turn_is_cancelled_becomes_part_of_the_conversation(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE)) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        await scene.send(MORE)
        await scene.ui.ask("agent:main", CancelTurn(), Done)
        bodies = await scene.until_end()

    assert bodies[-2:] == [
        UserMessage(text="and this", turn_id="p1", prompt_id="p2"),
        TurnEnded(turn_id="p1", reason="interrupted"),
    ]
