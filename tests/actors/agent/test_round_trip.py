"""What one tool call costs, counted: messages and commits; and what stays true although they are few."""

from pathlib import Path

import pytest
import trio
import trio.testing

from actors.agent.session.journal import SOON_S
from actors.messages import decode
from actors.messages.base import Envelope
from actors.messages.checkpoint import TakeCheckpoint
from actors.messages.conversation import AssistantMessage, ToolCall, TurnEnded, UserMessage
from actors.messages.model import AskModel
from actors.messages.store import Append
from actors.messages.tool import HookRan, ModeIs, OfferTools, SetMode
from actors.messages.turn import CaughtUp, EntryAdded, Subscribe
from actors.settings.workspace_files import Hook, Hooks
from tests.actors.agent.test_agent import CHANGE, LOOK, Scene, a_scene, results
from tests.fakes.model import say

SHELL = ToolCall(call_id="c4", name="bash", arguments='{"command": "true"}')


def is_a(envelope: Envelope, word: type[object]) -> bool:
    return envelope.kind in ("ask", "stream") and isinstance(decode(envelope.body), word)


async def a_round(scene: Scene) -> list[Envelope]:
    """All that is carried from the second request to the third; a screen watches."""
    async with scene.ui.stream("agent:main", Subscribe()) as events:
        async for event in events:
            if isinstance(event, CaughtUp):
                break
        await scene.send()
        async for event in events:
            if isinstance(event, EntryAdded) and isinstance(event.entry.body, TurnEnded):
                break
    requests = [n for n, envelope in enumerate(scene.network.carried) if is_a(envelope, AskModel)]
    return scene.network.carried[requests[1] : requests[2]]


@pytest.mark.parametrize(
    ("call", "most_envelopes", "most_commits"),
    [(LOOK, 12, 1), (CHANGE, 16, 2), (SHELL, 16, 2)],
    ids=["a read", "an edit", "a command"],
)
@pytest.mark.usefixtures("mock_clock")  # so that no answer is saved alone because the machine is slow
async def test_a_call_costs_so_many_messages_and_commits(
    tmp_path: Path, call: ToolCall, most_envelopes: int, most_commits: int
) -> None:
    """Without a delta there are 9 for a read, 13 for the others."""
    answers = [say("", ToolCall(call_id=f"n{n}", name=call.name, arguments=call.arguments)) for n in range(3)]
    async with a_scene(tmp_path, *answers, say("done")) as scene:
        carried = await a_round(scene)

    assert len(carried) <= most_envelopes
    assert sum(is_a(envelope, Append) for envelope in carried) == most_commits


@pytest.mark.parametrize(("call", "asked"), [(LOOK, 0), (CHANGE, 1), (SHELL, 1)], ids=["reads", "edits", "commands"])
async def test_a_turn_asks_for_a_checkpoint_once_and_only_where_it_may_write(
    tmp_path: Path, call: ToolCall, asked: int
) -> None:
    """So the first of those calls costs two messages more than each that follows."""
    answers = [say("", ToolCall(call_id=f"n{n}", name=call.name, arguments=call.arguments)) for n in range(3)]
    async with a_scene(tmp_path, *answers, say("done")) as scene:
        await scene.send()
        await scene.until_end()
        carried = scene.network.carried

    assert sum(is_a(envelope, TakeCheckpoint) for envelope in carried) == asked


async def test_an_answer_is_on_disk_before_its_call_is_begun(tmp_path: Path) -> None:
    """Of a call that changes something; the beginning is in the same append."""
    async with a_scene(tmp_path, say("", CHANGE), say("done")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        appends = [decode(one.body) for one in scene.network.carried if is_a(one, Append)]
        scene.tools.hold.set()
        await scene.until_end()

    last = appends[-1]
    assert isinstance(last, Append)
    assert [type(entry.body).__name__ for entry in last.entries] == ["AssistantMessage", "Checkpointed", "CallStarted"]


async def test_an_answer_whose_call_takes_its_time_is_saved_and_shown_meanwhile(
    tmp_path: Path, mock_clock: trio.testing.MockClock
) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("seen")) as scene:
        scene.tools.hold = trio.Event()
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            await scene.send()
            await scene.tools.started.wait()
            mock_clock.jump(SOON_S)
            async for event in events:
                if isinstance(event, EntryAdded) and isinstance(event.entry.body, AssistantMessage):
                    break
            assert scene.tools.ran == ["c1"]
            scene.tools.hold.set()
            await scene.until_end()


async def test_an_agent_that_dies_while_a_call_looks_has_it_run_again(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("seen"), say("asked twice")) as scene:
        scene.tools.hold = trio.Event()
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            await scene.send()
            async for event in events:
                if isinstance(event, EntryAdded) and isinstance(event.entry.body, AssistantMessage):
                    break
        scene.network.kill("agent:main")
        scene.start_agent()
        scene.tools.hold.set()
        (result,) = results(await scene.until_end())

        assert (result.output, result.failed) == ("c1 done", False)
        assert len(scene.model.requests) == 2


async def test_a_worker_that_dies_while_a_call_looks_costs_no_result(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("seen")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        scene.tools.hold = None
        scene.network.kill("tools:main")
        scene.network.start("tools:main", scene.tools.run)
        (result,) = results(await scene.until_end())

    assert (result.output, result.failed) == ("c1 done", False)


@pytest.mark.parametrize("event", ["pre_tool", "post_tool"])
async def test_what_a_hook_hears_of_is_on_disk(tmp_path: Path, event: str) -> None:
    hooks = Hooks(**{event: (Hook(command="check"),)})
    async with a_scene(tmp_path, say("", LOOK), say("seen"), hooks=hooks) as scene:
        scene.tools.hooks = {"check": HookRan(exit_code=0, output="")}
        await scene.send()
        await scene.until_end()
        words = [type(decode(one.body)).__name__ for one in scene.network.carried if one.kind in ("ask", "stream")]

    saved = words.index("Append", words.index("AskModel"))
    assert saved < words.index("RunHook")


async def test_the_offer_is_not_asked_for_again_within_a_turn(tmp_path: Path) -> None:
    looks = [say("", ToolCall(call_id=f"n{n}", name="look", arguments="{}")) for n in range(3)]
    async with a_scene(tmp_path, *looks, say("seen")) as scene:
        await scene.send()
        await scene.until_end()
        carried = scene.network.carried
        requests = [n for n, envelope in enumerate(carried) if is_a(envelope, AskModel)]

    assert not any(is_a(one, OfferTools) for one in carried[requests[1] : requests[-1]])


async def test_a_mode_that_changes_within_a_turn_is_known_in_the_next_request(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("seen"), mode="auto") as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        await scene.ui.ask("gate", SetMode(agent="agent:main", mode="plan"), ModeIs)
        scene.tools.hold.set()
        await scene.until_end()

        told = scene.model.requests[1].history[-1]
        assert isinstance(told, UserMessage)
        assert told.text.startswith("The mode is now plan")
