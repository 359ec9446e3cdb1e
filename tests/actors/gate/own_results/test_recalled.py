"""`recall`: what was said before a summary is found again, on the path that the session is on and nowhere else."""

from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.conversation import Body, Compacted, Entry, ToolResult, UserMessage
from actors.messages.store import Append, OpenSession, SessionOpened
from actors.messages.tool import Denied, Mode, OfferTools, Tools
from actors.settings.permissions import RuleLine
from tests.actors.gate.scenes import Scene, a_gate, call

RECALL = call("recall", words="kingfisher")
SUMMED_UP = Compacted(why="asked", read_from="e2", told="compacted")


def said(text: str) -> UserMessage:
    return UserMessage(text=text, turn_id="t", prompt_id="t")


async def write_down(scene: Scene, *bodies: Body, after: str = "", session: str = "s1", first: int = 1) -> None:
    """Entries e1, e2 ... of the session, each after the one before."""
    async with scene.agent.stream("store", OpenSession(session_id=session, cwd="/w")) as stream:
        await stream.result(SessionOpened)
    entries, parent = [], after
    for number, body in enumerate(bodies, first):
        entries.append(Entry(id=f"e{number}", session_id=session, parent=parent, at=float(number), body=body))
        parent = f"e{number}"
    await scene.agent.ask("store", Append(entries=tuple(entries)), Done)


@pytest.mark.parametrize("mode", ["default", "plan", "auto", "research"])
async def test_what_was_summed_up_is_found_again_in_every_mode(tmp_path: Path, mode: Mode) -> None:
    result = ToolResult(call_id="c", name="bash", output="x " * 3000 + "Kingfisher 42" + " y" * 3000)
    async with a_gate(tmp_path, interactive=False) as scene:
        await scene.set_mode(mode)
        await write_down(
            scene, said("the port is kingfisher"), result, said("later"), SUMMED_UP, said("kingfisher now")
        )
        found = await scene.authorise(RECALL)
        offered = {tool.name for tool in (await scene.agent.ask("gate", OfferTools(), Tools)).tools}

    assert isinstance(found, ToolResult)
    assert "recall" in offered
    assert found.summary == "2 entries"
    assert found.output.index("[a result, ") < found.output.index("[the user, ")
    assert "Kingfisher 42" in found.output
    assert "the port is kingfisher" in found.output
    assert "kingfisher now" not in found.output
    assert len(found.output) < 2500


async def test_of_another_path_and_of_other_sessions_nothing_is_found(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await write_down(scene, said("another session's kingfisher"), SUMMED_UP, session="s2", first=11)
        await write_down(scene, said("first"), said("the left path's kingfisher"), SUMMED_UP)
        await write_down(scene, said("the other way"), SUMMED_UP, after="e1", first=4)
        found = await scene.authorise(RECALL)

    assert isinstance(found, ToolResult)
    assert (found.summary, found.failed) == ("nothing", False)
    assert "kingfisher" not in found.output


async def test_without_a_summary_all_of_it_is_before_the_model(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await write_down(scene, said("kingfisher"))
        found = await scene.authorise(RECALL)

    assert isinstance(found, ToolResult)
    assert found.summary == "nothing"


async def test_rules_hold_and_arguments_are_checked(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="deny", text="Recall", source="mine"),)
    async with a_gate(tmp_path, rules=rules) as scene:
        assert isinstance(await scene.authorise(RECALL), Denied)
    async with a_gate(tmp_path / "other") as scene:
        with pytest.raises(Failed, match='They are: "words"'):
            await scene.authorise(call("recall", word="kingfisher"))
