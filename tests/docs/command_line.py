"""The command line as its own help has it: which commands there are, and their options."""

import contextlib
import io
import re
from collections.abc import Sequence
from functools import cache

from ui.cli.dispatch import run
from ui.cli.table import SUBCOMMANDS
from ui.start.launch_state import Launch

OPTION = re.compile(r"(?<!\S)--?[a-zA-Z][\w-]*")
EXPLAINED = re.compile(r"^(?:[a-z ]{0,8} )?(-.+?)(?: {2}|$)", re.MULTILINE)
"""An option in the list of a help, with its other names."""
BESIDE = re.compile(r"\((--[a-z-]+): ")
"""Explained in the row of another one."""
BELOW = re.compile(r"usage: trouper [\w-]+ \[-h\]\s+(?P<names>[\w-]+(?:[|][\w-]+)+)\s+\.\.\.")


def help_of(arguments: Sequence[str]) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        run([*arguments, "--help"], Launch(""))
    return said.getvalue()


@cache
def options() -> frozenset[str]:
    """Of all commands and what is below them."""
    helps = [help_of([]), *(text for command in SUBCOMMANDS for text in _below(command))]
    in_front = (option for text in helps for line in EXPLAINED.findall(text) for option in OPTION.findall(line))
    beside = (option for text in helps for option in BESIDE.findall(text))
    return frozenset((*in_front, *beside))


def _below(command: str) -> list[str]:
    own = help_of([command])
    below = BELOW.match(own)
    return [own, *(help_of([command, name]) for name in (below["names"].split("|") if below else ()))]
