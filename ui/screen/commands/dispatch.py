"""A line that begins with a slash: which command it is."""

import difflib

from ui.screen.commands import typed
from ui.screen.commands.base import Actions, Misused
from ui.screen.commands.table import ALIASES, BY_NAME

NEAR = 0.7
"""Of 1: a letter or two are wrong; with less /review would be /tree."""
BROUGHT_BACK = "Nothing was sent: change it, or type over it."


def run(actions: Actions, line: str) -> None:
    """line: with its slash. When it means nothing the user is told, and has it again."""
    try:
        _run(actions, line)
    except Misused as why:
        actions.say(str(why), "warning")
        actions.bring_back(line)


def _run(actions: Actions, line: str) -> None:
    """Raises Misused."""
    name, _, argument = line.removeprefix("/").partition(" ")
    if command := BY_NAME.get(name):
        command.run(actions, argument.strip())
    elif typed.known(actions.settings).named(name) or typed.is_of_server(actions.settings, line):
        actions.prompt(line)  # a template or what a server says is put in the place of it
    elif name in ALIASES:
        BY_NAME[ALIASES[name]].run(actions, argument.strip())
    else:
        near = difflib.get_close_matches(name, BY_NAME, n=1, cutoff=NEAR)
        meant = f"Did you mean /{near[0]}?" if near else "/help lists them."
        raise Misused(f"there is no command /{name}. {meant} {BROUGHT_BACK}")
