"""The fronts without a screen: whatever becomes of stdout, of an agent or of the user, they leave at once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import EndReason
from actors.messages.model import ResolvedModel, ResolveModel
from actors.messages.store import ListSessions, Sessions, SessionSummary
from actors.messages.system import Signalled, StartActor
from tests.fakes.agent import FakeAgent, Hang
from tests.fakes.network import Network, open_network
from tests.ui.fronts import closed_pipe, exit_code, full_disk, settings, stdout_is
from ui import batch, headless, sessions_cli
from ui.batch_cli import BatchFront, Task
from ui.words import HeadlessFront, Output

AGENT_A = f"agent:{b'a'.hex()}"
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
    wanted = sessions_cli.Wanted(what="list")
    network.start("ui", lambda mailbox: sessions_cli.run(mailbox, settings(wanted)))


def start_headless(network: Network, output: Output, agent: FakeAgent) -> None:
    words = HeadlessFront(prompt="hi", prompt_id="p", output=output)
    gate = network.mailbox("gate")
    network.start("agent:main", lambda mailbox: agent.run(mailbox, gate))
    network.start("ui", lambda mailbox: headless.run(mailbox, settings(words)))


def start_batch(network: Network, out: Path) -> None:
    words = BatchFront(tasks=(Task(id="a", prompt="x"), Task(id="b", prompt="y")), workers=1, out=str(out), max_turns=9)
    network.start("ui", lambda mailbox: batch.run(mailbox, settings(words)))


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


async def test_an_interrupt_while_an_agent_starts_sends_it_no_prompt(tmp_path: Path) -> None:
    agent = FakeAgent([])
    async with open_network() as network:
        supervisor, gate = network.mailbox("supervisor"), network.mailbox("gate")
        network.start(AGENT_A, lambda mailbox: agent.run(mailbox, gate))
        start_batch(network, tmp_path / "out.jsonl")
        order = await anext(supervisor)
        supervisor.tell("ui", INTERRUPT)
        await wait_all_tasks_blocked()
        order.reply(Done())

        code = await exit_code(supervisor)

    assert isinstance(order.message, StartActor)
    assert (code, agent.prompts) == (130, [])


async def test_an_interrupt_ends_the_turns_that_run(tmp_path: Path) -> None:
    ended: list[EndReason] = []
    agent = FakeAgent([[Hang()]], on_end=ended.append)
    async with open_network() as network:
        supervisor, gate = network.mailbox("supervisor"), network.mailbox("gate")
        network.start(AGENT_A, lambda mailbox: agent.run(mailbox, gate))
        start_batch(network, tmp_path / "out.jsonl")
        for _ in range(2):
            (await anext(supervisor)).reply(Done())
        await wait_all_tasks_blocked()
        supervisor.tell("ui", INTERRUPT)

        code = await exit_code(supervisor)

    assert (code, agent.prompts, ended) == (130, ["x"], ["interrupted"])
    assert not (tmp_path / "out.jsonl").exists()


async def test_an_interrupt_waits_only_so_long_for_an_agent(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        network.start(AGENT_A, silent)
        start_batch(network, tmp_path / "out.jsonl")
        supervisor.tell("ui", INTERRUPT)
        began = autojump_clock.current_time()

        assert await exit_code(supervisor) == 130
        assert autojump_clock.current_time() - began <= batch.PATIENCE_S


async def test_a_result_that_cannot_be_written_ends_the_batch(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with open_network() as network:
        supervisor, gate = network.mailbox("supervisor"), network.mailbox("gate")
        network.start(AGENT_A, lambda mailbox: FakeAgent([]).run(mailbox, gate))
        start_batch(network, tmp_path / "missing" / "out.jsonl")

        code = await exit_code(supervisor)

    assert code == 1
    assert "out.jsonl: No such file or directory. The same command goes on once it can." in capfd.readouterr().err
