"""Before the heavy imports: the first frame; right after them: the zygote, and from it the actor that takes longest.

The providers actor imports httpx on the second core while this process reads arguments and files and starts the rest.
"""

import gc
import os
import socket
import sys

TYPE_CHECKING = False  # importing typing costs as much as the first frame
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from supervisor.process.spawner import Spawner
    from supervisor.terminal import Terminal
    from ui.boot import Saved

COMMANDS = frozenset({"auth", "batch", "demo", "doctor", "models", "permissions", "sessions", "tools", "top"})
WITHOUT_MODELS = frozenset({"permissions", "sessions", "tools"})
FRONTS = {
    "batch": "ui.batch",
    "doctor": "ui.doctor_cli",
    "models": "ui.models_cli",
    "permissions": "ui.permissions_cli",
    "sessions": "ui.sessions_cli",
    "tools": "ui.tools_cli",
}
"""Modules of commands whose zygote is forked at once: later it would know the secrets of the config."""


class Launch:
    """What the first lines of the program have prepared for the rest."""

    def __init__(self, file: str) -> None:
        self.file = file
        """A fresh interpreter that runs it becomes what it is told to."""
        self.spawner: Spawner | None = None
        """With a zygote, when it was clear early that one is needed."""
        self.run_id = os.urandom(6).hex()
        self.saved: Saved | None = None
        self.terminal: Terminal | None = None

    def paint(self, cwd: str) -> "Saved | None":
        """The first frame, once; None where there can be no screen."""
        if self.saved is not None:
            return self.saved
        from actors.version import VERSION
        from supervisor.terminal import Terminal
        from ui import boot

        home = os.environ.get("TROUPER_HOME") or os.path.expanduser("~/.trouper")
        path = os.path.join(os.path.abspath(home), "run", f"{self.run_id}.screen")
        self.saved = boot.start(VERSION, cwd, path)
        if self.saved is not None:
            self.terminal = Terminal(self.saved.attributes, path)
        return self.saved

    def become(self, arguments: "Sequence[str]") -> "NoReturn":
        """The same program with other arguments, in our place. What was forked early ends with its socket."""
        os.execv(sys.executable, [sys.executable, "-P", self.file, *arguments])  # noqa: S606  # ourselves

    def give_terminal_back(self) -> None:
        if self.terminal is not None:
            self.terminal.restore(dead=False)
            self.terminal = None


def main(file: str) -> int:
    """Returns the exit code."""
    gc.disable()  # until everything is imported: a collection would look through it all, again and again
    arguments = sys.argv[1:]
    if arguments and arguments[0].startswith("--become="):
        return _become(arguments)
    launch = Launch(file)
    try:
        prepare(arguments, launch)
        from ui.cli import run

        return run(arguments, launch)
    finally:
        launch.give_terminal_back()


def prepare(arguments: list[str], launch: Launch) -> None:
    """What can be done before the arguments are understood; a wrong guess costs time and nothing else."""
    command = arguments[0] if arguments and arguments[0] in COMMANDS else ""
    if {"-h", "--help", "--version"}.intersection(arguments) or command in {"auth", "top"}:
        return
    headless = any(map(_asks_headless, arguments))
    if not command and not headless:
        from ui.arguments import main_parser
        from ui.meant import doubtful

        options = main_parser().parse_args(arguments)
        headless = options.headless is not None
        if not headless and not doubtful(options.prompt):
            launch.paint(os.path.abspath(options.cwd or os.curdir))
    if spawn_way() == "fork":
        from supervisor.process.spawner import Spawner
        from supervisor.tree import MODULES

        front = FRONTS.get(command, "ui.headless" if headless else "ui.app")
        launch.spawner = Spawner("fork", launch.file, [*MODULES, front])
        scripted = command == "demo" or any("scripted:" in argument for argument in arguments)
        modules = ["actors.providers.actor", *([] if scripted else ["actors.providers.http.exchange"])]
        launch.spawner.fork_zygote("" if command in WITHOUT_MODELS else "providers", modules)


def _asks_headless(argument: str) -> bool:
    """-p, --print, --pr, -cp: without argparse, which takes longer than the first frame."""
    return argument.startswith(("--p", "-p", "-cp"))


def spawn_way() -> str:
    """How actors are started: TROUPER_SPAWN, else fork on Linux and a fresh interpreter elsewhere."""
    return os.environ.get("TROUPER_SPAWN") or ("fork" if sys.platform == "linux" else "exec")


def _become(arguments: list[str]) -> int:
    """--become=actor FD SUPERVISOR, or --become=zygote FD SUPERVISOR MODULE...: what the supervisor starts afresh."""
    end = socket.socket(fileno=int(arguments[1]))
    if arguments[0] == "--become=zygote":
        from supervisor.process import zygote

        zygote.serve(end, int(arguments[2]), arguments[3:])
        return 0
    from supervisor.process.host import become_actor

    gc.enable()
    os._exit(become_actor(end))
