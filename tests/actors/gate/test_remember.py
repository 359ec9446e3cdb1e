"""`remember`: the model proposes, the user's answer writes, and nothing else does."""

from pathlib import Path

import pytest

from actors.errors import Failed
from actors.gate.rules.modes import MODES
from actors.messages.tool import Mode, OfferTools, Tools
from actors.settings.permissions import RuleLine
from actors.texts import memory
from tests.actors.gate.scenes import a_gate, call

PROPOSE = call("remember", text="Use tabs\n\nin every file.")


def written(workspace: Path) -> str:
    path = memory.file(workspace / ".home")
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize(
    ("choice", "text", "line", "told"),
    [
        ("remember", "", "- Use tabs in every file.\n", "The user said yes. It is remembered."),
        ("reword", "Tabs only here", "- Tabs only here\n", "The user said yes, in these words: Tabs only here."),
        ("reword", " ", "", "The user does not want this remembered."),
        ("no", "", "", "The user does not want this remembered."),
        ("made-up", "", "", "The user does not want this remembered."),
    ],
)
async def test_only_a_yes_writes_it(tmp_path: Path, choice: str, text: str, line: str, told: str) -> None:
    async with a_gate(tmp_path) as scene:
        result = await scene.result(PROPOSE, await scene.answer(PROPOSE, choice, text))

    assert written(tmp_path) == line
    assert result.output.startswith(told)


@pytest.mark.parametrize("mode", MODES)
async def test_it_is_asked_in_every_mode_and_shows_what_will_be_written(tmp_path: Path, mode: Mode) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.set_mode(mode)
        scene.ask_for(PROPOSE)
        _, asked = await scene.question()

    assert (asked.kind, asked.detail, asked.default, asked.escape) == (
        "approval",
        "- Use tabs in every file.",
        "no",
        "no",
    )


async def test_no_rule_says_yes_in_the_users_place(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="allow", text="Remember", source="here"),)
    async with a_gate(tmp_path, rules=rules, unrestricted=True) as scene:
        scene.ask_for(PROPOSE)
        await scene.question()

    assert written(tmp_path) == ""


async def test_where_nobody_is_there_it_is_refused_with_the_reason(tmp_path: Path) -> None:
    async with a_gate(tmp_path, interactive=False) as scene:
        names = {tool.name for tool in (await scene.agent.ask("gate", OfferTools(), Tools)).tools}
        with pytest.raises(Failed, match="nobody is there to say yes"):
            await scene.authorise(PROPOSE)

    assert "remember" not in names
    assert written(tmp_path) == ""


@pytest.mark.parametrize("text", ["", "\x1b", "x" * (memory.LONGEST + 1)])
async def test_what_cannot_be_remembered_is_not_asked_about(tmp_path: Path, text: str) -> None:
    async with a_gate(tmp_path) as scene:
        with pytest.raises(Failed):
            await scene.authorise(call("remember", text=text))


async def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        memory.file(tmp_path / ".home").mkdir()
        with pytest.raises(Failed, match="cannot be written"):
            await scene.result(PROPOSE, await scene.answer(PROPOSE, "remember"))
