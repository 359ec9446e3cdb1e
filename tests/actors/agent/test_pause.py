"""A whole agent whose model goes round and round: it is paused, and goes on when it is told to."""

from pathlib import Path

from actors.agent.repetition import PAUSES_AT
from actors.messages.conversation import ToolCall, TurnEnded
from actors.messages.turn import Prompt
from tests.actors.agent.test_agent import a_scene, reason
from tests.fakes.model import say


async def test_a_turn_that_learns_nothing_more_is_paused_and_goes_on_when_the_user_says_so(tmp_path: Path) -> None:
    looks = [say("", ToolCall(call_id=f"l{number}", name="look", arguments="{}")) for number in range(PAUSES_AT)]
    async with a_scene(tmp_path, *looks, say("done")) as scene:
        scene.tools.output = "the same"
        await scene.send()
        paused = (await scene.until_end())[-1]
        asked = len(scene.model.requests)
        await scene.send(Prompt(prompt_id="p2", text="go on"))
        bodies = await scene.until_end(turns=2)

    assert isinstance(paused, TurnEnded)
    assert (paused.reason, paused.text.partition(":")[0], asked) == ("no_progress", "no progress", PAUSES_AT)
    assert (reason(bodies), len(scene.model.requests)) == ("done", PAUSES_AT + 1)
