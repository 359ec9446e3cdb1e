"""The rules as they count now, and taking back what was allowed."""

from pathlib import Path

import msgspec
import pytest

from actors import config
from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.tool import Allowed, DescribeRules, ForgetRule, Rules, StandingRule, Verdict
from actors.permissions import RuleLine
from tests.actors.gate.scenes import Scene, a_gate, call

TEST = call("bash", command="make test")
AGAIN = call("bash", "c2", command="make test")
RULE = "Bash(make test)"
DENY = RuleLine(verdict="deny", text="Read(.env)", source="/home/config.toml")
SESSION = StandingRule(verdict="allow", text=RULE, source="this session", can_be_forgotten=True)


def always(workspace: Path) -> StandingRule:
    return msgspec.structs.replace(SESSION, source=str(config.local_path(workspace)))


async def standing(scene: Scene) -> tuple[StandingRule, ...]:
    return (await scene.ui.ask("gate", DescribeRules(), Rules)).rules


async def forget(scene: Scene, rule: StandingRule) -> None:
    await scene.ui.ask("gate", ForgetRule(rule=rule), Done)


async def is_asked(scene: Scene) -> bool:
    scene.ask_for(AGAIN)
    _, question = await scene.question()
    return question.call.call_id == AGAIN.call_id


async def test_what_was_allowed_meanwhile_is_among_the_rules(tmp_path: Path) -> None:
    async with a_gate(tmp_path, rules=(DENY,)) as scene:
        before = await standing(scene)
        await scene.answer(TEST, "session")

        assert before == (StandingRule(verdict="deny", text="Read(.env)", source="/home/config.toml"),)
        assert await standing(scene) == (*before, SESSION)


async def test_a_session_grant_is_taken_back_for_good(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.answer(TEST, "session")
        await forget(scene, SESSION)
        await forget(scene, SESSION)
        scene.restart_gate()

        assert await standing(scene) == ()
        assert await is_asked(scene)


async def test_what_was_allowed_always_leaves_its_file_too(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.answer(TEST, "always")
        assert await standing(scene) == (always(tmp_path),)
        await forget(scene, always(tmp_path))

        assert await standing(scene) == ()
        assert await is_asked(scene)
    assert RULE not in config.local_path(tmp_path).read_text()


async def test_a_rule_of_an_earlier_session_is_taken_back_and_can_be_given_again(tmp_path: Path) -> None:
    path = config.local_path(tmp_path)
    path.parent.mkdir()
    path.write_text(f'[permissions]\nallow = ["{RULE}"]\ndeny = ["{RULE}", "Read(.env)"]\n')
    rule = RuleLine(verdict="allow", text=RULE, source=str(path))
    async with a_gate(tmp_path, rules=(rule,)) as scene:
        await forget(scene, always(tmp_path))
        scene.restart_gate()
        assert await standing(scene) == ()
        assert f'deny = ["{RULE}", "Read(.env)"]' in path.read_text()
        assert isinstance(await scene.answer(AGAIN, "always"), Allowed)

        assert await standing(scene) == (always(tmp_path),)


@pytest.mark.parametrize(
    ("verdict", "source"),
    [
        ("deny", ".trouper/config.local.toml"),
        ("ask", "this session"),
        ("allow", "/h/config.toml"),
        ("allow", "--allow"),
    ],
)
async def test_other_rules_are_not(tmp_path: Path, verdict: Verdict, source: str) -> None:
    line = RuleLine(verdict=verdict, text="Read(.env)", source=source)
    shown = StandingRule(verdict=verdict, text="Read(.env)", source=source)
    async with a_gate(tmp_path, rules=(line,)) as scene:
        with pytest.raises(Failed, match="is not forgotten: change it in"):
            await forget(scene, shown)

        assert await standing(scene) == (shown,)


async def test_what_cannot_leave_its_file_counts_no_more_all_the_same(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.answer(TEST, "always")
        config.local_path(tmp_path).write_text("not toml")
        with pytest.raises(Failed, match="does not count any more in this session, but it is still in its file"):
            await forget(scene, always(tmp_path))

        assert await standing(scene) == ()
