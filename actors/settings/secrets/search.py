"""Whether a text carries the value of a secret, also encoded in the usual ways. Pure; the value itself is never told.

Compared are letters and digits alone, in lower case, so it makes no difference how they are set apart. Out of reach:
what is encrypted, compressed, reversed in parts, or sent in pieces of fewer than SLICE characters.
"""

from collections.abc import Iterable, Iterator

import msgspec

from actors.settings.secrets.encodings import LEAST, forms, plain, readings

SLICE = 16
"""Characters in a row of a longer value that count as all of it."""
LEAST_PLAIN = 4
"""Of a value that is compared as it stands, with its punctuation, since less than LEAST is left without."""


class Secret(msgspec.Struct, frozen=True):
    value: str
    source: str
    """For people: the name of a variable, the path of a file."""


def can_be_found(value: str) -> bool:
    return len(value) >= LEAST and len(plain(value)) >= LEAST_PLAIN


def carried(text: str, secrets: Iterable[Secret]) -> str:
    """The source of the first one that it carries; "" for none."""
    written = list(readings(text))
    texts = {plain(reading) for reading in written}
    slices = {each for text in texts for each in slices_of(text)}
    for secret in filter(lambda one: can_be_found(one.value), secrets):
        if len(plain(secret.value)) < LEAST and any(secret.value in reading for reading in written):
            return secret.source
        for form in map(plain, forms(secret.value)):
            if len(form) < SLICE:
                found = len(form) >= LEAST and any(form in text for text in texts)
            else:
                found = not slices.isdisjoint(slices_of(form))
            if found:
                return secret.source
    return ""


def slices_of(text: str) -> Iterator[str]:
    return (text[at : at + SLICE] for at in range(len(text) - SLICE + 1))
