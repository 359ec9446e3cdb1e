"""Attacks on the sandbox, which all have to fail, and everyday jobs, which all have to work, by real processes."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.actors.tools.sandboxed import Sandboxed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]
PYTHON = sys.executable


@dataclass(frozen=True)
class Place:
    """A home with secrets, a workspace beside it, and a worker that may only change the workspace."""

    home: Path
    workspace: Path
    worker: Sandboxed
    isolated: bool
    """It has namespaces of its own."""

    def outside(self) -> dict[str, str]:
        """All files but the workspace's and the worker's own."""
        top = self.home.parent
        files = [path for path in top.rglob("*") if path.is_file() and not path.is_relative_to(self.workspace)]
        return {str(path): path.read_text() for path in files if "trouper-" not in str(path)}


@pytest.fixture(scope="module", params=["own namespaces", "no namespaces"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    top = tmp_path_factory.mktemp("sandbox").resolve()
    home, workspace, temporary = top / "home", top / "workspace", top / "tmp"
    for folder in (home / ".ssh", home / ".trouper", workspace / ".git" / "hooks", temporary / f"tmux-{os.getuid()}"):
        folder.mkdir(parents=True)
    for name in (".ssh/id", ".netrc", ".trouper/trouper.db", ".bashrc", "notes.txt"):
        (home / name).write_text("private")
    environment = {"HOME": str(home), "TMPDIR": str(temporary), "OPENAI_API_KEY": "hunter2"}
    isolated = request.param == "own namespaces"
    with Sandboxed(workspace, home / ".trouper", namespaces=isolated, environment=environment) as worker:
        if isolated and "network of its own" not in worker.level:
            pytest.skip("this system has no namespaces for us")
        if worker.level.startswith("none"):
            pytest.skip("this kernel has no Landlock")
        yield Place(home, workspace, worker, isolated)


PTRACE = "import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(16, {pid}, 0, 0) == -1)"
TIOCSTI = "import fcntl, os, termios; fcntl.ioctl(os.openpty()[1], termios.TIOCSTI, b'x')"
IO_URING = "import ctypes as c, sys; c.CDLL(None, use_errno=True).syscall(425, 1, 0); sys.exit(c.get_errno() == 1)"
TRUNCATING_OPEN = "import os; os.open('{home}/notes.txt', os.O_RDONLY | os.O_TRUNC)"
ATTACKS = {
    "write outside": "echo x > {home}/new.txt",
    "write outside by ..": "echo x > ../home/new.txt",
    "write through a symlink": "ln -sf {home}/.bashrc link; echo x > link",
    "write through /proc/self/root": "echo x > /proc/self/root{home}/.bashrc",
    "write through /proc/self/cwd": "echo x > /proc/self/cwd/../home/.bashrc",
    "append to .bashrc": "echo x >> ~/.bashrc",
    "move a file in": "mv {home}/notes.txt stolen.txt",
    "move a file out": "echo x > mine; mv mine {home}/mine",
    "hardlink and write": "ln {home}/notes.txt hard && echo x >> hard",
    "truncate": "truncate -s 0 {home}/notes.txt",
    "truncate by opening": PYTHON + ' -c "' + TRUNCATING_OPEN + '"',
    "delete": "rm -f {home}/notes.txt",
    "make a folder": "mkdir {home}/folder",
    "write to /tmp": "echo x > /tmp/trouper-attack",
    "read a key": "grep -r private ~/.ssh/id",
    "read .netrc": "grep private ~/.netrc",
    "read a key through a symlink": "ln -sf ~/.ssh keys; grep private keys/id",
    "hardlink a key": "ln ~/.ssh/id key && grep private key",
    "read our own state": "grep private ~/.trouper/trouper.db",
    "write our own state": "echo x > ~/.trouper/trouper.db",
    "connect by TCP": PYTHON + " -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2)\"",
    "send by UDP": PYTHON + " -c \"import socket; socket.socket(2, 2).sendto(b'x', ('192.0.2.1', 53))\"",
    "packet socket": PYTHON + ' -c "import socket; socket.socket(17, 3)"',
    "vsock": PYTHON + ' -c "import socket; socket.socket(40, 1)"',
    "abstract socket": PYTHON + " -c \"import socket; socket.socket(1).connect('\\0trouper-{pid}')\"",
    "signal another process": "kill -0 {pid}",
    "ptrace another process": PYTHON + ' -c "' + PTRACE + '"',
    "read another's environment": "cat /proc/{pid}/environ | grep -a .",
    "read another's memory": "head -c 1 /proc/{pid}/mem; exec 3<>/proc/{pid}/mem",
    "read the worker's environment": "cat /proc/{worker}/environ | grep -a .",
    "write the worker's memory": "exec 3<>/proc/{worker}/mem",
    "read the guardian's environment": "cat /proc/{guardian}/environ | grep -a .",
    "end the guardian": "kill -9 {guardian}",
    "keys in our environment": "env | grep hunter2",
    "mount": "mount -t tmpfs none {workspace}",
    "user namespace": "unshare -r true",
    "network namespace": "unshare -n true",
    "enter a namespace": "nsenter --net=/proc/{pid}/ns/net true",
    "block device": "mknod disk b 8 0",
    "character device": "mknod memory c 1 1",
    "type into a terminal": PYTHON + ' -c "' + TIOCSTI + '"',
    "io_uring": PYTHON + ' -c "' + IO_URING + '"',
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_fails(place: Place, name: str) -> None:
    before = place.outside()
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind(f"\0trouper-{os.getpid()}")
        abstract.listen()
        command = ATTACKS[name].format(
            home=place.home,
            workspace=place.workspace,
            port=tcp.getsockname()[1],
            pid=os.getpid(),
            worker=place.worker.worker,
            guardian=place.worker.guardian.pid,
        )

        outcome = place.worker.bash(command)

    assert outcome.failed, outcome.output
    assert place.outside() == before
    assert not Path("/tmp/trouper-attack").exists()


@pytest.mark.parametrize(
    "command",
    ["echo x > .git/hooks/pre-commit", "echo x > ~/../tmp/tmux-*/x", "grep -q . ~/.ssh/* ~/.trouper/*"],
)
def test_what_only_a_mount_namespace_can_close_is_closed_there(place: Place, command: str) -> None:
    if not place.isolated:
        pytest.skip("Landlock alone cannot")

    outcome = place.worker.bash(command)

    assert outcome.failed, outcome.output


def test_another_programs_socket_is_out_of_sight(place: Place) -> None:
    if not place.isolated:
        pytest.skip("Landlock alone cannot")
    path = place.home.parent / "tmp" / f"tmux-{os.getuid()}" / "default"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        outcome = place.worker.bash(f"{PYTHON} -c \"import socket; socket.socket(1).connect('{path}')\"")

    path.unlink()
    assert outcome.failed, outcome.output


SERVER = """
import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/").status)
"""
SIGNALS = """
import signal, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "print(1, flush=True); input()"], stdin=-1, stdout=-1, stderr=-3)
child.stdout.readline()
child.send_signal(signal.SIGINT)
sys.exit(child.wait() != -signal.SIGINT)
"""
SQLITE = """
import sqlite3
connection = sqlite3.connect('x.db')
connection.execute('pragma journal_mode=wal')
connection.execute('create table if not exists t(a)')
"""
MULTIPROCESSING = """
import multiprocessing
queue, lock = multiprocessing.Queue(), multiprocessing.Lock()
process = multiprocessing.Process(target=queue.put, args=(1,))
process.start()
queue.get()
process.join()
"""
JOBS = {
    "write in the workspace": "mkdir -p a/b && echo x > a/b/c && rm -r a",
    "git": "git init -q repo && cd repo && touch a && git add a && git -c user.name=a -c user.email=a@b commit -qm x "
    "&& git checkout -qb other && git config core.x y && git log --oneline",
    "pytest": "printf 'def test_a(tmp_path):\\n    (tmp_path / \"x\").touch()\\n' > test_a.py && "
    + PYTHON
    + " -m pytest -q -p no:cacheprovider test_a.py",
    "venv": PYTHON + " -m venv --without-pip venv && venv/bin/python -c 'print(1)'",
    "sqlite": f'{PYTHON} -c "{SQLITE}"',
    "multiprocessing": f"{PYTHON} -c '{MULTIPROCESSING}'",
    "openpty": PYTHON + " -c \"import os, pty; os.write(os.openpty()[0], b'x'); pty.spawn(['true'])\"",
    "asyncio": PYTHON + " -c 'import asyncio; asyncio.run(asyncio.sleep(0))'",
    "trio": PYTHON + " -c 'import trio; trio.run(trio.sleep, 0)'",
    "unix socket of its own": PYTHON
    + " -c \"import socket; s = socket.socket(1); s.bind('s.sock'); s.listen()\"; rm s.sock",
    "mktemp and sort": "seq 10000 | sort -S 1K | tail -1 && mktemp",
    "here document": "cat << END\nx\nEND",
    "devices": "echo x > /dev/null; head -c 1 /dev/urandom > /dev/null; echo x > /dev/stdout; echo x | tee /dev/stderr",
    "processes of its own": "sleep 100 & kill %1",
    "signals": PYTHON + f" -c '{SIGNALS}'",
    "look around": "ls / ~ /etc /proc > /dev/null; cat ~/notes.txt",
    "who am I": "id -un && ps -p $$ > /dev/null",
}


@pytest.mark.parametrize("name", JOBS)
def test_an_everyday_job_works(place: Place, name: str) -> None:
    outcome = place.worker.bash(JOBS[name])

    assert not outcome.failed, outcome.output


def test_a_server_on_loopback_works_in_a_network_of_its_own(place: Place) -> None:
    if not place.isolated:
        pytest.skip("without one there is no network at all")

    outcome = place.worker.bash(f"{PYTHON} -c '{SERVER}'")

    assert outcome.output.splitlines()[-1] == "200"


THREAD = """
import sys, threading
thread = threading.Thread(target=open, args=(sys.argv[1], 'w'))
thread.start()
thread.join()
"""


def test_a_thread_is_confined_too(place: Place) -> None:
    """Landlock holds for the thread that called it and what that starts later: all of ours."""
    before = place.outside()

    outcome = place.worker.bash(f'{PYTHON} -c "{THREAD}" {place.home}/x')

    assert "PermissionError" in outcome.output
    assert place.outside() == before


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


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Sandboxed]:
    (tmp_path / "work").mkdir()
    (tmp_path / "tmp").mkdir()
    environment = {"TMPDIR": str(tmp_path / "tmp")}
    with Sandboxed(tmp_path / "work", tmp_path / "home", environment=environment) as worker:
        yield worker


def strays_of(worker: Sandboxed) -> list[psutil.Process]:
    """Four that run in the background, each got away in another manner; and the worker itself."""
    lines = worker.bash(STRAYS).output.splitlines()
    pids = [int(line) for line in lines if line.isdecimal()]
    assert len(pids) == 4
    return [psutil.Process(pid) for pid in (*pids, int(worker.worker))]


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

    with Sandboxed(tmp_path / "work", tmp_path / "home", environment={"TMPDIR": str(tmp_path / "tmp")}) as another:
        folders = list(Path(another.temporary).parent.iterdir())

    assert left_behind
    assert folders == [Path(another.temporary)]


SUPERVISOR = """
import json, sys
from pathlib import Path
from tests.actors.tools.sandboxed import Sandboxed
top = Path(sys.argv[1])
worker = Sandboxed(top / "work", top / "home", environment={"TMPDIR": str(top / "tmp")})
print(json.dumps([worker.worker, worker.guardian.pid, worker.bash(sys.argv[2]).output]), flush=True)
worker.bash("(setsid sleep 300 &); sleep 300")
"""


def test_a_killed_supervisor_takes_everything_with_it(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "tmp").mkdir()
    root = Path(__file__).parent.parent.parent
    command = [PYTHON, "-c", SUPERVISOR, str(tmp_path), STRAYS]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    ) as it:
        assert it.stdout is not None
        worker, guardian, output = json.loads(it.stdout.readline())
        pids = [int(line) for line in output.splitlines() if line.isdecimal()]
        processes = [psutil.Process(int(pid)) for pid in (*pids, worker, guardian)]

        it.kill()

    assert psutil.wait_procs(processes, timeout=10)[1] == []
    assert list((tmp_path / "tmp").rglob("*/*")) == []
