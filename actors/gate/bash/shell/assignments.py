"""Builtins that set variables or evaluate their arguments: whether what they are given is plain."""

import re

from actors.gate.bash.language.options import parsed
from actors.gate.bash.language.parts import HARMLESS, Part
from actors.gate.bash.language.words import Word
from actors.gate.bash.shell.evaluation import EVALUATED, NOT_NAMED, is_number, misnamed, tested
from actors.gate.bash.shell.scope import Survey

OPTIONS = {
    "read": "-r -s -e -a: -d: -i: -n: -N: -p: -t: -u:",
    "mapfile": "-t -d: -n: -s: -u: -O:",
    "readarray": "-t -d: -n: -s: -u: -O:",
    "unset": "-f -v -n",
    "wait": "-n -f -p:",
    "printf": "-v:",
}
"""Those that run nothing: `mapfile -C` is not among them."""
NAMING = frozenset({"-a", "-p", "-v"})
"""Their values are names (but `read -p` shows a text)."""


def misused(name: str, args: tuple[Word, ...], survey: Survey) -> str:
    """Why it is not known what this does; "" if it is."""
    match name:
        case "test" | "[":
            return tested(args, survey)
        case "let":
            return "" if all(word.known and is_number(word.text, survey) for word in args) else EVALUATED
        case "getopts":
            return next((why for word in args[1:2] if (why := misnamed(word))), "")
        case "printf" if args and not args[0].text.startswith("-"):
            return "" if args[0].known and not args[0].glob else NOT_NAMED
        case _ if name in OPTIONS:
            return _names(name, args)
        case _:
            return ""


def _names(name: str, args: tuple[Word, ...]) -> str:
    told = parsed(args, OPTIONS[name], anywhere=False)
    if told is None:
        return "it may run what an option of it says"
    naming = NAMING - {"-p"} if name == "read" else NAMING
    found = [value for option, value in told.options if option in naming and value is not None]
    if any(option == "-O" and value and not re.fullmatch(r"\d+", value.text) for option, value in told.options):
        return EVALUATED
    found += () if name in ("printf", "wait") else told.rest
    return next((why for word in found if (why := misnamed(word))), "")


def misdeclared(args: list[Word], survey: Survey) -> Part:
    """The same for `declare` and its like: with -i values are arithmetic, with -a they may hold subscripts."""
    options = {letter for word in args if re.match(r"[-+]\w", word.text) for letter in word.text}
    for word in args:
        if re.match(r"[-+]\w", word.text):
            continue
        name, equals, value = word.text.partition("=")
        why = misnamed(Word(name.removesuffix("+")))
        if options & set("aAi") and equals and not is_number(value, survey):
            why = EVALUATED
        if "i" in options and not survey.is_number(name.removesuffix("+")):
            why = EVALUATED
        if why in (EVALUATED, NOT_NAMED) or (why and "[" in name):
            return Part("", "execute", unsure=why)
    return HARMLESS
