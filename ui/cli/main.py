"""Before the heavy imports: the first frame; right after them: the zygote, and from it the actor that takes longest.

The providers actor imports httpcore on the second core while this process reads arguments and files, and starts the
rest.
"""

import gc
import os
import sys

from ui.cli.table import SUBCOMMANDS
from ui.start.launch_state import Launch, spawn_way

FLAGS, NAMING = ("-c", "--continue"), ("--mode", "--model", "--effort")
"""Options that have no say in the first frame; with them, or none at all, most sessions begin."""


def main(file: str) -> int:
    """Returns the exit code."""
    gc.disable()  # until everything is imported: a collection would look through it all, again and again
    arguments = sys.argv[1:]
    if arguments and arguments[0].startswith("--become="):
        return _become(arguments)
    launch = Launch(file)
    try:
        prepare(arguments, launch)
        from ui.cli.dispatch import run

        return run(arguments, launch)
    finally:
        launch.give_terminal_back()


def prepare(arguments: list[str], launch: Launch) -> None:
    """What can be done before the arguments are understood; a wrong guess costs time and nothing else."""
    command = SUBCOMMANDS.get(arguments[0]) if arguments else None
    if {"-h", "--help", "--version"}.intersection(arguments) or (command and not command.front):
        return
    if command:
        front, models = command.front, command.models
    else:
        front, models = _front_of_prompt(arguments, launch), "any"
    _import_libraries()
    if spawn_way() == "fork":
        # forked at once: later the zygote would know the secrets of the config
        from supervisor.process.spawner import Spawner
        from supervisor.tree import MODULES, PROVIDERS, SERVICE_MODULES

        launch.spawner = Spawner("fork", launch.file, [*MODULES, front])
        scripted = models == "scripted" or any("scripted:" in argument for argument in arguments)
        modules = [*PROVIDERS.modules, *(() if scripted else SERVICE_MODULES)]
        launch.spawner.fork_zygote("providers" if models else "", modules)


def _import_libraries() -> None:
    """Before anybody imports them, and after the first frame, which needs neither them nor what is kept."""
    from actors.common.lean import code_cache

    code_cache.use()
    from actors.common.lean import libraries  # noqa: F401


def _front_of_prompt(arguments: list[str], launch: Launch) -> str:
    """The module; what is for the screen is painted at once, unless it has to be asked about."""
    if _is_plain_start(arguments):
        launch.paint(os.path.abspath(os.curdir))
        return "ui.plain.entrance"
    headless = any(map(_asks_headless, arguments))
    if not headless:
        from ui.cli.arguments import main_parser
        from ui.cli.mistaken_prompts import doubtful

        options = main_parser().parse_args(arguments)
        headless = options.headless is not None
        if not (headless or options.plain or doubtful(options.prompt)):
            launch.paint(os.path.abspath(options.cwd or os.curdir))
    return "ui.headless.prompt" if headless else "ui.plain.entrance"


def _is_plain_start(arguments: list[str]) -> bool:
    """Told without argparse, which takes four times as long as all else before the first frame. False: perhaps not."""
    rest = iter(arguments)
    return all(option in FLAGS or (option in NAMING and _names(option, next(rest, ""))) for option in rest)


def _names(option: str, value: str) -> bool:
    """What argparse takes for its value."""
    if option != "--mode":
        return value != "" and not value.startswith("-")
    from ui.common.modes import MODES

    return value in MODES


def _asks_headless(argument: str) -> bool:
    """-p, --print, --pr, -cp: without argparse, which takes longer than the first frame."""
    return argument.startswith(("--pr", "-p", "-cp"))


def _become(arguments: list[str]) -> int:
    """--become=actor FD SUPERVISOR, or --become=zygote FD SUPERVISOR MODULE...: what the supervisor starts afresh."""
    import socket

    _import_libraries()
    end = socket.socket(fileno=int(arguments[1]))
    if arguments[0] == "--become=zygote":
        from supervisor.process import zygote

        zygote.serve(end, int(arguments[2]), arguments[3:], greets=True)
        return 0
    from supervisor.process.host import become_actor

    gc.enable()
    os._exit(become_actor(end))
