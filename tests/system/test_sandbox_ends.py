"""How a worker ends, and that nothing it has started is left then, at each level of the sandbox."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from actors.config import SandboxChoice
from tests.actors.tools.sandboxed import Sandboxed, confined_to

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


@pytest.fixture(params=["bubblewrap", "landlock", "none"])
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


def strays_of(worker: Sandboxed) -> list[psutil.Process]:
    """Four that run in the background, each got away in another manner; and the worker itself."""
    lines = worker.bash(STRAYS).output.splitlines()
    assert len([line for line in lines if line.isdecimal()]) == 4
    # in a sandbox the ids that they know are others
    below = psutil.Process(int(worker.worker)).children(recursive=True)
    sleeping = [process for process in below if process.name() == "sleep"]
    assert len(sleeping) == 4
    return [*below, psutil.Process(int(worker.worker))]


def test_when_the_supervisor_is_gone_nothing_is_left(lone: Sandboxed) -> None:
    strays = strays_of(lone)

    lone.socket.close()

    assert psutil.wait_procs(strays, timeout=10)[1] == []
    assert lone.guardian.wait(10) == 128 + signal.SIGKILL
    assert not Path(lone.temporary).exists()


def test_when_the_worker_is_killed_nothing_is_left(lone: Sandboxed) -> None:
    strays = strays_of(lone)

    os.kill(int(lone.worker), signal.SIGKILL)

    assert lone.guardian.wait(10) == 128 + signal.SIGKILL
    assert psutil.wait_procs(strays, timeout=10)[1] == []
    assert not Path(lone.temporary).exists()


def test_when_the_guardian_is_asked_to_end_nothing_is_left(lone: Sandboxed) -> None:
    strays = strays_of(lone)

    lone.guardian.terminate()

    assert lone.guardian.wait(10) == 128 + signal.SIGKILL
    assert psutil.wait_procs(strays, timeout=10)[1] == []


def test_a_worker_that_ends_by_itself_leaves_its_exit_code(lone: Sandboxed) -> None:
    strays = strays_of(lone)

    assert lone.guardian.stdin is not None
    lone.guardian.stdin.close()

    assert lone.guardian.wait(10) == 0
    assert psutil.wait_procs(strays, timeout=10)[1] == []


def test_a_busy_worker_dies_with_its_guardian(lone: Sandboxed) -> None:
    worker = psutil.Process(int(lone.worker))

    lone.guardian.kill()

    assert psutil.wait_procs([worker], timeout=10)[1] == []


def test_the_folder_of_a_killed_guardian_goes_with_the_next_worker(lone: Sandboxed, tmp_path: Path) -> None:
    worker = psutil.Process(int(lone.worker))
    lone.guardian.kill()
    psutil.wait_procs([worker], timeout=10)
    left_behind = Path(lone.temporary).exists()

    with Sandboxed(
        confined_to(tmp_path / "work", tmp_path / "home"), environment={"TMPDIR": str(tmp_path / "tmp")}
    ) as another:
        folders = list(Path(another.temporary).parent.iterdir())

    assert left_behind
    assert folders == [Path(another.temporary)]


SUPERVISOR = """
import json, sys
from pathlib import Path
from tests.actors.tools.sandboxed import Sandboxed, confined_to
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
    root = Path(__file__).parent.parent.parent
    command = [PYTHON, "-c", SUPERVISOR, str(tmp_path), STRAYS, level]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    ) as it:
        assert it.stdout is not None
        worker, guardian = (psutil.Process(int(pid)) for pid in json.loads(it.stdout.readline()))
        processes = [worker, guardian, *worker.children(recursive=True)]

        it.kill()

    assert psutil.wait_procs(processes, timeout=10)[1] == []
    assert list((tmp_path / "tmp").rglob("*/*")) == []


def test_a_command_that_takes_too_long_ends_with_all_it_started(lone: Sandboxed) -> None:
    """At the end of the worker: until then it is a job in the background."""
    lone.bash("(setsid sleep 300 &); sleep 300", timeout_s=1)
    below = psutil.Process(int(lone.worker)).children(recursive=True)

    lone.socket.close()

    assert psutil.wait_procs(below, timeout=10)[1] == []
