"""How a worker ends, and that nothing it has started is left then, at each level of the sandbox."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from actors.settings.config import SandboxChoice
from tests import ROOT
from tests.actors.tools.sandboxed import Sandboxed, confined_to
from tests.system.harness import BOUND_S, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]
PYTHON = sys.executable


DAEMON = """
import os
os.fork() and os._exit(0)
os.setsid()
os.fork() and os._exit(0)
print(os.getpid(), flush=True)
os.execlp('sleep', 'sleep', '300')
"""
STRAYS = f"""
(setsid sleep 300 & echo $!)
nohup sleep 300 > /dev/null 2>&1 & echo $!
env -i sleep 300 & echo $!
{PYTHON} -c "{DAEMON}" | head -1
"""


@pytest.fixture(params=["bubblewrap", "namespaces", "landlock", "none"])
def level(request: pytest.FixtureRequest) -> SandboxChoice:
    chosen: SandboxChoice = request.param
    return chosen


@pytest.fixture
def lone(tmp_path: Path, level: SandboxChoice) -> Iterator[Sandboxed]:
    (tmp_path / "work").mkdir()
    (tmp_path / "tmp").mkdir()
    environment = {"TMPDIR": str(tmp_path / "tmp")}
    with Sandboxed(confined_to(tmp_path / "work", tmp_path / "home", level), environment=environment) as worker:
        if worker.level != level:
            pytest.skip(f"this system has only {worker.detail}")
        yield worker


def is_sleep(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.name() == "sleep"
    return False


def strays_of(worker: Sandboxed) -> list[psutil.Process]:
    """Four that run in the background, each got away in another manner; and the worker itself."""
    lines = worker.bash(STRAYS).output.splitlines()
    assert len([line for line in lines if line.isdecimal()]) == 4
    # in a sandbox the ids that they know are others; and who has said its id may not be a sleep yet
    itself = psutil.Process(int(worker.worker))
    until(lambda: sum(map(is_sleep, itself.children(recursive=True))) == 4)
    return [*itself.children(recursive=True), itself]


def test_when_the_supervisor_is_gone_nothing_is_left(lone: Sandboxed) -> None:
    strays = strays_of(lone)

    lone.socket.close()

    assert psutil.wait_procs(strays, timeout=BOUND_S)[1] == []
    assert lone.guardian.wait(BOUND_S) == 128 + signal.SIGKILL
    assert not Path(lone.temporary).exists()


def test_when_the_worker_is_killed_nothing_is_left(lone: Sandboxed) -> None:
    strays = strays_of(lone)

    os.kill(int(lone.worker), signal.SIGKILL)

    assert lone.guardian.wait(BOUND_S) == 128 + signal.SIGKILL
    assert psutil.wait_procs(strays, timeout=BOUND_S)[1] == []


def test_when_the_guardian_is_asked_to_end_nothing_is_left(lone: Sandboxed) -> None:
    strays = strays_of(lone)

    lone.guardian.terminate()

    assert lone.guardian.wait(BOUND_S) == 128 + signal.SIGKILL
    assert psutil.wait_procs(strays, timeout=BOUND_S)[1] == []


def test_a_worker_that_ends_by_itself_leaves_its_exit_code(lone: Sandboxed) -> None:
    strays = strays_of(lone)

    assert lone.guardian.stdin is not None
    lone.guardian.stdin.close()

    assert lone.guardian.wait(BOUND_S) == 0
    assert psutil.wait_procs(strays, timeout=BOUND_S)[1] == []


def test_a_busy_worker_dies_with_its_guardian(lone: Sandboxed) -> None:
    worker = psutil.Process(int(lone.worker))

    lone.guardian.kill()

    assert psutil.wait_procs([worker], timeout=BOUND_S)[1] == []


@pytest.mark.parametrize("dies", ["worker", "guardian"])
def test_what_is_in_the_temporary_folder_outlives_a_death(
    lone: Sandboxed, tmp_path: Path, level: SandboxChoice, dies: str
) -> None:
    worker = psutil.Process(int(lone.worker))
    lone.bash("mkdir $TMPDIR/made && echo kept > $TMPDIR/made/x")
    os.kill(int(lone.worker) if dies == "worker" else lone.guardian.pid, signal.SIGKILL)
    psutil.wait_procs([worker], timeout=BOUND_S)
    lone.guardian.wait(BOUND_S)  # it holds the folder until then

    environment = {"TMPDIR": str(tmp_path / "tmp")}
    settings = confined_to(tmp_path / "work", tmp_path / "home", level)
    with Sandboxed(settings, environment=environment) as next_life:
        found = next_life.bash("cat $TMPDIR/made/x")

    assert found.output == "kept"
    assert next_life.temporary == lone.temporary
    assert not Path(lone.temporary).parent.exists()


SUPERVISOR = """
import json, sys
from pathlib import Path
from tests.actors.tools.sandboxed import Sandboxed, confined_to
from tests.system.harness import until
top = Path(sys.argv[1])
settings = confined_to(top / "work", top / "home", sys.argv[3])
worker = Sandboxed(settings, environment={"TMPDIR": str(top / "tmp")})
worker.bash(sys.argv[2])
print(json.dumps([worker.worker, worker.guardian.pid]), flush=True)
worker.bash("(setsid sleep 300 &); sleep 300")
"""


def test_a_killed_supervisor_takes_everything_with_it(tmp_path: Path, level: SandboxChoice) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "tmp").mkdir()
    root = ROOT
    command = [PYTHON, "-c", SUPERVISOR, str(tmp_path), STRAYS, level]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    ) as it:
        assert it.stdout is not None
        worker, guardian = (psutil.Process(int(pid)) for pid in json.loads(it.stdout.readline()))
        processes = [worker, guardian, *worker.children(recursive=True)]

        it.kill()

    assert psutil.wait_procs(processes, timeout=BOUND_S)[1] == []
    assert list((tmp_path / "tmp").rglob("*/*")) == []


def test_a_command_that_takes_too_long_ends_with_all_it_started(lone: Sandboxed) -> None:
    """At the end of the worker: until then it is a job in the background."""
    lone.bash("(setsid sleep 300 &); sleep 300", timeout_s=1)
    below = psutil.Process(int(lone.worker)).children(recursive=True)

    lone.socket.close()

    assert psutil.wait_procs(below, timeout=BOUND_S)[1] == []
