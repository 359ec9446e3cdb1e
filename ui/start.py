"""Before the heavy imports: fork the actor whose own imports take longest, and paint the first frame.

The providers actor imports httpx on the second core while this process imports trio and starts the rest.
"""

import os
import signal
import socket
import sys

TYPE_CHECKING = False  # importing typing here would delay the fork
if TYPE_CHECKING:
    from supervisor.terminal import Terminal
    from ui.boot import Saved

    Early = dict[str, tuple[int, socket.socket]]

COMMANDS = frozenset({"batch", "demo", "sessions", "tools", "top"})
ASKING = frozenset({"batch", "demo"})
"""Commands that ask a model."""


class Launch:
    """What the first lines of the program have prepared for the rest."""

    def __init__(self, file: str, early: "Early") -> None:
        self.file = file
        """A fresh interpreter that runs it becomes what it is told to."""
        self.early = early
        """Actors forked already: pid, and our end of the socket."""
        self.run_id = os.urandom(6).hex()
        self.saved: Saved | None = None
        self.terminal: Terminal | None = None

    def paint(self, cwd: str) -> bool:
        """The first frame; False where there can be no screen."""
        from supervisor.terminal import Terminal
        from ui import boot
        from ui.version import VERSION

        home = os.environ.get("TROUPER_HOME") or os.path.expanduser("~/.trouper")
        path = os.path.join(os.path.abspath(home), "run", f"{self.run_id}.screen")
        self.saved = boot.start(VERSION, cwd, path)
        if self.saved is not None:
            self.terminal = Terminal(self.saved.attributes, path)
        return self.saved is not None

    def give_terminal_back(self) -> None:
        if self.terminal is not None:
            self.terminal.restore(dead=False)
            self.terminal = None


def main(file: str) -> int:
    """Returns the exit code."""
    arguments = sys.argv[1:]
    if arguments and arguments[0].startswith("--become="):
        return _become(arguments)
    command = arguments[0] if arguments and arguments[0] in COMMANDS else ""
    asks = command in ASKING or (not command and not {"-h", "--help", "--version"}.intersection(arguments))
    launch = Launch(file, _fork_providers(arguments) if asks else {})
    if not command:
        from ui.arguments import main_parser

        options = main_parser().parse_args(arguments)
        if options.headless is None:
            launch.paint(os.path.abspath(options.cwd or os.curdir))
    from ui.cli import run

    try:
        return run(arguments, launch)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    finally:
        launch.give_terminal_back()


def spawn_way() -> str:
    """How actors are started: TROUPER_SPAWN, else fork on Linux and a fresh interpreter elsewhere."""
    return os.environ.get("TROUPER_SPAWN") or ("fork" if sys.platform == "linux" else "exec")


def _fork_providers(arguments: list[str]) -> "Early":
    if spawn_way() != "fork":
        return {}
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid:
        theirs.close()
        ours.setblocking(False)
        return {"providers": (pid, ours)}
    ours.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from supervisor.host import become_actor, warm

    scripted = "demo" in arguments[:1] or any("scripted:" in argument for argument in arguments)
    warm(["actors.providers.actor"] if scripted else ["httpx", "actors.providers.actor"])
    os._exit(become_actor(theirs))


def _become(arguments: list[str]) -> int:
    """--become=actor FD SUPERVISOR, or --become=zygote FD SUPERVISOR MODULE...: what the supervisor starts afresh."""
    end = socket.socket(fileno=int(arguments[1]))
    if arguments[0] == "--become=zygote":
        from supervisor import zygote

        zygote.serve(end, int(arguments[2]), arguments[3:])
        return 0
    from supervisor.host import become_actor

    os._exit(become_actor(end))
