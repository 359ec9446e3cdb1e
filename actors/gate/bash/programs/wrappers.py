"""Commands that only run another one: what that is, and with what."""

import re
import shlex

import msgspec
from msgspec.structs import replace

from actors.gate.bash.files.reader_options import STARTERS, WRAPPERS
from actors.gate.bash.language.options import Told, parsed
from actors.gate.bash.language.words import HOLE, Word
from actors.gate.bash.programs.tables import RUNNERS

OWN_ARGUMENTS = {"timeout": 1, "gtimeout": 1}
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=(.*)", re.DOTALL)


FOR_ENV = re.compile(r"([^=]+)=(.*)", re.DOTALL)
"""It takes any name, also those of functions."""


class Wrapped(msgspec.Struct, frozen=True):
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
    forgets: bool = False
    """What it runs does not get the environment that we give commands."""


def unwrap(name: str, args: tuple[Word, ...]) -> Wrapped:
    told = parsed(args, WRAPPERS[name], anywhere=False)
    own, rest = (args[: len(args) - len(told.rest)], told.rest) if told else _guessed(name, args)
    rest = rest[OWN_ARGUMENTS.get(name, 0) :]
    unsure = "" if told else f"{name} has an option that is not known here"
    if any(not word.known for word in own):
        unsure = f"what {name} is told is not known before it runs"
    told = told or Told()
    match name:
        case "env":
            return _env(told, rest, unsure)
        case "xargs":
            return _xargs(told, rest, unsure)
        case "watch":
            return _watch(told, rest, unsure)
        case "command" if told.has("-v -V"):
            return Wrapped(looks_up=True)
        case "coproc":
            return Wrapped(words=rest, unsure="a coprocess is not analysed")
        case "time":
            return Wrapped(words=rest, unsure=unsure, writes=told.values("-o --output"))
        case "exec":
            return Wrapped(words=rest, unsure=unsure, forgets=told.has("-c"))
        case _:
            return Wrapped(words=rest, unsure=unsure)


def _guessed(name: str, args: tuple[Word, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """A wrapper's own options, and what follows, where one of them is not known."""
    valued = [entry[:-1] for entry in WRAPPERS[name].split() if entry.endswith(":")]
    at = 0
    while at < len(args) and args[at].text.startswith("-") and args[at].text != "--":
        at += 2 if args[at].text in valued else 1
    ends = at + 1 if at < len(args) and args[at].text == "--" else at
    return args[:at], args[ends:]


def _env(told: Told, rest: tuple[Word, ...], unsure: str) -> Wrapped:
    dash = bool(rest) and rest[0].text == "-"
    rest = rest[dash:]
    forgets = dash or told.has("-i --ignore-environment -u --unset")
    unsure = unsure or ("env moves to another folder" if told.has("-C --chdir") else "")
    strings = told.values("-S --split-string")
    if strings:
        inner = _split_string(strings, rest, unsure)
        return replace(inner, forgets=inner.forgets or forgets)
    assigned = []
    while rest and (found := FOR_ENV.fullmatch(rest[0].text)):
        assigned.append((found[1], found[2]))
        rest = rest[1:]
    return Wrapped(words=rest, assigned=tuple(assigned), unsure=unsure, looks_up=not rest, forgets=forgets)


def _split_string(strings: tuple[Word, ...], rest: tuple[Word, ...], unsure: str) -> Wrapped:
    """`env -S 'a b' c` is `env a b c`."""
    string = strings[0]
    if re.search(r"[\\$#]", string.text) or len(strings) > 1:
        unsure = unsure or "what env is told cannot be analysed"
    try:
        split = tuple(Word(text) for text in shlex.split(string.text))
    except ValueError:
        return Wrapped(words=rest, unsure="what env is told cannot be analysed")
    told = parsed((*split, *rest), WRAPPERS["env"], anywhere=False)
    if told is None or told.has("-S --split-string"):
        return Wrapped(words=(*split, *rest), unsure="what env is told cannot be analysed")
    inner = unwrap("env", (*split, *rest))
    return replace(inner, unsure=inner.unsure or unsure)


def _xargs(told: Told, rest: tuple[Word, ...], unsure: str) -> Wrapped:
    """What comes from standard input is not known: a hole at the end, or wherever it is to be put.

    The last of options that exclude each other counts, and which do differs: whatever is replaced has a hole."""
    listed = told.values("-a --arg-file")
    replaced = {value.text if value else "{}" for name, value in told.options if name in ("-I", "-i", "--replace")}
    for text in replaced:
        rest = tuple(_with_holes(word, text) for word in rest)
    if not replaced or told.has("-n -L -l --max-args --max-lines"):
        rest = (*(rest or (Word("echo"),)), Word(HOLE, source="...", splits=True))
    return Wrapped(words=rest, unsure=unsure, reads=listed)


def _watch(told: Told, rest: tuple[Word, ...], unsure: str) -> Wrapped:
    if told.has("-x --exec"):
        return Wrapped(words=rest, unsure=unsure)
    return Wrapped(script=" ".join(word.text for word in rest), unsure=unsure)


def _with_holes(word: Word, replaced: str) -> Word:
    if not replaced or replaced not in word.text:
        return word
    return Word(word.text.replace(replaced, HOLE), source=word.source or word.text, inner=word.inner)


def started(name: str, args: tuple[Word, ...]) -> tuple[Word, ...] | None:
    """The command that a runner of the table starts, empty for none; None: nobody knows which words it is."""
    if name not in STARTERS:
        return None
    told = parsed(args, STARTERS[name], anywhere=False)
    if told and RUNNERS[name]:
        if not told.rest or told.rest[0].text not in RUNNERS[name].split():
            return None
        told = parsed(told.rest[1:], STARTERS[name], anywhere=False)
    if told is None:
        return None
    if scripts := told.values("-c --call --command"):
        return (Word("sh"), Word("-c"), scripts[0]) if len(scripts) == 1 else None
    return told.rest if name != "script" else None
