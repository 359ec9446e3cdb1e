"""Finding options among arguments: rather one too many than one too few."""

import msgspec

from actors.gate.bash.language.words import HOLE, Word

SHORTEST_ABBREVIATION = 2
"""A long option may be cut down to one letter more than this, as getopt takes them: `--o` may be `--output`."""


class Told(msgspec.Struct, frozen=True):
    """Arguments taken apart as the program takes them apart."""

    options: tuple[tuple[str, Word | None], ...] = ()
    """As they are in the table, and what they are given."""
    rest: tuple[Word, ...] = ()

    def has(self, options: str) -> bool:
        return any(name in options.split() for name, _ in self.options)

    def values(self, options: str) -> tuple[Word, ...]:
        return tuple(value for name, value in self.options if name in options.split() and value is not None)


def parsed(args: tuple[Word, ...], table: str, *, anywhere: bool = True, guess: bool = False) -> Told | None:
    """None if an option is not in the table. `-n` and `--long` take nothing, `-e:` and `--file:` a value, `-i?` one
    that is attached. anywhere: options may stand behind other arguments, too. guess: what may be one is none."""
    known = {entry.rstrip(":?"): entry[-1] if entry[-1] in ":?" else "" for entry in table.split()}
    options: list[tuple[str, Word | None]] = []
    rest: list[Word] = []
    waiting = list(args)
    while waiting:
        word = waiting.pop(0)
        if word.text == "--":
            return Told(tuple(options), (*rest, *waiting))
        if not word.option or word.text == "-" or (guess and not word.text.startswith("-")):
            rest.append(word)
            if not anywhere:
                return Told(tuple(options), (*rest, *waiting))
            continue
        found = _long(word, known, waiting) if word.text.startswith("--") else _cluster(word, known, waiting)
        if not found:
            return None
        options += found
    return Told(tuple(options), tuple(rest))


def _long(word: Word, known: dict[str, str], waiting: list[Word]) -> list[tuple[str, Word | None]]:
    name, equals, value = word.text.partition("=")
    meant = [name] if name in known else [one for one in known if one.startswith(name) and one.startswith("--")]
    if len(meant) != 1 or word.splits or (equals and not known[meant[0]]):
        return []
    if equals:
        return [(meant[0], Word(value, glob=word.glob))]
    return _with_value(meant[0], known, waiting)


def _with_value(name: str, known: dict[str, str], waiting: list[Word]) -> list[tuple[str, Word | None]]:
    """Of an option that has nothing attached; [] if what follows may be no word, or several."""
    if known[name] != ":":
        return [(name, None)]
    if not waiting or waiting[0].splits or (waiting[0].glob and not waiting[0].source.startswith(("'", '"'))):
        return []
    return [(name, waiting.pop(0))]


def _cluster(word: Word, known: dict[str, str], waiting: list[Word]) -> list[tuple[str, Word | None]]:
    found: list[tuple[str, Word | None]] = []
    if word.splits or not word.text.startswith("-"):
        return []
    for at, letter in enumerate(word.text[1:], 2):
        name = "-" + letter
        if name not in known:
            return []
        if known[name] and word.text[at:]:
            return [*found, (name, Word(word.text[at:], glob=word.glob))]
        one = _with_value(name, known, waiting)
        if not one:
            return []
        found += one
    return found


def present(args: tuple[Word, ...], options: str) -> str:
    """The first of these options that may be among the arguments, also abbreviated or in a cluster; else "".

    A letter of a value counts, and what a later option takes back: where one makes a command harmless, ask `parsed`.
    """
    for option in options.split():
        if any(_is(word.text, option) for word in before_dashes(args)):
            return option
    return ""


def before_dashes(args: tuple[Word, ...]) -> tuple[Word, ...]:
    ends = next((at for at, word in enumerate(args) if word.text == "--"), len(args))
    return args[:ends]


def positional(args: tuple[Word, ...]) -> tuple[Word, ...]:
    """What is no option; values of options are in it."""
    ends = len(before_dashes(args))
    return tuple(word for at, word in enumerate(args) if (at > ends or not word.text.startswith("-")) and at != ends)


def values(args: tuple[Word, ...], options: str) -> tuple[Word, ...]:
    """What these options are given, in any of the ways of writing it; that of `--long?` is attached."""
    wanted = [option.rstrip("?") for option in options.split()]
    apart = [option for option in options.split() if not option.endswith("?")]
    found = []
    for at, word in enumerate(args):
        name, equals, value = word.text.partition("=")
        if equals and any(_is(name, option) for option in wanted if option.startswith("--")):
            found.append(Word(value, glob=word.glob))
        elif word.text in apart or (name.startswith("--") and any(_is(name, option) for option in apart)):
            found += args[at + 1 : at + 2]
        else:
            found += [Word(word.text[2:], glob=word.glob) for o in wanted if _attached(word.text, o)]
    return tuple(found)


def may_be(args: tuple[Word, ...]) -> bool:
    """Some argument is perhaps an option, but which one is not known."""
    return any(word.option and not word.text.startswith("-") for word in before_dashes(args)) or any(
        word.text.startswith("-") and HOLE in word.text.partition("=")[0] for word in before_dashes(args)
    )


def _attached(text: str, option: str) -> bool:
    return len(option) == 2 and text.startswith(option) and len(text) > 2


def _is(text: str, option: str) -> bool:
    name = text.partition("=")[0]
    if option.startswith("--"):
        return name == option or (len(name) > SHORTEST_ABBREVIATION and option.startswith(name) and name[:2] == "--")
    if len(option) > 2 or not option.startswith("-"):
        return name == option
    return text.startswith("-") and not text.startswith("--") and option[1] in text[1:]
