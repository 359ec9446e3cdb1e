"""The model is told of its mode when it changes, once, in the conversation."""

from pathlib import Path

from actors.agent.prompt.mode_notes import NOTES
from actors.messages.conversation import UserMessage
from actors.messages.tool import ModeIs, SetMode
from actors.messages.turn import Prompt
from tests.actors.agent.test_agent import Scene, a_scene
from tests.fakes.model import say


def notes(scene: Scene) -> list[str]:
    """Those the model saw last."""
    asked = scene.model.requests[-1].history
    return [one.text for one in asked if isinstance(one, UserMessage) and not one.prompt_id]


async def turns(scene: Scene, number: int) -> None:
    await scene.send(Prompt(prompt_id=f"p{number}", text="go on"))
    await scene.until_end(turns=number)


async def test_a_usual_mode_needs_no_word(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("done"), mode="default") as scene:
        await turns(scene, 1)

        assert notes(scene) == []


async def test_each_change_is_told_once_also_by_another_life(tmp_path: Path) -> None:
    async with a_scene(tmp_path, *[say("done")] * 4, mode="plan") as scene:
        await turns(scene, 1)
        await turns(scene, 2)
        assert notes(scene) == [NOTES["plan"]]

        await scene.ui.ask("gate", SetMode(agent="agent:main", mode="auto"), ModeIs)
        await turns(scene, 3)
        scene.network.kill("agent:main")
        scene.start_agent()
        await turns(scene, 4)
        assert notes(scene) == [NOTES["plan"], NOTES["auto"]]
