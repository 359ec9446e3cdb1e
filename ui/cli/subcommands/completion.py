"""`trouper completion SHELL`: a script by which a shell completes commands and options."""

import argparse
from collections.abc import Iterator, Sequence
from importlib import import_module

from ui.cli.arguments import Parser, add_options
from ui.cli.table import SUBCOMMANDS, module
from ui.headless.one_answer import printed
from ui.start.launch_state import Launch

SHELLS = ("bash", "zsh", "fish")
EXAMPLES = """
examples:
  trouper completion bash > ~/.local/share/bash-completion/completions/trouper
  trouper completion zsh > ~/.zfunc/_trouper       with fpath+=~/.zfunc before compinit in ~/.zshrc
  trouper completion fish > ~/.config/fish/completions/trouper.fish

The folder has to be there; a new shell knows it. Write it anew after an update.
"""
PATHS = {"FILE": "FILE", "TASKS.jsonl": "FILE", "RESULTS.jsonl": "FILE", "FOLDER": "DIRECTORY"}
"""What an argument is that is called so; as shtab calls it."""


def main(arguments: Sequence[str], _launch: Launch) -> int:
    """Returns the exit code."""
    options = parser().parse_args(arguments)
    return printed(script(options.shell))


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper completion",
        description="Print a script by which a shell completes the commands and options of trouper.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS))
    return made


def script(shell: str) -> str:
    import shtab

    whole = everything()
    for action in _actions(whole):
        if action.metavar in PATHS:
            action.complete = getattr(shtab, PATHS[str(action.metavar)])  # type: ignore[attr-defined]
    return shtab.complete(whole, shell) + "\n"


def everything() -> argparse.ArgumentParser:
    """All that can be written after `trouper`."""
    whole = Parser(prog="trouper")
    add_options(whole)
    below = whole.add_subparsers()
    for name, command in SUBCOMMANDS.items():
        own = import_module(module(name)).parser()
        below.add_parser(name, parents=[own], add_help=False, help=command.summary)
    return whole


def _actions(one: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in one._actions:  # argparse tells nobody
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _actions(below)
