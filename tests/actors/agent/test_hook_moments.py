"""The agent's moments for hooks: before a prompt, when a session begins, after a call, at the end of a turn."""

from pathlib import Path

import msgspec
import pytest
import trio
import trio.testing

from actors.agent.conversation import NOT_SENT
from actors.agent.hook_moments import MOST_STOPS, NOT_YET
from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.conversation import UserMessage
from actors.messages.tool import HookRan
from actors.messages.turn import CancelTurn, Prompt
from actors.settings.workspace_files import Hook, Hooks
from tests.actors.agent.calls.test_typed_commands import refusal
from tests.actors.agent.test_agent import CHANGE, LOOK, PROMPT, a_scene, reason, results
from tests.fakes.model import say

HOOK = (Hook(command="check"),)


def said(**words: str) -> dict[str, HookRan]:
    return {"check": HookRan(exit_code=0, output=msgspec.json.encode(words).decode())}


async def test_without_hooks_nobody_is_asked(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("done")) as scene:
        await scene.send()
        await scene.until_end()

        assert scene.tools.hooks_ran == []
        assert not [one for one in scene.network.carried if b"RunHooks" in bytes(one.body)]


async def test_a_prompt_can_be_refused_with_the_reason(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("done"), hooks=Hooks(prompt=HOOK)) as scene:
        scene.tools.hooks = said(decision="deny", reason="no secrets in prompts")
        with pytest.raises(Failed, match="denied by the hook `check`: no secrets in prompts"):
            await scene.send()

        assert scene.model.requests == []


async def test_a_cancel_reaches_a_hook_that_its_prompt_waits_for(tmp_path: Path) -> None:
    refused: list[str] = []
    async with a_scene(tmp_path, say("done"), hooks=Hooks(prompt=HOOK)) as scene:
        scene.network.hold_back("tools:main", lambda envelope: b"RunHook" in bytes(envelope.body))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(refusal, scene, refused, PROMPT)
            await trio.testing.wait_all_tasks_blocked()
            await scene.ui.insist("agent:main", CancelTurn(), Done)
        scene.network.let_go("tools:main")
        scene.tools.hooks = {"check": HookRan(exit_code=0, output="")}
        await scene.send(Prompt(prompt_id="p2", text="go on"))
        bodies = await scene.until_end()

    assert refused == [NOT_SENT]
    assert [body.text for body in bodies if isinstance(body, UserMessage)] == ["go on"]


@pytest.mark.parametrize(
    ("ran", "reason"),
    [
        (HookRan(exit_code=2, output="", errors="no."), "denied by the hook `check`: no."),
        (HookRan(exit_code=2, output=""), "denied by the hook `check`."),
        (
            HookRan(exit_code=0, output='{"decision": "ask", "reason": "sure?"}'),
            "asked about by the hook `check`, and nobody is asked about it: sure?.",
        ),
        (HookRan(exit_code=None, output=""), "the hook `check` failed: it took too long."),
        (HookRan(exit_code=3, output=""), "the hook `check` failed: exit code 3, and it did not say why."),
        (HookRan(exit_code=0, output="nonsense"), "the hook `check` failed: its stdout is not what a hook says"),
    ],
)
async def test_a_prompt_that_its_hook_does_not_let_through_is_refused(
    tmp_path: Path, ran: HookRan, reason: str
) -> None:
    async with a_scene(tmp_path, say("done"), hooks=Hooks(prompt=HOOK)) as scene:
        scene.tools.hooks = {"check": ran}
        with pytest.raises(Failed) as refused:
            await scene.send()

        assert refused.value.problem.code == "refused"
        assert str(refused.value).startswith(f"The prompt was not sent: {reason}")
        assert scene.model.requests == []


@pytest.mark.parametrize("decision", ["deny", "ask"])
async def test_a_session_that_is_denied_takes_no_prompt_until_it_is_not(tmp_path: Path, decision: str) -> None:
    async with a_scene(tmp_path, say("done"), hooks=Hooks(session_start=HOOK)) as scene:
        scene.tools.hooks = said(decision=decision, reason="not on fridays")
        for _ in range(2):
            with pytest.raises(Failed, match=r"The session was not begun: .*not on fridays") as refused:
                await scene.send()
        scene.tools.hooks = said(context="it is saturday")
        await scene.send()
        bodies = await scene.until_end()

        assert refused.value.problem.code == "refused"
        assert reason(bodies) == "done"
        assert len(scene.model.requests) == 1


async def test_what_a_hook_knows_is_added_to_the_prompt(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("done"), hooks=Hooks(prompt=HOOK)) as scene:
        scene.tools.hooks = said(context="the build is red")
        await scene.send()
        await scene.send()
        bodies = await scene.until_end()

        assert bodies[0] == UserMessage(text="do it\n\n[hook: the build is red]", turn_id="p1", prompt_id="p1")
        assert len(scene.tools.hooks_ran) == 1


async def test_what_is_said_at_the_start_of_a_session_is_said_once(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("done"), say("done"), hooks=Hooks(session_start=HOOK)) as scene:
        scene.tools.hooks = said(context="speak French")
        await scene.send()
        await scene.until_end()
        scene.network.kill("agent:main")
        scene.start_agent()
        await scene.send(Prompt(prompt_id="p2", text="and now"))
        await scene.until_end(turns=2)

        assert len(scene.tools.hooks_ran) == 1
        assert all("speak French" in request.system for request in scene.model.requests)


async def test_what_a_hook_says_of_a_call_is_in_its_result(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("done"), hooks=Hooks(post_tool=HOOK)) as scene:
        scene.tools.hooks = said(context="2 files formatted")
        await scene.send()
        (result,) = results(await scene.until_end())

        assert result.output == "c3 done\n\n[hook: 2 files formatted]"
        told = msgspec.json.decode(scene.tools.hooks_ran[0].input)
        assert (told["event"], told["tool"], told["output"], told["session"]) == (
            "post_tool",
            "change",
            "c3 done",
            "s1",
        )


async def test_the_end_of_a_turn_can_be_put_off_a_few_times(tmp_path: Path) -> None:
    answers = [say(f"done {n}") for n in range(MOST_STOPS + 1)]
    async with a_scene(tmp_path, *answers, hooks=Hooks(stop=HOOK)) as scene:
        scene.tools.hooks = said(decision="deny", reason="run the tests")
        await scene.send()
        bodies = await scene.until_end()

        notes = [body.text for body in bodies if isinstance(body, UserMessage) and not body.prompt_id]
        assert notes == [f"{NOT_YET}denied by the hook `check`: run the tests"] * MOST_STOPS
        assert reason(bodies) == "done"


async def test_a_stop_hook_hears_all_of_an_answer_that_was_cut(tmp_path: Path) -> None:
    answers = [say("It is", stop_reason="max_tokens"), say(" so.")]
    async with a_scene(tmp_path, *answers, hooks=Hooks(stop=HOOK)) as scene:
        scene.tools.hooks = said()
        await scene.send()
        await scene.until_end()

        assert msgspec.json.decode(scene.tools.hooks_ran[0].input)["answer"] == "It is so."
