"""In a process of its own: sets up a sandbox around itself, as tool workers have it, and becomes one MCP server in it.

The guardian above us (see the sandbox) ends all of it once the lifeline is closed, so a server does not survive the
actor that wanted it, however that ends.
"""

import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NoReturn

from actors.confinement.errors import ToolFailed
from actors.confinement.hidden_files import Followed
from actors.confinement.processes import start_report
from actors.confinement.processes.process_trees import Confinement
from actors.confinement.sandbox import environment, guardian, setup
from actors.confinement.sandbox.view import file_view
from actors.mcp.process.order import NOT_SET_UP, Order, received
from actors.messages.tool import Grant

UNIGNORED = (signal.SIGPIPE, signal.SIGXFSZ)
"""What Python ignores, and so would the server."""


def main(lifeline: socket.socket, streams: list[int]) -> NoReturn:
    """In a fresh process. streams: to be its stdin, stdout and stderr, and where it is said that it was reached."""
    stdin, stdout, stderr, reached = streams
    os.dup2(stderr, 2)
    try:
        order = received(lifeline)
        setup.prepare(order.settings, lifeline.fileno())  # the guardian keeps stdin and stdout from nobody
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        _become(order, setup.commands(order.settings, Followed()), reached)
    except (OSError, ToolFailed) as error:
        print(f"trouper: the server could not be started: {error}", file=sys.stderr, flush=True)  # noqa: T201
    except BaseException:  # noqa: BLE001  # the last words of a process that ends now, in its log
        sys.excepthook(*sys.exc_info())
    os._exit(NOT_SET_UP)


def _become(order: Order, confinement: Confinement | None, reached: int) -> None:
    """Comes back only by raising ToolFailed or OSError."""
    grant = Grant(network=order.network)
    seen = {**environment.for_commands(os.environ, network=order.network), **order.environment}
    looks = order.sandboxed and not file_view.writes_workspace(order.settings)
    confined = (
        nullcontext((order.argv, ()))
        if confinement is None
        else confinement.wrapped(order.argv, Path(order.cwd), grant, reached, looks=looks)
    )
    with confined as (argv, descriptors):

        def become() -> None:
            _run(argv, order.cwd, seen, descriptors)

        for each in UNIGNORED:
            signal.signal(each, signal.SIG_DFL)
        if confinement is None or not confinement.reports:
            os.write(reached, start_report.STARTED)
        become() if confinement is None else confinement.run(become, grant)


def _run(argv: Sequence[str], cwd: str, environment: dict[str, str], descriptors: Sequence[int]) -> NoReturn:
    """In the thread that has the network it may have. Raises OSError."""
    os.chdir(cwd)
    os.setsid()
    for descriptor in descriptors:
        os.set_inheritable(descriptor, True)
    guardian.die_with(os.getppid())  # once more: it is of a thread
    os.execve(argv[0], list(argv), environment)  # noqa: S606  # what we are for
