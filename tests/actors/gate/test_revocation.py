"""The rules as they count now, and taking back what was allowed."""

from pathlib import Path

import msgspec
import pytest

from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.tool import Allowed, DescribeRules, ForgetRule, Rules, SandboxUnasked, StandingRule, Verdict
from actors.settings import workspace_files
from actors.settings.permissions import RuleLine
from tests.actors.gate.scenes import Scene, a_gate, call

TEST = call("bash", command="make test")
AGAIN = call("bash", "c2", command="make test")
RULE = "Bash(make test)"
DENY = RuleLine(verdict="deny", text="Read(.env)", source="/home/config.toml")
SESSION = StandingRule(verdict="allow", text=RULE, source="this session", can_be_forgotten=True)


def always(workspace: Path) -> StandingRule:
    return msgspec.structs.replace(SESSION, source=str(workspace_files.local_path(workspace)))


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
    assert RULE not in workspace_files.local_path(tmp_path).read_text()


async def test_a_rule_of_an_earlier_session_is_taken_back_and_can_be_given_again(tmp_path: Path) -> None:
    path = workspace_files.local_path(tmp_path)
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
        workspace_files.local_path(tmp_path).write_text("not toml")
        with pytest.raises(Failed, match="does not count any more in this session, but it is still in its file"):
            await forget(scene, always(tmp_path))

        assert await standing(scene) == ()


@pytest.mark.parametrize("choice", ["session_in_sandbox", "always_in_sandbox"])
async def test_one_answer_ends_the_questions_until_it_is_taken_back(tmp_path: Path, choice: str) -> None:
    source = "this session" if choice.startswith("session") else str(workspace_files.local_path(tmp_path))
    given = StandingRule(verdict="allow", text="Bash(@sandbox)", source=source, can_be_forgotten=True)
    other = call("bash", "c3", command="PYTHONPATH=. python3 x.py > out.txt")
    async with a_gate(tmp_path) as scene:
        await scene.answer(TEST, choice)
        unasked = await scene.authorise(other)
        rules = await standing(scene)
        await forget(scene, given)

        assert isinstance(unasked, Allowed)
        assert rules == (given,)
        assert await is_asked(scene)
        assert [one for one in scene.told if isinstance(one, SandboxUnasked)] == [
            SandboxUnasked(counts=True),
            SandboxUnasked(counts=False),
        ]


async def test_after_that_answer_what_leaves_the_sandbox_still_asks(tmp_path: Path) -> None:
    push = call("bash", "c4", command="git push")
    async with a_gate(tmp_path) as scene:
        await scene.answer(TEST, "session_in_sandbox")
        scene.ask_for(push)
        _, question = await scene.question()

        assert question.call == push
        assert not [choice for choice in question.choices if choice.id.endswith("in_sandbox")]
