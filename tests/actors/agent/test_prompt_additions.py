"""The map of a larger repository is in the prompt, the same for the whole session; nobody waits long for it."""

from pathlib import Path

import pytest
from trio.testing import MockClock

from actors.agent.prompt_additions import MAP_FROM_FILES
from actors.messages.turn import Prompt
from tests.actors.agent.test_agent import a_scene
from tests.fakes.model import say


def a_repository(folder: Path, files: int) -> None:
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git/index").write_bytes(b"DIRC" + (2).to_bytes(4) + files.to_bytes(4))


async def test_a_larger_repository_is_mapped_once(tmp_path: Path) -> None:
    a_repository(tmp_path, MAP_FROM_FILES)
    async with a_scene(tmp_path, say("one"), say("two")) as scene:
        scene.tools.map = "a.py: class A"
        await scene.send()
        await scene.until_end()
        scene.tools.map = "b.py: class B"
        await scene.send(Prompt(prompt_id="p2", text="more"))
        await scene.until_end(turns=2)

        assert [request.system.endswith("a.py: class A") for request in scene.model.requests] == [True, True]
        assert scene.tools.maps_drawn == 1


@pytest.mark.parametrize(("files", "repo_map"), [(MAP_FROM_FILES - 1, True), (MAP_FROM_FILES, False)])
async def test_a_small_repository_and_who_wants_none_has_none(tmp_path: Path, files: int, repo_map: bool) -> None:
    a_repository(tmp_path, files)
    async with a_scene(tmp_path, say("one"), repo_map=repo_map) as scene:
        await scene.send()
        await scene.until_end()

        assert scene.tools.maps_drawn == 0


async def test_a_map_that_takes_too_long_is_gone_without(tmp_path: Path, autojump_clock: MockClock) -> None:
    del autojump_clock
    a_repository(tmp_path, MAP_FROM_FILES)
    async with a_scene(tmp_path, say("one")) as scene:
        scene.network.hold_back("tools:main")
        await scene.send()
        scene.network.let_go("tools:main")
        await scene.until_end()

        assert "a.py" not in scene.model.requests[0].system
