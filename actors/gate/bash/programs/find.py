"""What `find` does: it looks, unless its expression runs, deletes or writes."""

import re

import msgspec
from msgspec.structs import replace

from actors.gate.bash.language.name_lists import names
from actors.gate.bash.language.parts import HARMLESS, Part
from actors.gate.bash.language.words import HOLE, Word

RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
WRITES = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}
VALUED = names(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -maxdepth -mindepth -newer -anewer "
    "-cnewer -size -mtime -atime -ctime -mmin -amin -cmin -perm -user -group -uid -gid -links -inum -samefile -lname "
    "-ilname -fstype -printf -regextype -D -newermt -used -context"
)
NAMES_A_FILE = names("-newer -anewer -cnewer -samefile")
PLAIN = names(
    "-a -and -daystart -depth -d -empty -executable -readable -writable -true -false -follow -mount -xdev -nogroup "
    "-nouser -nowarn -warn -noleaf -ignore_readdir_race -noignore_readdir_race -ls -print -print0 -prune -quit "
    "-P -L -H -E"
)
"""Others of its words: without what follows, and whatever is found must still have the name that was asked for."""


class Found(msgspec.Struct):
    part: Part = HARMLESS
    roots: tuple[Word, ...] = ()
    reads: tuple[Word, ...] = ()
    """Further files."""
    writes: tuple[Word, ...] = ()
    deletes: bool = False
    commands: list[tuple[Word, ...]] = msgspec.field(default_factory=list)
    """What it runs, with a hole for each file."""
    names: tuple[str, ...] = ()
    """What follows `-name`."""
    narrowed: tuple[str, ...] | None = None
    """Those in front of the first thing that it does with what it has found; None: it does nothing."""
    alone: bool = True
    """Nothing in its expression is an alternative, or not known here."""
    anywhere: bool = False
    """It leaves its roots, or they are not known."""


def find(args: tuple[Word, ...]) -> Found:
    found = Found(anywhere=any(not word.known for word in args if word.text != "{}"))
    at = 0
    while at < len(args):
        at += _take(args[at:], found)
    if found.part.follows and not found.roots:
        found.roots = (Word("."),)
    return found


def _take(args: tuple[Word, ...], found: Found) -> int:
    """Takes what begins here; how many words that is."""
    word = args[0]
    if word.text in RUNS:
        ends = _end(args)
        found.commands.append(tuple(_holed(one) for one in args[1:ends]))
        found.part = replace(found.part, effect="execute" if ends == len(args) else found.part.effect)
        _acts(found)
        return ends + 1
    if word.text == "-delete":
        found.part, found.deletes = replace(found.part, effect="execute"), True
        _acts(found)
        return 1
    if word.text in WRITES:
        found.part = replace(found.part, effect="write" if found.part.effect == "read" else "execute")
        found.writes += args[1:2]
        return 1 + WRITES[word.text]
    if word.text == "-files0-from":
        found.reads += args[1:2]
        found.part = replace(found.part, blind=True)
        found.anywhere = True
        return 2
    if word.text in VALUED or word.text.startswith("-newer"):
        return _valued(args, found)
    found.anywhere = found.anywhere or word.text in ("-L", "-H", "-follow")
    found.part = replace(found.part, follows=found.part.follows or word.text in ("-L", "-follow"))
    if word.option and not word.text.startswith("-"):
        _unknown(found)
    if word.text.startswith("-") or word.text in ("(", ")", "!", ","):
        found.alone = found.alone and word.text in PLAIN
    else:
        found.roots += (word,)
    return 1


def _end(args: tuple[Word, ...]) -> int:
    """Of a command that it runs: a `+` that is not behind `{}` is a word of it."""
    texts = [word.text for word in args]
    return next(
        (at for at, text in enumerate(texts) if text == ";" or (text == "+" and texts[at - 1] == "{}")), len(texts)
    )


def _acts(found: Found) -> None:
    if found.narrowed is None:
        found.narrowed = found.names


def _valued(args: tuple[Word, ...], found: Found) -> int:
    word, value = args[0], args[1:2]
    if value and value[0].splits:
        _unknown(found)
    if value and word.text == "-name":
        found.names += (value[0].text,)
    if word.text in NAMES_A_FILE or re.fullmatch("-newer[aBcm][aBcm]", word.text):
        found.reads += value
    return 2


def _unknown(found: Found) -> None:
    found.part = replace(found.part, effect="execute", unsure="what it is told is not known before it runs")


def _holed(word: Word) -> Word:
    return (
        Word(word.text.replace("{}", HOLE), source=word.source or word.text, inner=word.inner)
        if "{}" in word.text
        else word
    )
