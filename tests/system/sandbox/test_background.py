"""Background jobs and the git tools in a real sandbox, at each level and as each user that this machine has."""

import re
import sys
from collections.abc import Iterator

import psutil
import pytest

from actors.messages.tool import Grant
from tests.processes import lives
from tests.system.harness import BOUND_S, until
from tests.system.sandbox.boxes import PYTHON, Box, boxes, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]
SERVER = f"""{PYTHON} -u -c "
import socket
server = socket.create_server(('127.0.0.1', 0))
print('serving on', server.getsockname()[1])
while True: server.accept()[0].sendall(b'hello')
" """
CLIENT = """{python} -c "
import socket
print(socket.create_connection(('127.0.0.1', {port})).recv(5))
" """


@pytest.fixture(params=boxes())
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    with opened(*request.param) as box:
        yield box


def call(box: Box, name: str, **arguments: object) -> str:
    return box.worker.call(name, Grant(paths=(str(box.workspace),)), **arguments).output


def job_of(output: str) -> str:
    found = re.search(r"job-[0-9a-f]{6}", output)
    assert found, output
    return found[0]


def below(box: Box) -> list[psutil.Process]:
    return psutil.Process(int(box.worker.worker)).children(recursive=True)


def test_a_server_is_reached_by_other_commands_and_ends_when_told(box: Box) -> None:
    if not box.masked:
        pytest.skip("there is not even a loopback at this level")
    job = job_of(call(box, "bash_background", command=SERVER))
    served = call(box, "bash_output", job=job, offset=0, wait_s=60, filter="serving on")
    port = served.split()[2]

    client = box.bash(CLIENT.format(python=PYTHON, port=port))
    ended = call(box, "bash_kill", job=job)

    assert f"listening on port {port} (of the sandbox, not of this machine)" in served
    assert client.output == "b'hello'"
    assert "was ended after" in ended
    # the wrapper of the client may be just about to leave
    until(lambda: not any(map(lives, below(box))))


def test_a_command_that_takes_too_long_goes_on(box: Box) -> None:
    command = "until [ -e go ]; do sleep 0.01; done; echo gone on"
    job = job_of(call(box, "bash", command=command, timeout_s=1, background=True))
    box.bash("touch go")

    assert call(box, "bash_output", job=job, wait_s=60).startswith("gone on\n[")


def test_jobs_end_with_the_worker(box: Box) -> None:
    job = job_of(call(box, "bash_background", command="(setsid sleep 300 &); echo begun; sleep 300"))
    call(box, "bash_output", job=job, offset=0, wait_s=60, filter="begun")
    running = below(box)

    box.worker.socket.close()

    assert len(running) >= 2
    assert psutil.wait_procs(running, timeout=BOUND_S)[1] == []


def test_git_is_looked_at(box: Box) -> None:
    box.bash("echo text > a.txt && git add a.txt")

    assert call(box, "git_status").endswith("\nA  a.txt")
    assert call(box, "git_diff", staged=True).endswith("+text\n")


def test_a_very_long_command_runs(box: Box) -> None:
    assert box.bash(f": {'x' * 300_000}; echo $((1 + 1))").output == "2"
