"""What the user wants remembered is in the prompt, labelled, and a new line is told by itself."""

from pathlib import Path

from actors.agent.prompt.system_prompt import composed
from actors.messages.conversation import UserMessage
from actors.messages.turn import Prompt
from actors.settings.config import Settings
from actors.texts import memory
from tests.actors.agent.test_agent import a_scene
from tests.fakes.model import say


def test_it_is_a_block_with_a_label(tmp_path: Path) -> None:
    settings = Settings(home=str(tmp_path), cwd=str(tmp_path), session_id="s", run_id="r")
    assert "memory" not in [section.name for section in composed(settings).sections]

    memory.add(tmp_path, "use tabs")

    (block,) = [section for section in composed(settings).sections if section.name == "memory"]
    assert block.origin == str(tmp_path / "memory.md")
    assert block.text == f"What the user wants you to remember, from {tmp_path}/memory.md:\n\n- use tabs"


async def test_a_new_line_is_told_with_the_next_prompt(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), say("two")) as scene:
        await scene.send()
        await scene.until_end()
        memory.add(tmp_path, "use tabs")
        await scene.send(Prompt(prompt_id="p2", text="more"))
        await scene.until_end(turns=2)

        first, second = scene.model.requests
        assert first.system == second.system
        notes = [one.text for one in second.history if isinstance(one, UserMessage) and not one.prompt_id]
        assert [note.endswith("- use tabs") for note in notes] == [True]
