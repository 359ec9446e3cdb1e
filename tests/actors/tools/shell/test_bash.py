"""`bash` with real processes: what it gives back, and that nothing it started outlives it when it is stopped."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
import trio

from actors.confinement.sandbox.guardian import adopt_orphans
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Worker
from actors.tools.shell import shell_command
from actors.tools.shell.bash import Bash, run
from actors.tools.workspace.folder import Workspace
from tests.actors.tools.conftest import Call

Running = Callable[[], dict[int, list[str]]]
NOWHERE = Workspace(Path("/nowhere"))
DAEMON = (
    "import os; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); os.execlp('sleep', 'sleep', '300')"
)
TREE = f"""
(setsid sleep 300 &)
nohup sleep 300 > /dev/null 2>&1 &
env -i sleep 300 &
(env -i setsid sh -c 'sleep 300 & wait' &)
{sys.executable} -c "{DAEMON}"
echo started
sleep 300
"""

EARLIER = """
(setsid sh -c 'touch a; exec sleep 300' &)
env -i setsid /bin/sh -c 'touch b; exec sleep 300' &
until [ -e a ] && [ -e b ]; do :; done
"""


@pytest.fixture(autouse=True)
def subreaper() -> None:
    adopt_orphans()


@pytest.fixture(autouse=True)
async def nothing_is_left(worker: Worker, running: Running) -> AsyncIterator[None]:  # noqa: ARG001  # ends after this
    yield
    assert running() == {}


@pytest.fixture
def running() -> Running:
    """All that came below this process since the test began, with what they are; slow tests leave a server there."""
    others = psutil.Process().children(recursive=True)

    def look() -> dict[int, list[str]]:
        found = {}
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                if process not in others:
                    found[process.pid] = process.cmdline()
        return found

    return look


def kill_all(running: Running) -> None:
    """Until nothing is left: one that is killed may just have started another."""
    while left := running():
        for pid in left:
            with suppress(psutil.NoSuchProcess):
                psutil.Process(pid).kill()


async def test_output_comes_merged_and_in_order(call: Call) -> None:
    outcome = await call("bash", command="echo one; echo two >&2; echo three")

    assert outcome.output == "one\ntwo\nthree"
    assert outcome.summary == "exit 0, 3 lines"


async def test_it_runs_in_the_workspace(folder: Path, call: Call) -> None:
    assert (await call("bash", command="pwd")).output == str(folder)


async def test_a_failure_has_its_exit_code(call: Call) -> None:
    outcome = await call("bash", command="echo no; exit 3")

    assert outcome.failed
    assert outcome.output == "no\n[exit 3]"


async def test_a_signal_is_named(call: Call) -> None:
    outcome = await call("bash", command="kill -TERM $$")

    assert outcome.failed
    assert outcome.output == "[killed by SIGTERM]"


async def test_nothing_printed_is_said(call: Call) -> None:
    assert (await call("bash", command="true")).output == "(no output)"


async def test_stdin_is_empty(call: Call) -> None:
    assert (await call("bash", command="cat; echo end")).output == "end"


async def test_much_output_keeps_head_and_tail(call: Call) -> None:
    outcome = await call("bash", command="seq 1 200000")

    lines = outcome.output.splitlines()
    assert (lines[0], lines[-1]) == ("1", "200000")
    assert "bytes cut from the middle" in outcome.output
    assert len(outcome.output) < limits.BASH_HEAD_BYTES + limits.BASH_TAIL_BYTES + 200


async def test_a_nul_in_the_command_is_an_ordinary_error(call: Call) -> None:
    assert (await call("bash", command="echo a\0b")).failed


async def test_it_does_not_wait_for_the_background(call: Call, running: Running) -> None:
    outcome = await call("bash", command="sh -c 'touch up; sleep 300' & until [ -e up ]; do :; done; echo $!")

    pid = int(outcome.output.splitlines()[0])
    assert f"\n[still running in the background: {pid} sh -c touch up; sleep 300" in outcome.output
    kill_all(running)
    await call("bash", command="true")


async def test_a_background_process_may_go_on_printing(folder: Path, call: Call) -> None:
    command = "(while [ ! -e stop ]; do echo printing || exit; done; touch survived) & echo $! > pid"
    await call("bash", command=command)
    printing = psutil.Process(int((folder / "pid").read_text()))
    (folder / "stop").touch()
    await trio.to_thread.run_sync(printing.wait)

    assert (folder / "survived").exists()


async def test_a_very_long_command_runs_like_any_other(call: Call) -> None:
    text = "x" * 300_000

    outcome = await call("bash", command=f": {text}; echo $0; cat; false; printf '%s' {text} | wc -c; exit 3")

    assert outcome.output.split()[1:] == ["300000", "[exit", "3]"]


async def test_a_command_beyond_a_megabyte_is_an_ordinary_error(call: Call) -> None:
    assert (await call("bash", command="#" * (limits.BASH_COMMAND_CHARS + 1))).failed


async def test_the_reason_is_shown_as_the_models_own_words() -> None:
    preview = shell_command.preview(Bash(command="pip install x\ntrue", network=True, why="tests need x"), NOWHERE)

    assert preview == Preview(
        title="pip install x ...", detail="pip install x\ntrue\n\nThe model says why: tests need x"
    )


async def test_a_cancel_ends_the_whole_tree(worker: Worker, running: Running) -> None:
    await run_until_started(worker, TREE)

    assert running() == {}


async def test_a_cancel_spares_what_an_earlier_call_left(worker: Worker, call: Call, running: Running) -> None:
    earlier = await call("bash", command=EARLIER)
    before = running()

    await run_until_started(worker, TREE)

    assert len(before) == 2
    assert running().keys() == before.keys()  # the one with `exec` may not have come to it before
    assert "still running" in earlier.output
    kill_all(running)
    await call("bash", command="true")


async def test_what_takes_longer_than_it_may_is_ended_with_its_whole_tree(call: Call, running: Running) -> None:
    outcome = await call("bash", command=f"echo said; {TREE}", timeout_s=2)

    assert running() == {}
    assert outcome.failed
    assert outcome.output.startswith("said\n")
    assert "\n[timed out after 2 s: it was ended with all it had started. background=true" in outcome.output
    assert outcome.summary == "timed out after 2 s"


async def test_calls_run_side_by_side(folder: Path, call: Call) -> None:
    """Each waits for the other: one after the other they would never end."""
    (folder / "meet.sh").write_text("touch $1; until [ -e $2 ]; do sleep 0.01; done; echo met\n")
    outcomes = []

    async def meet(mine: str, theirs: str) -> None:
        outcomes.append((await call("bash", command=f"bash meet.sh {mine} {theirs}", timeout_s=20)).output)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(meet, "a", "b")
        nursery.start_soon(meet, "b", "a")

    assert outcomes == ["met", "met"]


async def run_until_started(worker: Worker, command: str) -> None:
    """Run it, and cancel it once it has said "started"."""
    async with trio.open_nursery() as nursery:

        async def report(text: str) -> None:
            if "started" in text:
                nursery.cancel_scope.cancel()

        nursery.start_soon(partial(run, Bash(command=command), worker, report))
