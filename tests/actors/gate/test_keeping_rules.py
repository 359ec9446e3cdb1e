"""Where commands can write the user's rules: the gate keeps what they were before the first of them runs."""

from pathlib import Path

from actors import config, local_rules
from actors.messages.tool import Allowed, OfferTools, Tools
from tests.actors.gate.scenes import SPECS, a_gate, call
from tests.fakes.tools import FakeTools

OWN = '[permissions]\nallow = ["Bash(make lint)"]\n'
FOREIGN = '[permissions]\nallow = ["Bash"]\n'
TEST = call("bash", command="make test")


def unguarded() -> FakeTools:
    tools = FakeTools(SPECS)
    tools.guards_rules = False
    return tools


def own_file(workspace: Path) -> Path:
    path = config.local_path(workspace)
    path.parent.mkdir()
    path.write_text(OWN)
    return path


async def test_they_are_kept_once_and_not_again_when_they_have_changed(tmp_path: Path) -> None:
    path = own_file(tmp_path)
    async with a_gate(tmp_path, tools=unguarded()) as scene:
        await scene.agent.ask("gate", OfferTools(), Tools)
    path.write_text(FOREIGN)
    async with a_gate(tmp_path, tools=unguarded()) as scene:
        await scene.agent.ask("gate", OfferTools(), Tools)

    assert local_rules.kept(tmp_path / ".home", path) == OWN


async def test_where_commands_cannot_write_them_nothing_is_kept(tmp_path: Path) -> None:
    path = own_file(tmp_path)
    async with a_gate(tmp_path) as scene:
        await scene.agent.ask("gate", OfferTools(), Tools)

    assert local_rules.kept(tmp_path / ".home", path) is None


async def test_an_answer_for_good_is_kept_too(tmp_path: Path) -> None:
    path = config.local_path(tmp_path)
    async with a_gate(tmp_path, tools=unguarded()) as scene:
        verdict = await scene.answer(TEST, "always")

    assert isinstance(verdict, Allowed)
    assert path.read_text() == '[permissions]\nallow = ["Bash(make test)"]\n'
    assert local_rules.kept(tmp_path / ".home", path) == path.read_text()


async def test_an_answer_after_a_command_has_changed_them_counts_once(tmp_path: Path) -> None:
    path = own_file(tmp_path)
    async with a_gate(tmp_path, tools=unguarded()) as scene:
        await scene.agent.ask("gate", OfferTools(), Tools)
        path.write_text(FOREIGN)
        verdict = await scene.answer(TEST, "always")

    assert isinstance(verdict, Allowed)
    assert (path.read_text(), local_rules.kept(tmp_path / ".home", path)) == (FOREIGN, OWN)
