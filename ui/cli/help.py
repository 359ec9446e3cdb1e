"""`trouper --help`: what can be started, out of the table of commands, and the options; all of it in 40 rows."""

import argparse
import copy
from collections.abc import Iterator, Sequence

from ui.cli.table import SUBCOMMANDS

WIDTH = 80
STARTING = ("headless", "latest", "resume")
"""Options that say what is started: they stand with the commands."""
TOLD_BESIDE = {
    "allow": "no approval: Edit, 'Bash(npm:*)' (--deny: never happens)",
    "max_cost": "no request once so much is spent (--max-tokens: sent)",
    "timeout": "with -p: end after so long (--start-timeout: unasked)",
}
"""Rows in which a second option is told of too, whose own row there is room for in the help of a command only."""
TOLD_ABOVE = (*STARTING, "all", "copy", "deny", "help", "max_tokens", "plain", "start_timeout", "version")
TOP = """usage: trouper [OPTIONS] [PROMPT]   or   trouper COMMAND ...   (each has --help)
An AI coding agent for the terminal that carries on whatever dies.   (--version)"""
SCREEN = ("trouper [PROMPT]", "a session on the screen (--plain: as lines)")
EXIT_CODES = "exit: 0 done, 1 failed, 2 usage, 3 refused, 4 budget, 5 keys, 124 time, 130 end"


def main_help(options: Sequence[argparse.Action]) -> str:
    """Options in the order of their definition."""
    formatter = argparse.HelpFormatter("trouper", width=WIDTH)
    formatter.add_arguments([_told(one) for one in options if one.option_strings and one.dest not in TOLD_ABOVE])
    starting = [(_written(one), one.help or "") for one in options if one.dest in STARTING]
    groups = "\n".join(_groups([SCREEN, *starting]))
    return f"{TOP}\n{groups}\n{formatter.format_help().rstrip()}\n{EXIT_CODES}\n"


def _told(option: argparse.Action) -> argparse.Action:
    """With what stands beside it."""
    told = copy.copy(option)
    told.help = TOLD_BESIDE.get(option.dest, option.help)
    return told


def _written(option: argparse.Action) -> str:
    """-p, --print [PROMPT]."""
    metavar = f" {option.metavar}" * (option.nargs != 0)
    return ", ".join(option.option_strings) + (f" [{option.metavar}]" if option.nargs == "?" else metavar)


def _groups(starting: list[tuple[str, str]]) -> Iterator[str]:
    """A row each; the group's name is in front of its first one."""
    rows: dict[str, list[tuple[str, str]]] = {"start": starting}
    for name, command in SUBCOMMANDS.items():
        entry = (f"trouper {name} {command.arguments}".rstrip(), command.summary)
        rows.setdefault(command.group, []).append(entry)
    heading = max(map(len, rows)) + 2
    widest = max(len(what) for entries in rows.values() for what, _ in entries)
    for group, entries in rows.items():
        for shown, (what, summary) in zip((group, *[""] * len(entries)), entries, strict=False):
            yield f"{shown:<{heading}}{what:<{widest}}  {summary}"
