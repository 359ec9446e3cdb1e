"""A whole agent with the real gate and the real store in one process; only the model and the tools are fakes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from actors.agent import actor as agent_actor
from actors.agent.parallel_calls import AT_ONCE
from actors.agent.session.history import OUTCOME_UNKNOWN
from actors.gate import actor as gate_actor
from actors.mailbox import Mailbox
from actors.messages.base import Done, Problem
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    EndReason,
    PromptQueued,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Answer
from actors.messages.tool import Mode, ModeIs, SetMode, UserAnswered, UserAsked
from actors.messages.turn import Accepted, CancelTurn, EntryAdded, Prompt, Subscribe
from actors.settings.config import Settings
from actors.settings.tool_names import OF_THE_AGENT
from actors.store import actor as store_actor
from tests.fakes.checkpoints import FakeCheckpoints
from tests.fakes.model import FakeModel, say
from tests.fakes.network import Network, open_network
from tests.fakes.tools import FakeTools

LOOK = ToolCall(call_id="c1", name="look", arguments="{}")
LOOK_AGAIN = ToolCall(call_id="c2", name="look", arguments="{}")
CHANGE = ToolCall(call_id="c3", name="change", arguments="{}")
PROMPT = Prompt(prompt_id="p1", text="do it")


class Scene:
    """An agent and all it needs; the test is the ui."""

    def __init__(self, network: Network, model: FakeModel, tools: FakeTools, settings: Settings) -> None:
        self.network, self.model, self.tools = network, model, tools
        self.settings = settings
        self.start_store()
        network.start("gate", partial(gate_actor.run, settings=settings))
        network.start("providers", model.run)
        network.start("tools:main", tools.run)
        self.checkpoints = FakeCheckpoints()
        network.start("checkpoints", self.checkpoints.run)
        self.start_agent()
        self.ui = network.mailbox("ui")

    def start_store(self) -> None:
        self.network.start("store", partial(store_actor.run, settings=self.settings))

    def start_agent(self) -> None:
        self.network.start("agent:main", partial(agent_actor.run, settings=self.settings))

    async def send(self, prompt: Prompt = PROMPT) -> None:
        await self.ui.insist("agent:main", prompt, Accepted)

    async def until_end(self, turns: int = 1) -> list[Body]:
        """The stored bodies, once so many turns have ended."""
        bodies: list[Body] = []
        async with self.ui.stream("agent:main", Subscribe()) as events:
            async for event in events:
                if isinstance(event, EntryAdded):
                    bodies.append(event.entry.body)
                    if sum(isinstance(body, TurnEnded) for body in bodies) == turns:
                        break
        return bodies


@asynccontextmanager
async def a_scene(
    home: Path, *answers: Answer | Problem, mode: Mode = "auto", interactive: bool = False, **more: object
) -> AsyncIterator[Scene]:
    """more: of the settings."""
    (home / "run").mkdir(exist_ok=True)
    plain = Settings(home=str(home), cwd=str(home), session_id="s1", run_id="r1", mode=mode, interactive=interactive)
    settings = msgspec.structs.replace(plain, **more)
    async with open_network() as network:
        yield Scene(network, FakeModel(answers), FakeTools(), settings)


def results(bodies: list[Body]) -> list[ToolResult]:
    return [body for body in bodies if isinstance(body, ToolResult)]


def reason(bodies: list[Body]) -> EndReason:
    last = bodies[-1]
    assert isinstance(last, TurnEnded)
    return last.reason


async def test_a_turn_without_tools_is_prompt_answer_end(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("hello")) as scene:
        await scene.send()
        bodies = await scene.until_end()

    assert bodies == [
        UserMessage(text="do it", turn_id="p1", prompt_id="p1"),
        say("hello").message,
        TurnEnded(turn_id="p1", reason="done"),
    ]


async def test_calls_are_run_and_their_results_asked_about(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("seen")) as scene:
        await scene.send()
        bodies = await scene.until_end()

        assert [type(body) for body in bodies] == [
            UserMessage, AssistantMessage, ToolResult, AssistantMessage, TurnEnded,
        ]  # fmt: skip
        assert scene.model.requests[1].history == tuple(bodies[:3])


async def test_reading_calls_of_one_answer_run_side_by_side(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK, LOOK_AGAIN), say("seen")) as scene:
        await scene.send()
        await scene.until_end()

        assert scene.tools.most_at_once == 2


async def test_calls_run_in_order_when_one_changes_something(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK, CHANGE, LOOK_AGAIN), say("seen")) as scene:
        await scene.send()
        await scene.until_end()

        assert (scene.tools.most_at_once, scene.tools.ran) == (1, ["c1", "c3", "c2"])


async def test_reading_neighbours_run_side_by_side_also_between_others(tmp_path: Path) -> None:
    looks = [ToolCall(call_id=f"l{n}", name="look", arguments="{}") for n in range(12)]
    async with a_scene(tmp_path, say("", CHANGE, *looks, LOOK), say("seen")) as scene:
        await scene.send()
        bodies = await scene.until_end()

        assert (scene.tools.most_at_once, scene.tools.ran[0]) == (AT_ONCE, "c3")
        assert sorted(result.call_id for result in results(bodies)) == sorted(["c3", "c1", *(x.call_id for x in looks)])


async def test_the_model_reads_results_in_call_order_whichever_was_over_first(tmp_path: Path) -> None:
    slow = ToolCall(call_id="slow", name="look", arguments="{}")
    async with a_scene(tmp_path, say("", slow, LOOK), say("seen")) as scene:
        scene.tools.slow = {"slow": trio.Event()}
        async with scene.ui.stream("agent:main", Subscribe()) as events:
            await scene.send()
            async for event in events:
                if isinstance(event, EntryAdded) and isinstance(event.entry.body, ToolResult):
                    break
            scene.tools.slow["slow"].set()
            bodies = await scene.until_end()

        assert [result.call_id for result in results(bodies)] == ["c1", "slow"]
        read = [body.call_id for body in scene.model.requests[1].history if isinstance(body, ToolResult)]
        assert read == ["slow", "c1"]


async def test_an_unknown_tool_is_an_ordinary_failed_result_that_names_the_tools(tmp_path: Path) -> None:
    call = ToolCall(call_id="c1", name="fly", arguments="{}")
    async with a_scene(tmp_path, say("", call), say("sorry")) as scene:
        await scene.send()
        (result,) = results(await scene.until_end())

    assert result.failed
    names = "look, list, change, bash, recall, " + ", ".join(OF_THE_AGENT)
    assert result.output == f'there is no tool "fly". The tools are: {names}.'


async def test_without_anybody_to_ask_a_call_that_needs_approval_is_denied_with_the_remedy(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("sorry"), mode="default") as scene:
        await scene.send()
        (result,) = results(await scene.until_end())

        assert (result.failed, result.denied, scene.tools.ran) == (True, True, [])
        assert "To allow it: --mode accept-edits or auto" in result.output


async def test_what_the_mode_denies_is_refused_when_it_is_called_and_the_tools_stay_the_same(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("sorry"), say("done"), mode="plan") as scene:
        await scene.send()
        (result,) = results(await scene.until_end())
        await scene.ui.ask("gate", SetMode(agent="agent:main", mode="auto"), ModeIs)
        await scene.send(Prompt(prompt_id="p2", text="go on"))
        await scene.until_end(turns=2)

        assert result.denied
        assert "change" in {tool.name for tool in scene.model.requests[0].tools}
        assert [one.tools == scene.model.requests[0].tools for one in scene.model.requests] == [True] * 3


@pytest.mark.parametrize(
    ("given", "ran"), [(UserAnswered(choice="once"), ["c3"]), (UserAnswered(choice="no_because", text="use X"), [])]
)
async def test_the_user_decides_and_what_they_say_reaches_the_model(
    tmp_path: Path, given: UserAnswered, ran: list[str]
) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("ok"), mode="default", interactive=True) as scene:
        await scene.send()
        while not isinstance((request := await anext(scene.ui)).message, UserAsked):
            pass  # what it is only told
        request.reply(given)
        (result,) = results(await scene.until_end())

        assert scene.tools.ran == ran
        assert given.text in result.output


async def test_a_question_is_asked_again_when_the_screen_died(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("ok"), mode="default", interactive=True) as scene:
        await scene.send()
        await anext(scene.ui)
        for delivery in scene.network.router.died("ui"):
            scene.network.deliver(delivery)
        request = await anext(scene.ui)
        request.reply(UserAnswered(choice="once"))
        await scene.until_end()

        assert scene.tools.ran == ["c3"]


async def test_the_same_prompt_twice_is_one_prompt(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("hello")) as scene:
        await scene.send()
        await scene.send()
        bodies = await scene.until_end()

    assert sum(isinstance(body, UserMessage) for body in bodies) == 1


async def test_a_prompt_during_a_turn_joins_at_the_next_boundary(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("both done")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        await scene.send(Prompt(prompt_id="p2", text="and that"))
        scene.tools.hold.set()
        bodies = await scene.until_end()

        assert PromptQueued(prompt_id="p2", text="and that") in bodies
        assert [type(body) for body in scene.model.requests[1].history] == [
            UserMessage, AssistantMessage, ToolResult, UserMessage,
        ]  # fmt: skip


async def test_cancelling_ends_the_tool_and_leaves_one_result_for_every_call(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE, LOOK)) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        await scene.ui.ask("agent:main", CancelTurn(), Done)
        bodies = await scene.until_end()

        assert [result.call_id for result in results(bodies)] == ["c3", "c1"]
        assert reason(bodies) == "interrupted"
        assert scene.tools.ran == ["c3"]


async def test_a_turn_whose_time_is_up_says_so_and_so_do_its_calls(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE, LOOK)) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        await scene.ui.ask("agent:main", CancelTurn(reason="timeout", text="time was up after 5 s"), Done)
        bodies = await scene.until_end()

    assert [result.output for result in results(bodies)] == [
        "ended because the time was up; it may have had a part of its effect.",
        "ended because the time was up before it was done; it changed nothing.",
    ]
    assert isinstance(bodies[-1], TurnEnded)
    assert (bodies[-1].reason, bodies[-1].text) == ("timeout", "time was up after 5 s")


async def test_a_worker_that_dies_leaves_a_result_of_unknown_outcome(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("I looked")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        scene.network.kill("tools:main")
        (result,) = results(await scene.until_end())

    assert result.output == OUTCOME_UNKNOWN


async def test_an_agent_that_died_in_a_call_goes_on_and_never_runs_it_twice(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE, LOOK), say("I looked")) as scene:
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        scene.network.kill("agent:main")
        scene.tools.hold = None
        scene.start_agent()
        bodies = await scene.until_end()

        assert [(result.call_id, result.output) for result in results(bodies)] == [
            ("c3", OUTCOME_UNKNOWN),
            ("c1", "c1 done"),
        ]
        assert scene.tools.ran == ["c3", "c1"]


async def test_a_dead_model_connection_is_asked_again(tmp_path: Path) -> None:
    async with a_scene(tmp_path) as scene:
        replacement = FakeModel([say("hello")])
        scene.network.kill("providers")
        scene.network.start("providers", replacement.run)
        await scene.send()

        assert reason(await scene.until_end()) == "done"


async def test_a_problem_of_the_model_ends_the_turn_with_its_text(tmp_path: Path) -> None:
    problem = Problem(code="no_credentials", text="There is no key.", hint="Set one.")
    async with a_scene(tmp_path, problem) as scene:
        await scene.send()
        end = (await scene.until_end())[-1]

    text = "There is no key. Set one."
    assert end == TurnEnded(turn_id="p1", reason="no_credentials", text=text, code="no_credentials")


async def test_at_the_limit_a_summary_is_asked_for_without_tools(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("so far so good"), max_turns=1) as scene:
        await scene.send()
        bodies = await scene.until_end()

        assert (scene.model.requests[1].tools, reason(bodies)) == ((), "turn_limit")


async def test_a_call_cut_by_the_token_limit_is_not_run_and_the_model_is_told(tmp_path: Path) -> None:
    cut = say("I will", stop_reason="max_tokens", cut_call="change")
    async with a_scene(tmp_path, cut, say("done")) as scene:
        await scene.send()
        bodies = await scene.until_end()

        assert scene.tools.ran == []
        assert "change" in scene.model.requests[1].history[-1].text  # type: ignore[union-attr]
        assert reason(bodies) == "done"


async def test_an_agent_without_its_session_says_why(tmp_path: Path) -> None:
    async def locked(mailbox: Mailbox) -> None:
        async for request in mailbox:
            request.fail(Problem(code="session_in_use", text="open elsewhere"))

    async with a_scene(tmp_path) as scene:
        scene.network.kill("agent:main")
        scene.network.kill("store")
        scene.network.start("store", locked)
        scene.start_agent()

        with pytest.raises(Exception, match="open elsewhere"):
            await scene.send()


async def test_a_watcher_that_reads_nothing_and_dies_does_not_hold_the_agent_up(tmp_path: Path) -> None:
    calls = [ToolCall(call_id=f"n{number}", name="look", arguments="{}") for number in range(200)]
    answers = [say(f"answer {call.call_id}", call) for call in calls]
    async with a_scene(tmp_path, *answers, say("the end"), max_turns=300) as scene:
        screen = scene.network.mailbox("screen")
        async with screen.stream("agent:main", Subscribe()):
            await scene.send()
            await trio.testing.wait_all_tasks_blocked(0.05)
            asked = len(scene.model.requests)
            for delivery in scene.network.router.died("screen"):
                scene.network.deliver(delivery)

            assert reason(await scene.until_end()) == "done"
            assert asked < len(answers)


async def test_an_answer_that_waits_for_the_disk_when_it_is_cancelled_is_saved_once(tmp_path: Path) -> None:
    """The store stands still while the answer is being appended; Esc comes then."""
    async with a_scene(tmp_path, say("hello"), say("I will", CHANGE)) as scene:
        await scene.send()
        await scene.until_end()
        await scene.send(Prompt(prompt_id="p2", text="and now"))
        scene.network.hold_back("store")
        await trio.testing.wait_all_tasks_blocked()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(scene.ui.ask, "agent:main", CancelTurn(), Done)
            await trio.testing.wait_all_tasks_blocked()
            scene.network.let_go("store")
        bodies = await scene.until_end(turns=2)

    answers = [body for body in bodies if isinstance(body, AssistantMessage)]
    assert [body.text for body in answers] == ["hello", "I will"]
    assert [result.call_id for result in results(bodies)] == ["c3"]
