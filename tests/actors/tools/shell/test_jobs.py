"""Commands in the background, with real processes: what is seen of them, that they end as a whole."""

import json
import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import psutil
import pytest
import trio
import trio.testing

from actors.confinement.limits import ENDED_JOBS, JOB_BYTES, JOBS
from actors.confinement.processes.jobs import Jobs, Printed
from actors.confinement.processes.process_trees import Processes
from actors.confinement.sandbox.guardian import adopt_orphans
from actors.messages.conversation import ToolCall
from actors.tools import limits
from actors.tools.actor import execute
from actors.tools.base import Outcome, Worker
from actors.tools.shell import shell_command
from actors.tools.shell.background import BashBackground
from actors.tools.workspace.folder import open_workspace
from tests.actors.tools.conftest import Call
from tests.processes import lives

Start = Callable[[str], Awaitable[str]]
Running = Callable[[], set[int]]
STEPS = "for step in 1 2 3; do until [ -e go$step ]; do sleep 0.01; done; echo step $step; done"
SERVER = """python3 -c "
import socket, time
server = socket.create_server(('127.0.0.1', 0))
print('port', server.getsockname()[1], flush=True)
time.sleep(300)
" """


@pytest.fixture(autouse=True)
def subreaper() -> None:
    adopt_orphans()


@pytest.fixture
def running() -> Running:
    """All that came below this process since the test began; slow tests leave a server there."""
    others = psutil.Process().children(recursive=True)

    def look() -> set[int]:
        below = psutil.Process().children(recursive=True)
        return {process.pid for process in below if process not in others and lives(process)}

    return look


@pytest.fixture
def start(worker: Worker) -> Start:
    """Starts a job, without waiting to see how it begins, and says its id."""

    async def begin(command: str) -> str:
        job = shell_command.start(BashBackground(command=command), worker)
        worker.jobs.adopt(job, worker.nursery)
        return job.id

    return begin


@pytest.fixture
def run(worker: Worker, start: Start) -> Start:
    """The same, to its end."""

    async def run_job(command: str) -> str:
        job = await start(command)
        await worker.jobs.find(job).ended.wait()
        return job

    return run_job


def job_of(outcome: Outcome) -> str:
    found = re.search(r"(network-|none-)?job-[0-9a-f]{6}", outcome.output)
    assert found, outcome.output
    return found[0]


async def test_new_output_is_shown_once_and_the_end_is_told(folder: Path, call: Call, start: Start) -> None:
    job = await start(STEPS)
    (folder / "go1").touch()
    first = await call("bash_output", job=job, wait_s=20)
    (folder / "go2").touch()
    second = await call("bash_output", job=job, wait_s=20)
    nothing = await call("bash_output", job=job)
    (folder / "go3").touch()
    last = await call("bash_output", job=job, wait_s=20, filter="nothing like it")

    assert first.output.startswith("step 1\n[job-")
    assert re.search(r"is running for \d+ s, 7 bytes printed]$", first.output)
    assert second.output.startswith("step 2\n[job-")
    assert nothing.output.startswith("(nothing new)\n[job-")
    assert "ended by itself: exit 0 after" in last.output
    assert not last.failed


async def test_output_from_an_offset_can_be_read_again(folder: Path, call: Call, start: Start) -> None:
    for step in ("go1", "go2", "go3"):
        (folder / step).touch()
    job = await start(STEPS)
    await call("bash_output", job=job, wait_s=20, filter="step 3")

    again = await call("bash_output", job=job, offset=7)

    assert again.output.startswith("step 2\nstep 3\n[job-")


async def test_an_offset_beyond_the_end_is_an_error(call: Call, run: Start) -> None:
    job = await run("echo hello")

    outcome = await call("bash_output", job=job, offset=1000)

    assert outcome.failed
    assert "has printed 6 bytes so far" in outcome.output


async def test_a_filter_waits_for_its_line(call: Call, start: Start) -> None:
    job = await start("for i in $(seq 30); do echo warming up $i; sleep 0.01; done; echo ready on 8000; sleep 300")

    outcome = await call("bash_output", job=job, wait_s=30, offset=0, filter="^ready")

    assert outcome.output.startswith("ready on 8000\n[job-")
    await call("bash_kill", job=job)


async def test_a_bad_filter_is_explained(call: Call, start: Start) -> None:
    outcome = await call("bash_output", job=await start("echo a"), filter="(")

    assert outcome.failed
    assert "unclosed group" in outcome.output


async def test_a_command_that_fails_at_once_says_so_at_once(call: Call) -> None:
    outcome = await call("bash_background", command="echo no; exit 3")

    assert outcome.failed
    assert outcome.output.startswith("no\n[job-")
    assert "ended by itself: exit 3" in outcome.output


async def test_what_is_gone_and_what_is_not_shown_is_said(call: Call, start: Start) -> None:
    job = await start("yes 123456789 | head -c 2000000; echo; echo end")
    await call("bash_output", job=job, wait_s=30, filter="^end$")

    first = await call("bash_output", job=job, offset=0)
    paged = await call("bash_output", job=job, offset=2_000_005 - limits.JOB_SHOWN_BYTES - 100)

    gone = 2_000_005 - JOB_BYTES
    assert first.output.startswith(f"[gone: {gone:,} bytes from offset 0 on; only the last {JOB_BYTES} are kept]")
    assert f"[it goes on at offset={gone + limits.JOB_SHOWN_BYTES}]" in first.output
    assert "[it goes on at offset=1999905]" in paged.output


async def test_of_very_much_new_output_the_end_is_shown(call: Call, run: Start) -> None:
    outcome = await call("bash_output", job=await run("seq 1 20000"))

    assert "bytes before this, at offset=0]" in outcome.output
    assert "\n20000\n[" in outcome.output


async def test_killing_ends_the_whole_tree(call: Call, start: Start, running: Running) -> None:
    job = await start("(setsid sleep 300 &); sleep 300 & echo started; touch up; sleep 300")

    outcome = await call("bash_kill", job=job)

    assert "was ended after" in outcome.output
    assert running() == set()
    assert "was ended after" in (await call("bash_output", job=job)).output


async def test_a_cancel_of_asking_spares_the_job(call: Call, start: Start) -> None:
    job = await start("sleep 300")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(call, "bash_output", job=job, wait_s=60))
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()

    assert "is running" in (await call("bash_output", job=job)).output
    await call("bash_kill", job=job)


async def test_a_job_that_nobody_has_heard_of_ends_with_the_cancel(call: Call, running: Running) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(call, "bash_background", command="sleep 300"))
        await trio.testing.wait_all_tasks_blocked()
        started = running()
        nursery.cancel_scope.cancel()

    assert len(started) == 1
    assert running() == set()


async def test_what_a_job_leaves_ends_with_it(run: Start, running: Running) -> None:
    await run("sleep 300 & echo left")

    assert running() == set()


async def test_a_command_that_takes_too_long_goes_on_as_a_job(folder: Path, call: Call) -> None:
    command = "echo before; until [ -e go ]; do sleep 0.01; done; echo after"
    outcome = await call("bash", command=command, timeout_s=1, background=True)
    job = job_of(outcome)
    (folder / "go").touch()
    later = await call("bash_output", job=job, wait_s=20)
    whole = await call("bash_output", job=job, offset=0)

    assert not outcome.failed
    assert outcome.output.startswith(f"before\n[still running after 1 s: it goes on in the background as {job}. ")
    assert later.output.startswith("after\n[")
    assert whole.output.startswith("before\nafter\n[")


async def test_jobs_outlive_the_call_but_not_the_worker(folder: Path, running: Running) -> None:
    async with trio.open_nursery() as nursery:
        worker = Worker(open_workspace(str(folder), str(folder / ".home")), Processes(), nursery)
        begun = await tool(worker, "bash_background", command="(setsid sleep 300 &); echo begun; sleep 300")
        await tool(worker, "bash_output", job=job_of(begun), offset=0, wait_s=20, filter="begun")
        during = running()
        nursery.cancel_scope.cancel()

    assert len(during) >= 2
    assert running() == set()


async def test_there_are_only_so_many(call: Call, start: Start) -> None:
    jobs = [await start("sleep 300") for _ in range(JOBS)]

    another = await call("bash_background", command="sleep 300")
    late = await call("bash", command="sleep 300", timeout_s=1, background=True)

    assert another.failed
    assert f"{JOBS} jobs are running" in another.output
    assert jobs[0] in another.output
    assert late.failed
    assert "it was ended with all it had started, because" in late.output
    for job in jobs:
        await call("bash_kill", job=job)


async def test_old_ended_ones_are_forgotten(call: Call, run: Start) -> None:
    jobs = [await run("true") for _ in range(ENDED_JOBS + 2)]

    outcome = await call("bash_output", job=jobs[0])

    assert outcome.failed
    assert f"There is no job {jobs[0]}. None is running." in outcome.output
    assert not (await call("bash_output", job=jobs[-1])).failed


async def test_ids_say_which_worker_has_the_job(worker: Worker) -> None:
    network = Worker(worker.workspace, worker.processes, worker.nursery, jobs=Jobs("network"))

    outcome = await tool(network, "bash_background", command="true")

    assert job_of(outcome).startswith("network-job-")


async def test_listening_ports_are_named(call: Call, start: Start) -> None:
    job = await start(SERVER)
    outcome = await call("bash_output", job=job, wait_s=20, offset=0, filter="port")
    port = outcome.output.split()[1]

    assert f", listening on port {port}]" in outcome.output
    await call("bash_kill", job=job)


def test_a_character_that_has_not_arrived_whole_waits() -> None:
    printed = Printed()
    printed.feed("añ€🙂".encode()[:-1])

    assert printed.between(0, printed.whole_end()).decode() == "añ€"

    printed.feed("🙂".encode()[-1:] + b"\x1b[3")

    assert printed.between(0, printed.whole_end()).decode() == "añ€🙂"


async def tool(worker: Worker, name: str, **arguments: object) -> Outcome:
    async def report(_text: str) -> None: ...

    return await execute(ToolCall(call_id="c", name=name, arguments=json.dumps(arguments)), worker, report)
