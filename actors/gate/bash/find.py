"""What `find` does: it looks, unless its expression runs, deletes or writes."""

from dataclasses import dataclass, field, replace

from actors.gate.bash.names import names
from actors.gate.bash.parts import HARMLESS, Part
from actors.gate.bash.words import HOLE, Word

RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
WRITES = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}
VALUED = names(
    "-name -iname -path -ipath -wholename -regex -iregex -type -xtype -maxdepth -mindepth -newer -anewer -cnewer "
    "-size -mtime -atime -ctime -mmin -amin -cmin -perm -user -group -uid -gid -links -inum -samefile -lname -ilname "
    "-fstype -printf -regextype -D -newermt -files0-from"
)
BEFORE_PATHS = frozenset({"-H", "-L", "-P"})


@dataclass
class Found:
    part: Part = HARMLESS
    reads: tuple[Word, ...] = ()
    writes: tuple[Word, ...] = ()
    commands: list[tuple[Word, ...]] = field(default_factory=list)
    """What it runs, with a hole for each file."""


def find(args: tuple[Word, ...]) -> Found:
    found = Found()
    at = 0
    while at < len(args):
        at += _take(args[at:], found)
    return found


def _take(args: tuple[Word, ...], found: Found) -> int:
    """Takes what begins here; how many words that is."""
    word = args[0]
    if word.text in RUNS:
        ends = next((at for at, one in enumerate(args) if one.text == ";" or (one.text == "+" and at > 1)), len(args))
        found.commands.append(tuple(_holed(one) for one in args[1:ends]))
        found.part = replace(found.part, effect="execute" if ends == len(args) else found.part.effect)
        return ends + 1
    if word.text == "-delete":
        found.part = replace(found.part, effect="execute", danger="it deletes all that it finds")
        return 1
    if word.text in WRITES:
        found.part = replace(found.part, effect="write" if found.part.effect == "read" else "execute")
        found.writes += args[1:2]
        return 1 + WRITES[word.text]
    if word.text in VALUED or word.text.startswith("-newer"):
        if args[1:2] and args[1].splits:
            _unknown(found)
        return 2
    if word.option and not word.text.startswith("-"):
        _unknown(found)
    if not word.text.startswith("-") and word.text not in ("(", ")", "!", ","):
        found.reads += (word,)
    return 1


def _unknown(found: Found) -> None:
    found.part = replace(found.part, effect="execute", unsure="what it is told is not known before it runs")


def _holed(word: Word) -> Word:
    return (
        Word(word.text.replace("{}", HOLE), source=word.source or word.text, inner=word.inner)
        if "{}" in word.text
        else word
    )
