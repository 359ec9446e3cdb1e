"""Commands that only run another one: what that is, and with what."""

import re
import shlex
from dataclasses import dataclass, replace

from actors.gate.bash.options import Told, parsed, present, values
from actors.gate.bash.reader_options import WRAPPERS
from actors.gate.bash.words import HOLE, Word

VALUED = {
    "nohup": "",
    "timeout": "-k --kill-after -s --signal",
    "gtimeout": "-k --kill-after -s --signal",
    "nice": "-n --adjustment",
    "ionice": "-c -n -p -P -u --class --classdata",
    "stdbuf": "-i -o -e --input --output --error",
    "setsid": "",
    "time": "-f --format -o --output",
    "command": "",
    "builtin": "",
    "exec": "-a",
    "busybox": "",
    "toybox": "",
    "chronic": "",
    "eatmydata": "",
    "noglob": "",
    "nocorrect": "",
    "coproc": "",
    "env": "-u --unset -C --chdir -S --split-string -a --argv0",
    "xargs": "-I -n -P -L -d -E -s -a --arg-file --delimiter --max-args --max-procs --max-lines --max-chars",
    "watch": "-n --interval -q --equexit -s",
}
"""Wrappers, and those of their options that take the next word."""
OWN_ARGUMENTS = {"timeout": 1, "gtimeout": 1}
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Wrapped:
    """What a wrapper runs."""

    words: tuple[Word, ...] = ()
    script: str = ""
    """Or a text for a shell."""
    assigned: tuple[tuple[str, str], ...] = ()
    unsure: str = ""
    reads: tuple[Word, ...] = ()
    writes: tuple[Word, ...] = ()
    looks_up: bool = False
    """It runs nothing: it says what would be run."""


def unwrap(name: str, args: tuple[Word, ...]) -> Wrapped:
    own, rest = _split(args, VALUED[name])
    rest = rest[OWN_ARGUMENTS.get(name, 0) :]
    unsure = "" if all(word.known for word in own) else f"what {name} is told is not known before it runs"
    if parsed(args, WRAPPERS[name], anywhere=False) is None:
        unsure = unsure or f"{name} has an option that is not known here"
    match name:
        case "env":
            return _env(own, rest, unsure)
        case "xargs":
            return _xargs(own, rest, unsure)
        case "watch":
            return _watch(own, rest, unsure)
        case "command" if present(own, "-v -V"):
            return Wrapped(looks_up=True)
        case "coproc":
            return Wrapped(words=rest, unsure="a coprocess is not analysed")
        case "time":
            return Wrapped(words=rest, unsure=unsure, writes=values(own, "-o --output"))
        case _:
            return Wrapped(words=rest, unsure=unsure)


def _split(args: tuple[Word, ...], valued: str) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """A wrapper's own options, and what follows."""
    at = 0
    while at < len(args) and args[at].text.startswith("-") and args[at].text != "--":
        at += 2 if _takes_the_next(args[at].text, valued.split()) else 1
    ends = at + 1 if at < len(args) and args[at].text == "--" else at
    return args[:at], args[ends:]


def _takes_the_next(text: str, valued: list[str]) -> bool:
    """Also abbreviated (`--max-a 1`), and as the last of a cluster (`-rn 1`)."""
    if text.startswith("--"):
        return len(text) > len("--x") and any(option.startswith(text) for option in valued)
    at = next((at for at, letter in enumerate(text[1:], 1) if "-" + letter in valued), 0)
    return at == len(text) - 1 and at > 0


def _env(own: tuple[Word, ...], rest: tuple[Word, ...], unsure: str) -> Wrapped:
    told = parsed(own, WRAPPERS["env"]) or Told()
    strings = told.values("-S --split-string")
    if strings:
        return _split_string(own, strings, rest, unsure)
    if present(own, "-C --chdir"):
        unsure = unsure or "env moves to another folder"
    assigned = []
    while rest and (found := ASSIGNMENT.fullmatch(rest[0].text)):
        assigned.append((found[1], found[2]))
        rest = rest[1:]
    return Wrapped(words=rest, assigned=tuple(assigned), unsure=unsure, looks_up=not rest)


def _split_string(own: tuple[Word, ...], strings: tuple[Word, ...], rest: tuple[Word, ...], unsure: str) -> Wrapped:
    """`env -S 'a b' c` is `env a b c`."""
    string = strings[0]
    if re.search(r"[\\$#]", string.text) or len(strings) > 1:
        unsure = unsure or "what env is told cannot be analysed"
    try:
        split = tuple(Word(text) for text in shlex.split(string.text))
    except ValueError:
        return Wrapped(words=rest, unsure="what env is told cannot be analysed")
    inner = unwrap("env", (*split, *rest))
    moved = "env moves to another folder" if present(own, "-C --chdir") else ""
    return replace(inner, unsure=inner.unsure or unsure or moved)


def _xargs(own: tuple[Word, ...], rest: tuple[Word, ...], unsure: str) -> Wrapped:
    """What comes from standard input is not known: a hole at the end, or wherever it is to be put."""
    listed = values(own, "-a --arg-file")
    replaced = next((word.text or "{}" for word in values(own, "-I -i --replace")), "{}" if present(own, "-i") else "")
    if replaced:
        rest = tuple(_with_holes(word, replaced) for word in rest)
        return Wrapped(words=rest, unsure=unsure, reads=listed)
    given = (*(rest or (Word("echo"),)), Word(HOLE, source="...", splits=True))
    return Wrapped(words=given, unsure=unsure, reads=listed)


def _watch(own: tuple[Word, ...], rest: tuple[Word, ...], unsure: str) -> Wrapped:
    if present(own, "-x --exec"):
        return Wrapped(words=rest, unsure=unsure)
    return Wrapped(script=" ".join(word.text for word in rest), unsure=unsure)


def _with_holes(word: Word, replaced: str) -> Word:
    if replaced not in word.text:
        return word
    return Word(word.text.replace(replaced, HOLE), source=word.source or word.text, inner=word.inner)
