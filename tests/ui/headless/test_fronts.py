"""The fronts without a screen: whatever becomes of stdout, of an agent or of the user, they leave at once."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.mailbox import Mailbox, Request
from actors.messages.conversation import EndReason, ToolCall, ToolResult
from actors.messages.model import ResolvedModel, ResolveModel
from actors.messages.store import ListSessions, Sessions, SessionSummary
from actors.messages.system import Signalled
from actors.messages.turn import Accepted, CancelTurn, Notice, Prompt
from tests.fakes.agent import FakeAgent, Hang, Say, Use
from tests.fakes.network import Network, open_network
from tests.ui.headless.fronts import closed_pipe, exit_code, full_disk, settings, stdout_is
from ui.cli.sessions import listing
from ui.cli.subcommands import sessions
from ui.headless import prompt
from ui.start.fronts import HeadlessFront, Output, encoded

INTERRUPT = Signalled(name="SIGINT")
SESSION = SessionSummary(session_id="3fa9", cwd="/w", model="m", title="t", created_at=0.0, updated_at=0.0, entries=1)
BROKEN = [
    pytest.param(
        full_disk,
        "trouper: cannot write to stdout: No space left on device\n",
        id="full disk",
        marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full"),
    ),
    pytest.param(closed_pipe, "", id="closed pipe"),
]


async def silent(mailbox: Mailbox) -> None:
    """An actor that takes everything and answers nothing."""
    async for _ in mailbox:
        continue


async def one_session(mailbox: Mailbox) -> None:
    async for request in mailbox:
        if isinstance(request.message, ListSessions):
            request.reply(Sessions(sessions=(SESSION,)))


def start_sessions(network: Network) -> None:
    wanted = sessions.Wanted(action="list", words=encoded(listing.Wanted()))
    network.start("ui", lambda mailbox: sessions.run(mailbox, settings(wanted)))


def start_headless(network: Network, output: Output, agent: FakeAgent, timeout_s: float | None = None) -> None:
    words = HeadlessFront(prompt="hi", prompt_id="p", output=output, timeout_s=timeout_s)
    gate = network.mailbox("gate")
    network.start("agent:main", lambda mailbox: agent.run(mailbox, gate))
    network.start("ui", lambda mailbox: prompt.run(mailbox, settings(words)))


@pytest.mark.parametrize(("broken", "said"), BROKEN)
async def test_a_list_that_cannot_be_printed_ends_the_command(
    broken: Callable[[], int], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        network.start("store", one_session)
        with stdout_is(broken()):
            start_sessions(network)
            code = await exit_code(supervisor)

    assert (code, capfd.readouterr().err) == (1, said)


@pytest.mark.parametrize(("broken", "said"), BROKEN)
@pytest.mark.parametrize("output", ["text", "stream-json"])
async def test_an_answer_that_cannot_be_printed_ends_the_session(
    broken: Callable[[], int], said: str, output: Output, capfd: pytest.CaptureFixture[str]
) -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        with stdout_is(broken()):
            start_headless(network, output, FakeAgent([]))
            code = await exit_code(supervisor)

    assert (code, capfd.readouterr().err) == (1, said)


@pytest.mark.parametrize("output", ["text", "json"])
async def test_what_the_program_has_to_say_is_on_stderr(output: Output, capfd: pytest.CaptureFixture[str]) -> None:
    async with open_network() as network:
        supervisor, providers = network.mailbox("supervisor"), network.mailbox("providers")
        start_headless(network, output, FakeAgent([[Hang()]]))
        providers.tell("ui", Notice(text="a server was found"))
        await wait_all_tasks_blocked()
        supervisor.tell("ui", INTERRUPT)
        await exit_code(supervisor)

    assert "a server was found\n" in capfd.readouterr().err


TIME_UP = "time was up after 5 s (--timeout); go on with: trouper -c"


@pytest.mark.parametrize("denied", [True, False])
async def test_what_is_cut_says_so_and_a_denial_is_whole(denied: bool, capfd: pytest.CaptureFixture[str]) -> None:
    call = ToolCall(call_id="c", name="bash", arguments="{}")
    long = "it needs an approval, " * 9 + "and that is --mode auto"
    result = ToolResult(call_id="c", name="bash", output=long, failed=True, denied=denied)
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        start_headless(network, "text", FakeAgent([[Use(call, result)]]))
        await exit_code(supervisor)

    assert f"  ✗ {long if denied else long[:100] + '…'}\n" in capfd.readouterr().err


@pytest.mark.parametrize("output", ["text", "json", "stream-json"])
async def test_the_timeout_says_that_time_was_up(
    output: Output,
    capfd: pytest.CaptureFixture[str],
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        start_headless(network, output, FakeAgent([[Say("At first."), Hang()]]), timeout_s=5)
        code = await exit_code(supervisor)

    out, err = capfd.readouterr()
    assert (code, err.count(f"trouper: {TIME_UP}\n")) == (124, 1)
    if output == "text":
        assert out == "At first.\n"
    else:
        last = json.loads(out.splitlines()[-1])
        assert (last["reason"], last["error"], last["answer"]) == ("timeout", TIME_UP, "At first.")


async def test_there_is_a_result_though_the_agent_does_not_end_its_turn(
    capfd: pytest.CaptureFixture[str],
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    async def deaf(mailbox: Mailbox) -> None:
        async for request in mailbox:
            if isinstance(request.message, Prompt):
                request.reply(Accepted(turn_id="t"))

    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        network.start("agent:main", deaf)
        words = HeadlessFront(prompt="hi", prompt_id="p", output="json", timeout_s=5)
        network.start("ui", lambda mailbox: prompt.run(mailbox, settings(words)))
        code = await exit_code(supervisor)

    (line,) = capfd.readouterr().out.splitlines()
    assert (code, json.loads(line)["error"]) == (124, TIME_UP)


async def test_an_interrupt_is_named_in_the_result(capfd: pytest.CaptureFixture[str]) -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        start_headless(network, "json", FakeAgent([[Hang()]]))
        await wait_all_tasks_blocked()
        supervisor.tell("ui", INTERRUPT)
        code = await exit_code(supervisor)

    last = json.loads(capfd.readouterr().out)
    assert (code, last["error"]) == (130, "interrupted; go on with: trouper -c")


async def prompt_after_cancel(mailbox: Mailbox) -> AsyncIterator[Request]:
    """As an agent hears it that is just being started: the first CancelTurn overtakes the prompt."""
    held: list[Request] = []
    async for request in mailbox:
        if isinstance(request.message, Prompt):
            held.append(request)
            continue
        yield request
        if isinstance(request.message, CancelTurn):
            for prompt in held:
                yield prompt
            held = []


async def test_an_interrupt_that_overtakes_the_prompt_ends_its_turn(
    capfd: pytest.CaptureFixture[str],
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    ended: list[EndReason] = []
    agent = FakeAgent([[Hang()]], on_end=ended.append)
    words = HeadlessFront(prompt="hi", prompt_id="p", output="json")
    async with open_network() as network:
        supervisor, gate = network.mailbox("supervisor"), network.mailbox("gate")
        network.start("agent:main", lambda mailbox: agent.run(prompt_after_cancel(mailbox), gate))
        network.start("ui", lambda mailbox: prompt.run(mailbox, settings(words)))
        await wait_all_tasks_blocked()
        supervisor.tell("ui", INTERRUPT)
        code = await exit_code(supervisor)

    assert (code, ended) == (130, ["interrupted"])
    assert json.loads(capfd.readouterr().out)["reason"] == "interrupted"


async def test_an_interrupt_ends_a_command_whose_actor_does_not_answer() -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        network.start("store", silent)
        start_sessions(network)
        supervisor.tell("ui", INTERRUPT)

        assert await exit_code(supervisor) == 130


@pytest.mark.parametrize(("known", "shown"), [("local/any", "local/any"), ("", "")])
async def test_the_stream_begins_with_the_model_that_will_answer(
    known: str, shown: str, capfd: pytest.CaptureFixture[str]
) -> None:
    async def providers(mailbox: Mailbox) -> None:
        async for request in mailbox:
            if isinstance(request.message, ResolveModel) and known:
                request.reply(ResolvedModel(model=known))

    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        if known:
            network.start("providers", providers)
        start_headless(network, "stream-json", FakeAgent([], model=""))
        code = await exit_code(supervisor)

    first = json.loads(capfd.readouterr().out.splitlines()[0])
    assert (code, first["type"], first["model"]) == (0, "session", shown)
