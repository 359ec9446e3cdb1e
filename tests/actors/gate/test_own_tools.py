"""The gate's own tools: the model asks the user, and presents its plan."""

from pathlib import Path

import msgspec
import pytest

from actors.errors import Failed
from actors.messages.conversation import ToolResult
from actors.messages.tool import Denied, ModeIs, OfferTools, Tools, UserAnswered
from actors.settings.permissions import RuleLine
from tests.actors.gate.scenes import Scene, a_gate, call

ASK = call("ask_user", question="Which one?", choices=["red", "blue"])
PLAN = call("present_plan", plan="# Do it\n\n1. Write a.txt")


async def result_of(scene: Scene, choice: str, text: str = "") -> ToolResult:
    return await scene.result(PLAN, await scene.answer(PLAN, choice, text))


async def offered(scene: Scene) -> Tools:
    return await scene.agent.ask("gate", OfferTools(), Tools)


@pytest.mark.parametrize(
    ("choice", "text", "told"),
    [
        ("choice-2", "", "The user chose: blue"),
        ("other", "green", "The user says: green"),
        ("other", "", "The user did not answer."),
        ("unanswered", "", "The user did not answer."),
    ],
)
async def test_the_answer_goes_to_the_model(tmp_path: Path, choice: str, text: str, told: str) -> None:
    async with a_gate(tmp_path) as scene:
        result = await scene.result(ASK, await scene.answer(ASK, choice, text))

    assert result.output.startswith(told)
    assert not result.failed


async def test_a_question_has_a_key_for_each_answer(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        scene.ask_for(ASK)
        _, asked = await scene.question()

        assert [(one.id, one.key, one.label, one.takes_text) for one in asked.choices] == [
            ("choice-1", "1", "red", False),
            ("choice-2", "2", "blue", False),
            ("other", "o", "something else", True),
        ]
        assert (asked.kind, asked.title, asked.default) == ("question", "Which one?", "choice-1")


@pytest.mark.parametrize("given", [{}, {"question": ""}, {"question": "q", "choices": list("abcdefg")}, {"q": "x"}])
async def test_a_malformed_question_says_what_is_wrong(tmp_path: Path, given: dict[str, object]) -> None:
    async with a_gate(tmp_path) as scene:
        with pytest.raises(Failed, match=r"Malformed arguments for ask_user: .*They are: .question., .choices."):
            await scene.authorise(call("ask_user", **given))


async def test_where_nobody_is_there_nothing_is_asked(tmp_path: Path) -> None:
    async with a_gate(tmp_path, interactive=False) as scene:
        names = {tool.name for tool in (await offered(scene)).tools}
        with pytest.raises(Failed, match="nobody is there to answer"):
            await scene.authorise(ASK)

    assert not names & {"ask_user", "present_plan"}


async def test_a_plan_can_be_presented_in_plan_mode_only(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        with pytest.raises(Failed, match="this is not plan mode"):
            await scene.authorise(PLAN)
        await scene.set_mode("plan")
        scene.ask_for(PLAN)
        _, asked = await scene.question()

    assert asked.kind == "plan"


async def test_an_approved_plan_is_written_and_the_mode_before_comes_back(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="accept-edits") as scene:
        await scene.set_mode("plan")
        scene.restart_gate()
        result = await result_of(scene, "approve")
        (granted,) = scene.tools.granted
        told = [message for message in await scene.told_by_now() if isinstance(message, ModeIs)]

        assert (await offered(scene)).mode == "accept-edits"
    assert msgspec.json.decode(granted.call.arguments) == {"path": "PLAN.md", "content": "# Do it\n\n1. Write a.txt\n"}
    assert granted.grant.paths == (str(tmp_path / "PLAN.md"),)
    assert [(one.agent, one.mode) for one in told] == [("agent:main", "accept-edits")]
    assert "you may write" in result.output
    assert "PLAN.md" in result.output


async def test_a_plan_that_was_there_is_replaced_and_the_model_told(tmp_path: Path) -> None:
    (tmp_path / "PLAN.md").write_text("old")
    async with a_gate(tmp_path, mode="plan") as scene:
        assert "is replaced" in (await result_of(scene, "approve")).output


async def test_a_denied_plan_brings_the_users_own_words_and_plan_mode_stays(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="plan") as scene:
        result = await result_of(scene, "deny", "cover the tests, too")

        assert "cover the tests, too" in result.output
        assert (await offered(scene)).mode == "plan"
        assert scene.tools.granted == []


async def test_esc_denies_and_is_an_ordinary_answer(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="plan") as scene:
        scene.ask_for(PLAN)
        request, asked = await scene.question()
        request.reply(UserAnswered(choice=asked.escape))
        result = await scene.result(PLAN, await scene.verdict())

        assert "denied the plan" in result.output
        assert (await offered(scene)).mode == "plan"


async def test_leaving_without_approving_writes_nothing(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="plan") as scene:
        result = await result_of(scene, "leave")

        assert "Do not present the plan again" in result.output
        assert (await offered(scene)).mode == "default"
        assert scene.tools.granted == []


async def test_a_fresh_session_has_the_plan_written_and_this_one_ends_its_turn(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="plan") as scene:
        result = await result_of(scene, "fresh")

        assert "fresh session" in result.output
        assert len(scene.tools.granted) == 1
        assert (await offered(scene)).mode == "default"


async def test_without_a_user_no_plan_is_approved_and_nothing_is_written(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="plan", interactive=False) as scene:
        with pytest.raises(Failed, match="nobody is there to approve"):
            await scene.authorise(PLAN)

        assert scene.tools.granted == []
        assert (await offered(scene)).mode == "plan"


async def test_a_denied_tool_in_plan_mode_says_how_to_go_on(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="allow", text="Write", source="config.toml"),)
    async with a_gate(tmp_path, mode="plan", rules=rules) as scene:
        verdict = await scene.authorise(call("write", path="a.txt"))

    assert isinstance(verdict, Denied)
    assert "use the tools that only look, and then present_plan" in verdict.reason


async def test_an_approval_lifts_no_denial(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="deny", text="Write(PLAN.md)", source="config.toml"),)
    async with a_gate(tmp_path, mode="plan", rules=rules) as scene:
        result = await result_of(scene, "approve")

        assert "PLAN.md could not be written" in result.output
        assert scene.tools.granted == []
        assert (await offered(scene)).mode == "default"


async def test_a_plan_whose_worker_is_gone_is_approved_all_the_same(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="plan") as scene:
        scene.ask_for(PLAN)
        request, _ = await scene.question()
        scene.network.kill("tools:main")
        request.reply(UserAnswered(choice="approve"))
        result = await scene.result(PLAN, await scene.verdict())

        assert "PLAN.md could not be written" in result.output
        assert (await offered(scene)).mode == "default"


async def test_a_plan_is_withdrawn_when_its_mode_is_left(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="plan") as scene:
        scene.ask_for(PLAN)
        request, _ = await scene.question()
        await scene.set_mode("default")
        with request.scope:
            await request.send(ModeIs(mode="default", label=""))
        request.reply(UserAnswered(choice="approve"))
        verdict = await scene.verdict()

        assert isinstance(verdict, Failed)
        assert "not plan mode" in str(verdict)
