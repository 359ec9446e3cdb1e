"""What who subscribes is told: what it has not seen, and what the rest has used."""

from pathlib import Path

import msgspec
import trio

from actors.messages.conversation import Entry
from actors.messages.model import Answer
from actors.messages.turn import CaughtUp, EntryAdded, Prompt, SessionInfo, Subscribe
from actors.messages.usage import NOTHING_USED, Usage
from tests.actors.agent.test_agent import CHANGE, LOOK, Scene, a_scene
from tests.fakes.model import say

USED = [Usage(input_tokens=10, output_tokens=1, cost_usd=0.5), Usage(input_tokens=20, output_tokens=2, cost_usd=0.25)]


def costing(text: str, usage: Usage) -> Answer:
    answer = say(text)
    return msgspec.structs.replace(answer, message=msgspec.structs.replace(answer.message, usage=usage))


async def told(scene: Scene, after: str) -> tuple[SessionInfo, list[Entry]]:
    infos: list[SessionInfo] = []
    entries: list[Entry] = []
    async with scene.ui.stream("agent:main", Subscribe(after=after)) as events:
        async for event in events:
            match event:
                case SessionInfo():
                    infos.append(event)
                case EntryAdded(entry=entry):
                    entries.append(entry)
                case CaughtUp():
                    break
    return infos[0], entries


async def test_who_goes_on_is_told_what_was_used_before(tmp_path: Path) -> None:
    async with a_scene(tmp_path, costing("one", USED[0]), costing("two", USED[1])) as scene:
        await scene.send()
        await scene.until_end()
        await scene.send(Prompt(prompt_id="p2", text="go on"))
        await scene.until_end(2)

        everything, entries = await told(scene, "")
        last, nothing = await told(scene, entries[-1].id)
        middle, rest = await told(scene, entries[2].id)
        unknown, all_again = await told(scene, "of another session")

    assert (everything.used, everything.latest) == (NOTHING_USED, NOTHING_USED)
    assert (last.used, last.latest, nothing) == (USED[0] + USED[1], USED[1], [])
    assert (middle.used, middle.latest, rest) == (USED[0], USED[0], entries[3:])
    assert (unknown.used, all_again) == (NOTHING_USED, entries)


async def test_who_subscribes_as_an_agent_takes_up_an_open_turn_is_told_that_it_runs(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE, LOOK), say("I looked")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        scene.network.kill("agent:main")
        scene.start_agent()

        info, _ = await told(scene, "")

        assert info.busy
        scene.tools.hold.set()
        await scene.until_end()
        info, _ = await told(scene, "")
        assert not info.busy
