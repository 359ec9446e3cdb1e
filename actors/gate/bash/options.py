"""Finding options among arguments: rather one too many than one too few."""

from actors.gate.bash.words import HOLE, Word

SHORTEST_ABBREVIATION = 3
"""Of a long option, as getopt takes them: `--ou` may be `--output`."""


def present(args: tuple[Word, ...], options: str) -> str:
    """The first of these options that is among the arguments, also abbreviated or in a cluster; else ""."""
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
    """What these options are given, in any of the ways of writing it."""
    wanted = options.split()
    found = []
    for at, word in enumerate(args):
        name, equals, value = word.text.partition("=")
        if equals and any(_is(name, option) for option in wanted if option.startswith("--")):
            found.append(Word(value, glob=word.glob))
        elif word.text in wanted or (name.startswith("--") and any(_is(name, option) for option in wanted)):
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
