"""Numbers of things in words: "1 line", "2 lines". Every count that people or models read is written by this."""

from collections.abc import Sequence

SIBILANTS = ("s", "x", "ch", "sh")


def how_many(number: int, noun: str, *, more: bool = False) -> str:
    """noun: in the singular, such as "entry" or "changed file". more: there are at least so many ("200+ files")."""
    return f"{number:,}{'+' * more} {noun if number == 1 and not more else plural(noun)}"


def plural(noun: str) -> str:
    """Of a regular noun, or of words that end with one."""
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(SIBILANTS) else f"{noun}s"


def named(texts: Sequence[str], most: int = 4) -> str:
    """The first ones, and how many there are beside them."""
    more = len(texts) - most
    return "; ".join(texts[:most]) + (f"; and {more} more" if more > 0 else "")
