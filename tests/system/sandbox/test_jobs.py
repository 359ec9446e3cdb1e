"""Everyday jobs, which all have to work in the sandbox, at each level and as each user that this machine has."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.messages.tool import Grant
from tests.system.sandbox.boxes import PYTHON, Box, boxes, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]


@pytest.fixture(scope="module", params=boxes())
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    with opened(*request.param) as box:
        yield box


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
SHARED_MEMORY = """
from multiprocessing.shared_memory import SharedMemory
memory = SharedMemory(create=True, size=4096)
memory.close()
memory.unlink()
"""
PACKAGE = (
    'mkdir -p package/trial && touch package/trial/__init__.py && printf \'[build-system]\\nrequires = ["hatchling"]\\n'
    'build-backend = "hatchling.build"\\n[project]\\nname = "trial"\\nversion = "1"\\n\' > package/pyproject.toml'
)
JOBS = {
    "write in the workspace": "mkdir -p a/b && echo x > a/b/c && rm -r a",
    "git": "git init -q repo && cd repo && touch a && git add a && git -c user.name=a -c user.email=a@b commit -qm x "
    "&& git checkout -qb other && git config core.x y && git log --oneline",
    "git in the workspace": "touch a && git add a && git -c user.name=a -c user.email=a@b commit -qm x "
    "&& git stash list && git checkout -qb other$RANDOM && git gc -q",
    "pytest": "printf 'def test_a(tmp_path):\\n    (tmp_path / \"x\").touch()\\n' > test_a.py && "
    + PYTHON
    + " -m pytest -q -p no:cacheprovider test_a.py",
    "venv": PYTHON + " -m venv --without-pip venv && venv/bin/python -c 'print(1)'",
    "pip install of a local package": f"{PACKAGE} && {PYTHON} -m pip install -q --no-index --no-build-isolation "
    f"--no-deps --target site ./package && test -d site/trial",
    "sqlite": f'{PYTHON} -c "{SQLITE}"',
    "multiprocessing": f"{PYTHON} -c '{MULTIPROCESSING}'",
    "shared memory": f"{PYTHON} -c '{SHARED_MEMORY}'",
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
    "a file with another's owner stays readable": "cat /etc/passwd > /dev/null && test -r /etc/hosts",
}
PROGRAMS = {
    "npm": 'mkdir -p one two && echo \'{"name": "one", "version": "1.0.0"}\' > one/package.json && cd two && '
    'echo \'{"name": "two", "version": "1.0.0"}\' > package.json && '
    "npm install --offline --no-audit --no-fund ../one && test -e node_modules/one",
    "node": 'node -e \'new (require("worker_threads").Worker)("1", {eval: true})\'',
    "gcc": "echo 'int main(void) { return 0; }' > a.c && gcc a.c -o a.out && ./a.out",
    "java": "java -version",
    "make": "printf 'all:\\n\\ttrue\\n' > Makefile && make -j2",
}


@pytest.mark.parametrize("name", JOBS)
def test_an_everyday_job_works(box: Box, name: str) -> None:
    outcome = box.bash(JOBS[name])

    assert not outcome.failed, outcome.output


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_everyday_program_works(box: Box, program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")

    outcome = box.bash(PROGRAMS[program])

    assert not outcome.failed, outcome.output


SERVER = """
import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/").status)
"""
LASTING_SERVER = """
import http.server
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
print(server.server_port, flush=True)
server.serve_forever()
"""
GET = "import sys, urllib.request; print(urllib.request.urlopen(f'http://127.0.0.1:{sys.argv[1]}/').status)"


def test_a_server_on_loopback_works_in_a_network_of_its_own(box: Box) -> None:
    if not box.masked:
        pytest.skip("without one there is no network at all")

    outcome = box.bash(f"{PYTHON} -c '{SERVER}'")

    assert outcome.output.splitlines()[-1] == "200"


def test_a_server_left_in_the_background_is_reached_by_the_next_command(box: Box) -> None:
    if not box.masked:
        pytest.skip("without a network of its own there is none at all")
    started = box.bash(f"{PYTHON} -c '{LASTING_SERVER}' > port 2> /dev/null & until [ -s port ]; do :; done; cat port")
    port = started.output.splitlines()[0]

    outcome = box.bash(f'{PYTHON} -c "{GET}" {port}')

    assert "still running in the background" in started.output
    assert outcome.output == "200"


def test_a_debugger_works_where_a_command_sees_only_its_own_processes(box: Box) -> None:
    if not box.masked or shutil.which("strace") is None:
        pytest.skip("elsewhere a command could look into others")

    outcome = box.bash("strace -o trace true && grep -q execve trace")

    assert not outcome.failed, outcome.output


THREAD = """
import sys, threading
thread = threading.Thread(target=open, args=(sys.argv[1], 'w'))
thread.start()
thread.join()
"""


def test_a_thread_is_confined_too(box: Box) -> None:
    """Landlock holds for the thread that called it and what that starts later: all of ours."""
    before = box.outside()

    outcome = box.bash(f'{PYTHON} -c "{THREAD}" {box.home}/x')

    assert "Error" in outcome.output
    assert box.outside() == before


def test_what_a_rule_hides_is_hidden_and_the_rest_is_there(box: Box) -> None:
    if not box.masked:
        pytest.skip("only namespaces hide files from one command")
    (box.workspace / "src" / "secret.key").write_text("private")
    (box.workspace / "src" / "open.txt").write_text("open\n")
    hidden = Grant(hidden=("**/*.key",))

    seen = box.bash("cat src/open.txt; cat src/secret.key", hidden)
    unhidden = box.bash("cat src/secret.key")

    assert seen.output.splitlines()[0] == "open"
    assert seen.failed
    assert unhidden.output == "private"


def test_what_another_session_has_for_temporary_files_is_not_seen(box: Box) -> None:
    own = Path(box.worker.temporary)
    others = own.parent.parent / "other" / own.name
    others.mkdir(parents=True)
    (others / "notes").write_text("private")

    seen = box.bash(f"cat {others}/notes; ls -R {own.parent.parent}; echo kept > {own}/kept && cat {own}/kept")

    assert "private" not in seen.output
    assert "kept" in seen.output
