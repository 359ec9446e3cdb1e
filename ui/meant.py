"""Prompts that are probably none: a word that is near a command, and `!cmd`. Pure, and the first frame waits for it."""

from collections.abc import Sequence

from ui.start import COMMANDS

ELSEWHERE = {
    "continue": "-c",
    "help": "--help",
    "history": "sessions list",
    "login": "auth login",
    "logout": "auth logout",
    "resume": "-c",
    "version": "--version",
}
"""Words that other programs have commands for, and what does it here."""
BELOW = frozenset(("call", "explain", "export", "list", "login", "logout", "remove", "set", "show", "trust"))
"""What follows a command; with any other word it is a sentence."""
NEAR = 0.8
"""Of difflib's ratio: one letter of five may be another."""
NO_SHELL = (
    "there is no !command yet. Run {command} in a shell, or ask for it in words; "
    "with a blank before the ! it is sent as it is."
)


def nearest(prompt: Sequence[str]) -> tuple[str, ...]:
    """The arguments of the command that was probably meant; () for what can only be a prompt."""
    first, rest = "".join(prompt[:1]).strip().lower(), prompt[1:]
    if not (first.isascii() and first.isalpha()) or (rest and rest[0] not in BELOW):
        return ()
    import difflib  # a prompt of many words does not wait for it

    known = {name: name for name in COMMANDS} | ({} if rest else ELSEWHERE)
    near = difflib.get_close_matches(first, known, n=1, cutoff=NEAR)
    return (*known[near[0]].split(), *rest) if near else ()


def own_command(prompt: str) -> str:
    """Why a prompt such as "!ls" is not sent; "" for every other."""
    is_one = prompt.startswith("!") and prompt[1:2].strip() and "\n" not in prompt.strip()
    return NO_SHELL.format(command=prompt[1:].strip()) if is_one else ""


def doubtful(prompt: Sequence[str]) -> bool:
    return bool(nearest(prompt) or own_command(" ".join(prompt)))
