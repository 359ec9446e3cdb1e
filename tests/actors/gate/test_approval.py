"""Questions to the user: what is offered, what an answer gives, and that none is lost or asked in vain."""

import tomllib
from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.gate.actor import MOST_TICKETS
from actors.gate.rules.modes import MODES
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.tool import (
    NOBODY,
    Allowed,
    Denied,
    Explain,
    Explanation,
    Mode,
    OfferTools,
    Tools,
    UserAnswered,
)
from actors.settings.permissions import RuleLine
from tests.actors.gate.scenes import a_gate, call

TEST = call("bash", command="make test")
AGAIN = call("bash", "c2", command="make test")


async def test_a_question_shows_what_each_answer_gives(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        scene.ask_for(TEST)
        _, question = await scene.question()

        assert [(choice.id, choice.key) for choice in question.choices] == [
            ("once", "y"),
            ("session", "s"),
            ("always", "a"),
            ("wider", "w"),
            ("session_in_sandbox", "e"),
            ("always_in_sandbox", "v"),
            ("no", "n"),
            ("no_because", "f"),
        ]
        labels = {choice.id: choice.label for choice in question.choices}
        assert labels["always"] == "always: Bash(make test) (.trouper/config.local.toml)"
        assert (question.default, question.escape, question.warning) == ("no", "no", "")
        assert question.risk == "runs in the sandbox, no network"


async def test_what_is_dangerous_is_shown_so_and_offers_nothing_to_remember(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto") as scene:
        scene.ask_for(call("bash", command="rm -rf build"))
        _, question = await scene.question()

        assert [choice.id for choice in question.choices] == ["once", "no", "no_because"]
        assert question.warning


async def test_the_risk_names_what_is_changed_and_what_is_outside(tmp_path: Path) -> None:
    outside = tmp_path.parent / "elsewhere.txt"
    async with a_gate(tmp_path) as scene:
        scene.ask_for(call("write", path="src/a.py"))
        _, inner = await scene.question()
        scene.ask_for(call("write", "c2", path=str(outside)))
        _, outer = await scene.question()

        assert inner.risk == "changes src/a.py"
        assert f"outside the workspace: {outside}" in outer.risk


@pytest.mark.parametrize("choice", ["no", "always!", "session"])
async def test_what_was_not_offered_is_no_yes(tmp_path: Path, choice: str) -> None:
    async with a_gate(tmp_path) as scene:
        verdict = await scene.answer(call("bash", command="git push --force"), choice)

    assert isinstance(verdict, Denied)


async def test_the_users_words_go_to_the_model(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        verdict = await scene.answer(TEST, "no_because", "use just test")

    assert isinstance(verdict, Denied)
    assert verdict.reason == "denied by the user; it did not run. The user says: use just test"
    assert verdict.remedy == "denied by you: use just test"


async def test_a_front_that_knows_nobody_to_ask_gets_the_words_that_would_allow_it(tmp_path: Path) -> None:
    async with a_gate(tmp_path, interactive=False) as scene:
        unasked = await scene.authorise(TEST)
    async with a_gate(tmp_path, interactive=False, asks_approvals=True) as scene:
        told = await scene.answer(TEST, NOBODY)
        allowed = await scene.answer(TEST, "once")

    assert told == unasked
    assert isinstance(told, Denied)
    assert "nobody is there to ask" in told.reason
    assert isinstance(allowed, Allowed)


async def test_for_this_session_counts_until_its_end_and_through_the_death_of_the_gate(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.answer(TEST, "session")
        at_once = await scene.authorise(AGAIN)
        scene.restart_gate()

        assert isinstance(at_once, Allowed)
        assert isinstance(await scene.authorise(AGAIN), Allowed)
        assert not (tmp_path / ".trouper").exists()


@pytest.mark.parametrize(("choice", "rule"), [("always", "Bash(make test)"), ("wider", "Bash(make test:*)")])
async def test_always_is_written_down_and_counts_at_once(tmp_path: Path, choice: str, rule: str) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.answer(TEST, choice)
        at_once = await scene.authorise(AGAIN)
        scene.restart_gate()

        assert isinstance(at_once, Allowed)
        assert isinstance(await scene.authorise(AGAIN), Allowed)
    written = tomllib.loads((tmp_path / ".trouper/config.local.toml").read_text())
    assert written["permissions"]["allow"] == [rule]


async def test_what_cannot_be_written_down_is_allowed_once_and_said(tmp_path: Path) -> None:
    (tmp_path / ".trouper").write_text("a file where a folder should be")
    async with a_gate(tmp_path) as scene:
        verdict = await scene.answer(TEST, "always")
        scene.ask_for(AGAIN)
        await scene.question()

        assert isinstance(verdict, Allowed)
        assert "could not be remembered" in (await scene.notices())[0]


async def test_an_answer_that_settles_other_questions_withdraws_them(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        scene.ask_for(TEST)
        first, _ = await scene.question()
        scene.ask_for(AGAIN)
        second, _ = await scene.question()
        first.reply(UserAnswered(choice="session"))
        with second.scope:
            await trio.sleep_forever()

        assert second.scope.cancelled_caught
        second.reply(UserAnswered(choice="no"))
        assert isinstance(await scene.verdict("c2"), Allowed)


async def test_another_mode_settles_questions_too(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        scene.ask_for(call("write", path="a.txt"))
        allowed, _ = await scene.question()
        await scene.set_mode("auto")
        with allowed.scope:
            await trio.sleep_forever()
        allowed.reply(UserAnswered(choice="no"))
        first = await scene.verdict()
        await scene.set_mode("default")
        scene.ask_for(call("write", "c2", path="a.txt"))
        denied, _ = await scene.question()
        await scene.set_mode("plan")
        with denied.scope:
            await trio.sleep_forever()
        denied.reply(UserAnswered(choice="once"))

        assert isinstance(first, Allowed)
        assert isinstance(await scene.verdict("c2"), Denied)


async def test_a_question_survives_the_screen_and_the_gate(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        scene.ask_for(TEST)
        await scene.question()
        for delivery in scene.network.router.died("ui"):
            scene.network.deliver(delivery)
        await scene.question()
        scene.restart_gate()
        request, _ = await scene.question()
        request.reply(UserAnswered(choice="once"))

        assert isinstance(await scene.verdict(), Allowed)


async def test_a_dead_agents_question_is_withdrawn(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        scene.ask_for(TEST)
        request, _ = await scene.question()
        for delivery in scene.network.router.died("agent:main"):
            scene.network.deliver(delivery)
        with request.scope:
            await trio.sleep_forever()

        assert request.scope.cancelled_caught


async def test_what_was_judged_is_what_runs(tmp_path: Path) -> None:
    twice = call("read", path="a.txt")
    two_paths = '{"path": "b.txt", "path": "a.txt"}'
    async with a_gate(tmp_path) as scene:
        await scene.run(type(twice)(call_id="c1", name="read", arguments=two_paths))
        (granted,) = scene.tools.granted

    assert granted.call.arguments == '{"path":"a.txt"}'
    assert granted.grant.paths == (str(tmp_path / "a.txt"),)


async def test_a_call_that_only_looks_is_handed_on_at_once(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="deny", text="Read(b.txt)", source="flag"),)
    async with a_gate(tmp_path, rules=rules) as scene:
        looked = await scene.authorise(call("read", path="a.txt"))
        denied = await scene.authorise(call("read", path="b.txt"))

    assert isinstance(looked, ToolResult)
    assert looked.output == "c1 done"
    assert isinstance(denied, Denied)
    assert len(scene.tools.granted) == 1


async def test_a_call_that_only_looks_is_handed_on_once_the_user_has_said_yes(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="ask", text="Read(.env)", source="flag"),)
    async with a_gate(tmp_path, rules=rules) as scene:
        looked = await scene.answer(call("read", path=".env"), "once")

    assert isinstance(looked, ToolResult)
    assert [granted.grant.paths for granted in scene.tools.granted] == [(str(tmp_path / ".env"),)]


async def test_a_ticket_is_good_once_and_for_its_call_alone(tmp_path: Path) -> None:
    wanted = call("write", path="a.txt", content="")
    async with a_gate(tmp_path, mode="accept-edits") as scene:
        verdict = await scene.authorise(wanted)
        with pytest.raises(Failed, match="did not allow"):
            await scene.result(call("write", path="b.txt", content=""), verdict)
        with pytest.raises(Failed, match="did not allow"):
            await scene.result(wanted, verdict)


async def test_tickets_nobody_uses_are_dropped_the_oldest_first(tmp_path: Path) -> None:
    wanted = call("write", path="a.txt", content="")
    async with a_gate(tmp_path, mode="accept-edits") as scene:
        first = await scene.authorise(wanted)
        for _ in range(MOST_TICKETS):
            last = await scene.authorise(wanted)

        assert (await scene.result(wanted, last)).output == "c1 done"
        with pytest.raises(Failed, match="did not allow"):
            await scene.result(wanted, first)


async def test_the_mode_is_kept_through_the_death_of_the_gate(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.set_mode("research")
        scene.restart_gate()
        offered = await scene.agent.ask("gate", OfferTools(), Tools)

    assert offered.mode == "research"


@pytest.mark.parametrize("interactive", [True, False])
async def test_the_list_of_tools_is_the_same_in_every_mode(tmp_path: Path, interactive: bool) -> None:
    async with a_gate(tmp_path, interactive=interactive) as scene:
        lists = []
        for mode in MODES:
            await scene.set_mode(mode)
            lists.append((await scene.agent.ask("gate", OfferTools(), Tools)).tools)

    assert [tools == lists[0] for tools in lists] == [True] * len(MODES)
    own = {"recall", *(("ask_user", "present_plan", "remember") if interactive else ())}
    assert {tool.name for tool in lists[0] if tool.runs_in == "gate"} == own
    assert {"write", "bash"} <= {tool.name for tool in lists[0]}


@pytest.mark.parametrize(
    ("mode", "wanted", "change"),
    [
        (
            "default",
            call("read", path="a.txt"),
            "--deny 'Read(a.txt)', or in HOME: [permissions] deny = [\"Read(a.txt)\"]",
        ),
        (
            "auto",
            call("bash", command="ls src"),
            "--deny 'Bash(ls src)', or in HOME: [permissions] deny = [\"Bash(ls src)\"]",
        ),
        (
            "accept-edits",
            call("write", path="a.txt"),
            "--deny 'Write(a.txt)', or in HOME: [permissions] deny = [\"Write(a.txt)\"]; "
            "or --mode default or plan or research",
        ),
    ],
)
async def test_what_would_change_that_a_call_is_allowed_is_told(
    tmp_path: Path, mode: Mode, wanted: ToolCall, change: str
) -> None:
    async with a_gate(tmp_path, mode) as scene:
        told = await scene.ui.ask("gate", Explain(call=wanted), Explanation)

    assert told.verdict == "allow"
    assert told.change.startswith(change.replace("HOME", f"{tmp_path.resolve()}/.home/config.toml"))


async def test_explaining_runs_and_asks_nothing(tmp_path: Path) -> None:
    rules = (RuleLine(verdict="deny", text="Write(secret/**)", source="config.toml"),)
    async with a_gate(tmp_path, rules=rules) as scene:
        told = await scene.ui.ask("gate", Explain(call=call("write", path="secret/a"), mode="auto"), Explanation)
        with pytest.raises(Failed, match="The tools are: read, write"):
            await scene.ui.ask("gate", Explain(call=call("fly")), Explanation)

        assert (told.verdict, told.rule, told.source) == ("deny", "Write(secret/**)", "config.toml")
        assert (told.mode, told.sandbox) == ("auto", "namespaces")
        assert scene.tools.ran == []
