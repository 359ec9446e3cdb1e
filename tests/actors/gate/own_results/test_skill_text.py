"""`skill`: it looks, so it asks nobody and needs no worker; rules about it and about reading hold."""

from pathlib import Path

import msgspec
import pytest

from actors.errors import Failed
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.tool import Denied, Explain, Explanation, Mode, OfferTools, Tools
from actors.settings.permissions import RuleLine
from tests.actors.gate.scenes import Scene, a_gate


def load(**arguments: str) -> ToolCall:
    return ToolCall(call_id="c1", name="skill", arguments=msgspec.json.encode(arguments).decode())


LOAD = load(name="release")


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    folder = tmp_path / ".home/skills/release"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: release\ndescription: how\n---\nTag it.")
    (folder / "notes.txt").write_text("with care")
    return folder


async def offered(scene: Scene) -> set[str]:
    return {tool.name for tool in (await scene.agent.ask("gate", OfferTools(), Tools)).tools}


@pytest.mark.parametrize("mode", ["default", "plan", "auto", "research"])
async def test_it_is_read_unasked_in_every_mode(tmp_path: Path, skill: Path, mode: Mode) -> None:
    async with a_gate(tmp_path, interactive=False) as scene:
        await scene.set_mode(mode)
        result = await scene.authorise(LOAD)

        assert "skill" in await offered(scene)
    assert isinstance(result, ToolResult)
    assert str(skill / "SKILL.md") in result.output
    assert "Tag it." in result.output


async def test_its_files_are_read_one_by_one(tmp_path: Path, skill: Path) -> None:
    del skill
    async with a_gate(tmp_path) as scene:
        result = await scene.authorise(load(name="release", file="notes.txt"))

    assert isinstance(result, ToolResult)
    assert result.output.endswith("with care")


async def test_it_is_offered_once_there_may_be_one(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        before = "skill" in await offered(scene)
        (tmp_path / ".agents/skills/new").mkdir(parents=True)
        after = "skill" in await offered(scene)

    assert (before, after) == (False, True)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (load(name="none"), 'there is no skill "none". There are: release.'),
        (load(name="release", file="../../tools.json"), "it leads out of"),
        (load(name="release", file="absent.md"), "cannot be read: No such file"),
        (load(name="release", file="x\0"), "cannot be read"),
        (load(), "Malformed arguments for skill"),
    ],
)
async def test_what_cannot_be_read_is_said(tmp_path: Path, skill: Path, wanted: ToolCall, why: str) -> None:
    del skill
    async with a_gate(tmp_path) as scene:
        with pytest.raises(Failed, match=why):
            await scene.authorise(wanted)


async def test_a_rule_can_deny_it(tmp_path: Path, skill: Path) -> None:
    del skill
    rules = (RuleLine(verdict="deny", text="Skill", source="here"),)
    async with a_gate(tmp_path, rules=rules) as scene:
        verdict = await scene.authorise(LOAD)

        assert "skill" not in await offered(scene)
    assert isinstance(verdict, Denied)


async def test_a_rule_can_ask_about_it(tmp_path: Path, skill: Path) -> None:
    del skill
    rules = (RuleLine(verdict="ask", text="Skill", source="here"),)
    async with a_gate(tmp_path, rules=rules) as scene:
        result = await scene.result(LOAD, await scene.answer(LOAD, "once"))

    assert "Tag it." in result.output


async def test_what_is_hidden_from_reading_is_hidden_here(tmp_path: Path, skill: Path) -> None:
    rules = (RuleLine(verdict="deny", text=f"Read({skill}/**)", source="here"),)
    async with a_gate(tmp_path, rules=rules) as scene:
        with pytest.raises(Failed, match="no skill"):
            await scene.authorise(LOAD)


async def test_what_would_be_decided_can_be_asked(tmp_path: Path, skill: Path) -> None:
    del skill
    async with a_gate(tmp_path) as scene:
        explained = await scene.ui.ask("gate", Explain(call=LOAD), Explanation)

    assert explained.verdict == "allow"
