"""Prompts that are probably none: a word that is near a command, and `!cmd`. Pure, and the first frame waits for it."""

from collections.abc import Sequence

from ui.cli.table import SUBCOMMANDS
from ui.common.own_shell import own_command

ELSEWHERE = {
    "continue": "-c",
    "help": "--help",
    "history": "sessions list",
    "login": "auth login",
    "logout": "auth logout",
    "resume": "-c",
    "trust": "permissions trust",
    "version": "--version",
}
"""Words that other programs have commands for, and what does it here."""
HEADLESS = frozenset(("exec",))
"""Words that other programs have for a prompt without a screen; what follows is the prompt."""
OF_ONE = {"login": "auth login", "logout": "auth logout", "resume": "-r"}
"""The same for those that take an argument there."""
NOT_HERE = {
    "config": "settings are in config.toml in TROUPER_HOME, ~/.trouper; `trouper doctor` checks them",
    "exit": "nothing runs that could be left",
    "init": "nothing has to be set up; what the model is to know of a repository goes into its AGENTS.md, and /init "
    "on the screen has the model write one",
    "quit": "nothing runs that could be left",
    "update": "pip updates what pip installed",
}
"""Further ones, and why nothing does it here."""
ALSO_OF_ONE = frozenset(("config",))
"""Of these."""
BELOW = frozenset(("call", "explain", "export", "list", "login", "logout", "remove", "set", "show", "trust"))
"""What follows a command; with any other word it is a sentence."""
NEAR = 0.8
"""Of difflib's ratio: one letter of five may be another."""


def nearest(prompt: Sequence[str]) -> tuple[str, ...]:
    """The arguments of the command that was probably meant; () for what can only be a prompt."""
    first, rest = _first(prompt), prompt[1:]
    if rest and first in HEADLESS:
        return ("-p", " ".join(rest))
    if not (first.isascii() and first.isalpha()) or not (_is_short(prompt) or rest[0] in BELOW) or advice(prompt):
        return ()
    if rest and first in OF_ONE:
        return (*OF_ONE[first].split(), *rest)
    import difflib  # a prompt of many words does not wait for it

    known = {name: name for name in SUBCOMMANDS} | ({} if rest else ELSEWHERE)
    near = difflib.get_close_matches(first, known, n=1, cutoff=NEAR)
    return (*known[near[0]].split(), *rest) if near else ()


def advice(prompt: Sequence[str]) -> str:
    """What to say of a command that other programs have and we do not; "" for every other prompt."""
    first = _first(prompt)
    return NOT_HERE.get(first, "") if len(prompt) == 1 or (_is_short(prompt) and first in ALSO_OF_ONE) else ""


def _first(prompt: Sequence[str]) -> str:
    return "".join(prompt[:1]).strip().lower()


def _is_short(prompt: Sequence[str]) -> bool:
    """A word, or two bare ones: more are a sentence."""
    return len(prompt) < 2 or (len(prompt) == 2 and prompt[1].replace("-", "").isalnum())


def doubtful(prompt: Sequence[str]) -> bool:
    return bool(nearest(prompt) or advice(prompt) or own_command(" ".join(prompt)))
