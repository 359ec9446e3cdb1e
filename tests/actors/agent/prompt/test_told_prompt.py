"""The system prompt of a session stays as it was; what changes in the files is told in the conversation."""

from pathlib import Path

import pytest

from actors.messages.base import Done
from actors.messages.conversation import Compacted, Entry, Instructed, TurnEnded, UserMessage
from actors.messages.store import Append, ReadSession, SessionOpened
from actors.messages.turn import CaughtUp, EntryAdded, Notice, Prompt, Subscribe
from tests.actors.agent.test_agent import Scene, a_scene
from tests.fakes.model import say


async def turn(scene: Scene, number: int) -> None:
    await scene.send(Prompt(prompt_id=f"p{number}", text="go on"))
    await scene.until_end(turns=number)


def systems(scene: Scene) -> list[str]:
    return [request.system for request in scene.model.requests]


def notes(scene: Scene) -> list[str]:
    """Those the model saw last."""
    asked = scene.model.requests[-1].history
    return [one.text for one in asked if isinstance(one, UserMessage) and not one.prompt_id]


async def stored(scene: Scene) -> list[Entry]:
    async with scene.ui.stream("store", ReadSession(session_id="s1")) as stream:
        entries = [entry async for entry in stream if isinstance(entry, Entry)]
        await stream.result(SessionOpened)
    return entries


@pytest.fixture
def instructions(tmp_path: Path) -> Path:
    path = tmp_path / "AGENTS.md"
    path.write_text("use tabs")
    return path


async def test_a_changed_file_is_told_once_and_the_prompt_stays(tmp_path: Path, instructions: Path) -> None:
    async with a_scene(tmp_path, *[say("done")] * 3) as scene:
        await turn(scene, 1)
        instructions.write_text("use spaces")
        await turn(scene, 2)
        await turn(scene, 3)

        assert len(set(systems(scene))) == 1
        assert "use tabs" in systems(scene)[0]
        (note,) = notes(scene)
        assert note.startswith(f"Changed since this session began: {instructions}.")
        assert "use spaces" in note


async def test_another_life_goes_on_with_the_same_prompt(tmp_path: Path, instructions: Path) -> None:
    async with a_scene(tmp_path, *[say("done")] * 3) as scene:
        await turn(scene, 1)
        scene.network.kill("agent:main")
        instructions.unlink()
        scene.start_agent()
        await turn(scene, 2)
        scene.network.kill("agent:main")
        scene.start_agent()
        await turn(scene, 3)

        assert len(set(systems(scene))) == 1
        (note,) = notes(scene)
        assert f"{instructions} is gone" in note


async def test_it_is_on_disk_before_the_model_is_asked(tmp_path: Path, instructions: Path) -> None:
    del instructions
    async with a_scene(tmp_path, say("done")) as scene:
        await turn(scene, 1)

        bodies = [entry.body for entry in await stored(scene)]
        (told,) = [body for body in bodies if isinstance(body, Instructed)]
        assert [section.name for section in told.sections][-2:] == ["instructions", "agents"]
        assert not any(isinstance(body, Instructed) for body in await scene.until_end())


async def test_after_a_compaction_the_prompt_is_made_anew(tmp_path: Path, instructions: Path) -> None:
    async with a_scene(tmp_path, say("done"), say("done")) as scene:
        await turn(scene, 1)
        scene.network.kill("agent:main")
        last = (await stored(scene))[-1]
        compacted = Entry(id="c", session_id="s1", parent=last.id, body=Compacted(why="asked"), at=last.at)
        await scene.ui.ask("store", Append(entries=(compacted,)), Done)
        instructions.write_text("use spaces")
        scene.start_agent()
        await turn(scene, 2)

        assert ["use tabs" in system for system in systems(scene)] == [True, False]
        assert "use spaces" in systems(scene)[1]
        assert notes(scene) == []


async def test_a_mistake_in_the_users_own_file_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "prompt").mkdir()
    (tmp_path / "prompt/nothing.md").write_text("x")
    async with a_scene(tmp_path, say("done"), say("done")) as scene:
        notices: list[str] = []
        ended = 0
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                match event:
                    case CaughtUp():
                        await scene.send(Prompt(prompt_id="p1", text="go on"))
                    case Notice(text=text):
                        notices.append(text)
                    case EntryAdded(entry=Entry(body=TurnEnded())) if ended:
                        break
                    case EntryAdded(entry=Entry(body=TurnEnded())):
                        ended = 1
                        await scene.send(Prompt(prompt_id="p2", text="go on"))
                    case _:
                        continue

        assert ['there is no section "nothing"' in text for text in notices] == [True]
