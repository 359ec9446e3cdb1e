"""Whether a text carries the value of a secret, also encoded in the usual ways. Pure; the value itself is never told.

Compared are letters and digits alone, in lower case, so it makes no difference how they are set apart. Out of reach:
what is encrypted, compressed, reversed in parts, or sent in pieces of fewer than SLICE characters.
"""

import base64
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote_plus

import msgspec

SLICE = 16
"""Characters in a row of a longer value that count as all of it."""
LEAST = 8
"""A value of fewer characters may be anything."""
LEAST_PLAIN = 4
"""Of a value that is compared as it stands, with its punctuation, since less than LEAST is left without."""
OTHERS = re.compile(r"[^a-z0-9]+")
ESCAPED = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[ux]\{([0-9A-Fa-f]{1,8})\})")
"""As in JSON and in the strings of many languages."""
LAYERS = 2
"""Of such encodings, one around the other."""


class Secret(msgspec.Struct, frozen=True):
    value: str
    source: str
    """For people: the name of a variable, the path of a file."""


def plain(text: str) -> str:
    """What of it is compared."""
    return OTHERS.sub("", unicodedata.normalize("NFKC", text).casefold())


def can_be_found(value: str) -> bool:
    return len(value) >= LEAST and len(plain(value)) >= LEAST_PLAIN


def carried(text: str, secrets: Iterable[Secret]) -> str:
    """The source of the first one that it carries; "" for none."""
    written = list(_readings(text))
    readings = {plain(reading) for reading in written}
    slices = {each for reading in readings for each in _slices(reading)}
    for secret in filter(lambda one: can_be_found(one.value), secrets):
        if len(plain(secret.value)) < LEAST and any(secret.value in reading for reading in written):
            return secret.source
        for form in map(plain, _forms(secret.value)):
            if len(form) < SLICE:
                found = len(form) >= LEAST and any(form in reading for reading in readings)
            else:
                found = not slices.isdisjoint(_slices(form))
            if found:
                return secret.source
    return ""


def _slices(text: str) -> Iterator[str]:
    return (text[at : at + SLICE] for at in range(len(text) - SLICE + 1))


def _readings(text: str) -> Iterator[str]:
    import html  # 0.4 MB of names, and few texts are looked at

    yield text
    for _ in range(LAYERS):
        text = ESCAPED.sub(_character, html.unescape(unquote_plus(text)))
        yield text


def _character(escape: re.Match[str]) -> str:
    code = int(escape[escape.lastindex or 0], base=16)
    return chr(code) if code <= sys.maxunicode else ""


def _forms(value: str) -> Iterator[str]:
    if len(plain(value)) < LEAST:
        return
    raw = value.encode()
    yield from (value, value[::-1], raw.hex())
    yield from _inner(raw, base64.b64encode, bits=6, group=3)
    yield from _inner(raw, base64.b32encode, bits=5, group=5)


def _inner(raw: bytes, encode: Callable[[bytes], bytes], *, bits: int, group: int) -> Iterator[str]:
    """What is the same of its code whatever stands before and after it."""
    for before in range(group):
        code = encode(b"\0" * before + raw).decode()
        yield code[-(-before * 8 // bits) : (before + len(raw)) * 8 // bits]
