"""The front of a batch: whatever becomes of agents, of the file, of the user or of itself, each result is told once."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.system import Signalled, StartActor
from actors.messages.turn import Notice
from tests.fakes.agent import FakeAgent, Hang, Say, Use
from tests.fakes.network import Network, open_network
from tests.ui.batch.runs import AGENT_A, AGENT_B, RUN, done_line, start, two_tasks
from tests.ui.headless.fronts import exit_code
from ui.batch.live.visitor import standing_of

INTERRUPT = Signalled(name="SIGINT")


def play(network: Network, name: str, agent: FakeAgent) -> None:
    gate = network.mailbox(f"gate of {name}")
    network.start(name, lambda mailbox: agent.run(mailbox, gate))


async def until_started(supervisor: Mailbox, names: int) -> None:
    """So many actors."""
    for _ in range(names):
        (await anext(supervisor)).reply(Done())


def results(out: Path) -> list[tuple[str, str]]:
    return [(line["id"], line["reason"]) for line in map(json.loads, out.read_text().splitlines())]


async def test_each_task_has_its_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.jsonl"
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, FakeAgent([]))
        play(network, AGENT_B, FakeAgent([]))
        start(network, tmp_path, two_tasks(out))
        code = await exit_code(supervisor)

    assert (code, results(out)) == (0, [("a", "done"), ("b", "done")])
    assert capfd.readouterr().err.splitlines()[-1] == "2 done, 0 failed, 0 not begun, cost unknown"


async def test_what_the_program_has_to_say_is_on_stderr(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with open_network() as network:
        supervisor, gate = network.mailbox("supervisor"), network.mailbox("gate")
        start(network, tmp_path, two_tasks(tmp_path / "out.jsonl"))
        gate.tell("ui", Notice(text="a server was found"))
        await wait_all_tasks_blocked()
        supervisor.tell("ui", INTERRUPT)
        await exit_code(supervisor)

    assert "a server was found\n" in capfd.readouterr().err


async def test_an_interrupt_while_an_agent_starts_sends_it_no_prompt(tmp_path: Path) -> None:
    agent = FakeAgent([])
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, agent)
        start(network, tmp_path, two_tasks(tmp_path / "out.jsonl"))
        order = await anext(supervisor)
        supervisor.tell("ui", INTERRUPT)
        await wait_all_tasks_blocked()
        order.reply(Done())
        code = await exit_code(supervisor)

    assert isinstance(order.message, StartActor)
    assert (code, agent.prompts) == (130, [])


async def test_an_interrupt_leaves_turns_open_and_writes_no_result(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    agent, out = FakeAgent([[Hang()]]), tmp_path / "out.jsonl"
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, agent)
        start(network, tmp_path, two_tasks(out))
        await until_started(supervisor, 2)
        await wait_all_tasks_blocked()
        supervisor.tell("ui", INTERRUPT)
        code = await exit_code(supervisor)

    assert (code, agent.prompts, results(out)) == (130, ["x"], [])
    counts, last = capfd.readouterr().err.splitlines()[-2:]
    assert counts == "0 done, 0 failed, 1 not begun, 1 cut short"
    assert last == "interrupted; the same command goes on with what is not done"


async def test_a_task_that_was_interrupted_goes_on_with_the_same_prompt(tmp_path: Path) -> None:
    agent, out = FakeAgent([[Hang()]]), tmp_path / "out.jsonl"
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, agent)
        start(network, tmp_path, two_tasks(out))
        await until_started(supervisor, 2)
        await wait_all_tasks_blocked()
        supervisor.tell("ui", INTERRUPT)
        await exit_code(supervisor)
    other = FakeAgent([[Say("so")]])
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, other)
        play(network, AGENT_B, FakeAgent([]))
        start(network, tmp_path, two_tasks(out))
        code = await exit_code(supervisor)

    prompts = [entry.body.prompt_id for each in (agent, other) for entry in each.entries[:1]]  # type: ignore[union-attr]
    assert prompts[0] == prompts[1]
    assert (code, results(out)) == (0, [("a", "done"), ("b", "done")])
    assert [line["attempts"] for line in map(json.loads, out.read_text().splitlines())] == [1, 1]


async def test_a_front_whose_supervisor_is_gone_writes_no_result(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, FakeAgent([[Hang()]]))
        start(network, tmp_path, two_tasks(out))
        await until_started(supervisor, 2)
        await wait_all_tasks_blocked()
        network.cut_off("ui")
        await wait_all_tasks_blocked()

    assert results(out) == []


async def test_what_an_older_version_has_done_is_done(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.jsonl"
    lines = f"{done_line('a')}\n{done_line('b')}\n{done_line('of another file of tasks')}\n"
    out.write_text(lines + '{"id":"a","answer":"to')
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        start(network, tmp_path, two_tasks(out))
        code = await exit_code(supervisor)

    assert (code, out.read_text()) == (0, lines)
    said = f"2 tasks (2 done before): nothing is left to do; results: {out}"
    assert capfd.readouterr().err.splitlines()[0] == said


@pytest.mark.parametrize("left", ["", "{0}\n", "{1}\n{1}\n", "{1}\n{0}\n", '{0}\n{"id":"b","ans'])
async def test_the_file_is_made_to_agree_with_the_journal(tmp_path: Path, left: str) -> None:
    out = tmp_path / "out.jsonl"
    await to_the_end(tmp_path, out)
    lines = out.read_text().splitlines()
    out.write_text(left.replace("{0}", lines[0]).replace("{1}", lines[1]))
    await to_the_end(tmp_path, out)

    assert sorted(out.read_text().splitlines()) == sorted(lines)


async def to_the_end(home: Path, out: Path) -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, FakeAgent([]))
        play(network, AGENT_B, FakeAgent([]))
        start(network, home, two_tasks(out))
        assert await exit_code(supervisor) == 0


async def test_a_refused_task_says_what_was_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    call = ToolCall(call_id="c", name="bash", arguments="{}")
    needed = "bash needs an approval: --allow 'Bash(make)'"
    denied = ToolResult(call_id="c", name="bash", output="no", summary=needed, failed=True, denied=True)
    out = tmp_path / "out.jsonl"
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, FakeAgent([[Use(call, denied)]]))
        play(network, AGENT_B, FakeAgent([]))
        start(network, tmp_path, two_tasks(out))
        code = await exit_code(supervisor)

    refused, done = (json.loads(line) for line in out.read_text().splitlines())
    assert (code, refused["reason"], refused["error"]) == (1, "refused", needed)
    assert (done["reason"], done["error"]) == ("done", None)
    err = capfd.readouterr().err
    assert f"[1/2] a: refused, cost unknown ({needed})\n" in err
    assert "1 done, 0 failed, 0 not begun, 1 refused, cost unknown\n" in err


async def test_what_failed_is_run_again_only_when_that_is_asked_and_its_line_replaced(tmp_path: Path) -> None:
    call = ToolCall(call_id="c", name="bash", arguments="{}")
    denied = ToolResult(call_id="c", name="bash", output="no", summary="no", failed=True, denied=True)
    out, agents, seen = tmp_path / "out.jsonl", [], []
    for again in (False, False, True, False):
        async with open_network() as network:
            supervisor = network.mailbox("supervisor")
            agents.append(FakeAgent([[Use(call, denied)]] if len(agents) == 0 else []))
            play(network, AGENT_A, agents[-1])
            play(network, AGENT_B, FakeAgent([]))
            start(network, tmp_path, replace(two_tasks(out), again=again))
            seen.append((await exit_code(supervisor), results(out)))

    before, after = [("a", "refused"), ("b", "done")], [("b", "done"), ("a", "done")]
    assert seen == [(1, before), (1, before), (0, after), (0, after)]
    assert [len(agent.prompts) for agent in agents] == [1, 0, 1, 0]


async def test_a_result_that_cannot_be_written_ends_the_batch(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        start(network, tmp_path, two_tasks(tmp_path / "missing" / "out.jsonl", workers=2))
        code = await exit_code(supervisor)
        await wait_all_tasks_blocked()

    said = "out.jsonl: No such file or directory. The same command goes on once it can."
    assert (code, capfd.readouterr().err.count(said)) == (1, 1)


@pytest.mark.usefixtures("autojump_clock")
async def test_a_task_that_is_silent_is_ended_tried_once_more_and_then_given_up(
    tmp_path: Path,
) -> None:
    agent, out = FakeAgent([[Hang()], [Hang()]]), tmp_path / "out.jsonl"
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, agent)
        play(network, AGENT_B, FakeAgent([]))
        start(network, tmp_path, replace(two_tasks(out), stall_s=3.0))
        code = await exit_code(supervisor)

    a, b = (json.loads(line) for line in out.read_text().splitlines())
    assert (code, a["reason"], a["attempts"], b["reason"]) == (1, "timeout", 2, "done")
    assert a["error"] == "nothing was heard of it for 3 seconds (--stall)."
    assert agent.prompts == ["x", "Go on with the task."]


@pytest.mark.usefixtures("autojump_clock")
async def test_a_task_that_takes_too_long_is_not_tried_again(tmp_path: Path) -> None:
    agent, out = FakeAgent([[Hang()]]), tmp_path / "out.jsonl"
    words = two_tasks(out)
    first = replace(words.tasks[0], timeout="3s")
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, agent)
        start(network, tmp_path, replace(words, tasks=(first,)))
        code = await exit_code(supervisor)

    (line,) = map(json.loads, out.read_text().splitlines())
    assert (code, line["reason"], line["attempts"]) == (1, "timeout", 1)
    assert line["error"] == "time was up after 3 s."


async def test_a_result_file_that_is_removed_meanwhile_is_whole_at_the_end(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, FakeAgent([]))
        play(network, AGENT_B, FakeAgent([[Hang()]]))
        start(network, tmp_path, two_tasks(out))
        async for order in supervisor:
            order.reply(Done())
            if isinstance(order.message, StartActor) and order.message.name == AGENT_B:
                break
        out.unlink()
        supervisor.tell("ui", INTERRUPT)
        code = await exit_code(supervisor)

    assert (code, results(out)) == (130, [("a", "done")])


async def test_an_id_that_is_long_or_has_lines_leaves_the_end_of_its_task_to_be_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ids = ("a\n[1/9] other: done\x1b[2J", "x" * 10_000)
    words = two_tasks(tmp_path / "out.jsonl")
    tasks = tuple(replace(task, id=name) for task, name in zip(words.tasks, ids, strict=True))
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        for name in ids:
            play(network, f"agent:{name.encode().hex()}", FakeAgent([]))
        start(network, tmp_path, replace(words, tasks=tasks))
        code = await exit_code(supervisor)

    err = capfd.readouterr().err
    assert code == 0
    assert "\n[1/2] a\\x0a[1/9] other: done\\x1b[2J: done" in err
    assert f"\n[2/2] {'x' * 79}…: done" in err


async def test_while_the_model_is_silent_a_row_says_that_it_is_asked(tmp_path: Path) -> None:
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        play(network, AGENT_A, FakeAgent([[Hang()]]))
        start(network, tmp_path, two_tasks(tmp_path / "out.jsonl"))
        await until_started(supervisor, 2)
        while (standing := await standing_of(str(tmp_path), RUN)) is None or not standing.at_work:
            await wait_all_tasks_blocked()
        while standing is not None and standing.at_work[0].doing != "asks the model":
            standing = await standing_of(str(tmp_path), RUN)
        supervisor.tell("ui", INTERRUPT)
        await exit_code(supervisor)

    assert standing is not None
