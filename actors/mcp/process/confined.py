"""A program of its own: sets up a sandbox around itself, as tool workers have it, and starts one MCP server in it.

The server has our stdin, stdout and stderr. The guardian above us (see the sandbox) ends all of them once the socket is
closed, so a server does not survive the actor that wanted it, however that ends.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from actors.mcp.process.order import NOT_SET_UP, Order, received
from actors.messages.tool import Grant
from actors.tools.errors import ToolFailed
from actors.tools.processes.process_trees import Confinement
from actors.tools.processes.start_report import STATUS_BYTES, has_started
from actors.tools.sandbox import environment, levels, setup
from actors.tools.sandbox.view import file_view
from actors.tools.workspace.hidden_files import Followed

START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from actors.mcp.process import confined; confined.main()"
PACKAGES = Path(__file__).parents[3]


def command(lifeline: int) -> list[str]:
    """What starts it. lifeline: the descriptor of the socket, which it inherits."""
    return [sys.executable, "-I", "-B", "-c", START, str(PACKAGES), str(lifeline)]


def main() -> None:
    lifeline = socket.socket(fileno=int(sys.argv[1]))
    order = received(lifeline)
    setup.prepare(order.settings, lifeline.fileno())
    confinement = setup.commands(order.settings, Followed())
    try:
        code = _run(order, confinement)
    except (OSError, ToolFailed) as error:
        print(f"trouper: the server could not be started: {error}", file=sys.stderr, flush=True)  # noqa: T201
        code = NOT_SET_UP
    os._exit(code if code >= 0 else 128 - code)


def _run(order: Order, confinement: Confinement | None) -> int:
    grant = Grant(network=order.network)
    seen = {**environment.for_commands(os.environ, network=order.network), **order.environment}
    looks = order.sandboxed and not file_view.writes_workspace(order.settings)
    told, status = os.pipe()
    confined = (
        nullcontext((order.argv, ()))
        if confinement is None
        else confinement.wrapped(order.argv, Path(order.cwd), grant, status, looks=looks)
    )
    with confined as (argv, descriptors):

        def start(argv: Sequence[str] = argv, descriptors: tuple[int, ...] = descriptors) -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                argv, cwd=order.cwd, env=seen, pass_fds=descriptors, start_new_session=True, close_fds=True
            )

        server = start() if confinement is None else confinement.run(start, grant)
    os.close(status)
    for stream in (0, 1):
        os.close(stream)  # its end is the server's to give
    code = server.wait()
    if confinement is not None and confinement.reports and not _was_reached(told, code):
        print(f"trouper: the sandbox could not be set up ({levels.reached()})", file=sys.stderr, flush=True)  # noqa: T201
        return NOT_SET_UP
    return code


def _was_reached(told: int, code: int) -> bool:
    os.set_blocking(told, False)
    try:
        reported = os.read(told, STATUS_BYTES)
    except BlockingIOError:  # what the server left behind holds it
        reported = b""
    return code <= 0 or has_started(reported)
