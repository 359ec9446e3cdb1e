"""Slash commands, one file for one or a few that belong together, listed in `table`.

Its entrance is `table`. They see the screen as `base` describes it, and import nothing else of it.
"""

import difflib

from ui.common.own_shell import own_command
from ui.screen.commands.attach import ATTACH
from ui.screen.commands.base import Actions, Command
from ui.screen.commands.leave import QUIT
from ui.screen.commands.mode import ASK, MODE, PLAN
from ui.screen.commands.model import EFFORT, MODEL
from ui.screen.commands.permissions import PERMISSIONS

KEYS = (
    ("enter", "send; while the agent works: steer it"),
    ("ctrl+j, alt+enter, shift+enter, \\ enter", "new line"),
    ("esc", "interrupt the agent"),
    ("ctrl+c", "clear the draft, or interrupt; twice: quit"),
    ("ctrl+z", "back to the shell for a while; fg goes on"),
    ("ctrl+d", "quit, when nothing is typed"),
    ("up, down", "earlier prompts"),
    ("shift+tab", "next mode"),
    ("ctrl+t", "plan mode on or off"),
    ("ctrl+a e b f k u w y _", "edit as in a shell"),
    ("in a question: 1 to 9, or its letter", "give that answer"),
    ("in a question: enter", "give the marked one"),
    ("in a question: esc", "no, or no answer"),
    ("in a question: up, down, space", "read it all, then mark another answer"),
)
BROUGHT_BACK = "Nothing was sent; up brings back what you typed."


def _help(actions: Actions, argument: str) -> None:  # noqa: ARG001
    commands = [(f"/{command.name} {command.arguments}".strip(), command.summary) for command in ALL]
    widest = max(len(name) for name, _ in (*commands, *KEYS))
    actions.say("\n".join(f"{name:<{widest}}  {summary}" for name, summary in (*commands, *KEYS)))


HELP = Command("help", "", "commands and keys", _help)
ALL = (HELP, MODEL, EFFORT, MODE, PLAN, ASK, PERMISSIONS, ATTACH, QUIT)
BY_NAME = {command.name: command for command in ALL}


def run(actions: Actions, line: str) -> None:
    """line: with its slash. When there is no such command the user is told; the history has what was typed."""
    name, _, argument = line.removeprefix("/").partition(" ")
    if why := own_command(line):
        actions.say(f"{why} {BROUGHT_BACK}", "warning")
    elif command := BY_NAME.get(name):
        command.run(actions, argument.strip())
    else:
        near = difflib.get_close_matches(name, BY_NAME, n=1)
        meant = f"Did you mean /{near[0]}?" if near else "/help lists them."
        actions.say(f"there is no command /{name}. {meant} {BROUGHT_BACK}", "warning")
