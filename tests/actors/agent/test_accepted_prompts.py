"""A prompt that was accepted is never lost, and a cancel right behind it is never too early."""

from pathlib import Path

import pytest
import trio
import trio.testing

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, TurnEnded, UserMessage
from actors.messages.turn import Accepted, CancelTurn, Prompt
from tests.actors.agent.test_agent import CHANGE, PROMPT, a_scene, reason
from tests.fakes.model import say
from tests.fakes.network import Network

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


async def test_a_prompt_repeated_while_it_is_first_being_saved_is_one_prompt(tmp_path: Path) -> None:
    """The next screen says it again, and the store is still slow."""
    accepted: list[Accepted] = []
    async with a_scene(tmp_path, say("hello")) as scene:

        async def repeat() -> None:
            accepted.append(await scene.ui.ask("agent:main", PROMPT, Accepted))

        await ask_and_die(scene.network, scene.ui)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(repeat)
            await trio.testing.wait_all_tasks_blocked()
            too_early = list(accepted)
            scene.network.let_go("store")
        bodies = await scene.until_end()

    assert (too_early, accepted) == ([], [Accepted(turn_id="p1")])
    assert [type(body) for body in bodies] == [UserMessage, AssistantMessage, TurnEnded]


async def test_a_prompt_that_was_being_saved_when_its_screen_died_is_worked_on(tmp_path: Path) -> None:
    """The next screen finds it in the session, so it does not say it again."""
    async with a_scene(tmp_path, say("hello")) as scene:
        await ask_and_die(scene.network, scene.ui)
        scene.network.let_go("store")
        bodies = await scene.until_end()

    assert [type(body) for body in bodies] == [UserMessage, AssistantMessage, TurnEnded]


async def ask_and_die(network: Network, screen: Mailbox) -> None:
    """The screen dies before its prompt is on disk: the store is slow, until it is let go."""
    await trio.testing.wait_all_tasks_blocked()
    network.hold_back("store")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_ask_in_vain, screen)
        await trio.testing.wait_all_tasks_blocked()
        for delivery in network.router.died("ui"):
            network.deliver(delivery)


async def _ask_in_vain(screen: Mailbox) -> None:
    with pytest.raises(Failed):
        await screen.ask("agent:main", PROMPT, Accepted)
