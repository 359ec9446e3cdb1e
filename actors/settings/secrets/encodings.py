"""How a text may be written so that it is still read: the usual encodings, there and back. Pure.

Compared are letters and digits alone, in lower case, so it makes no difference how they are set apart.
"""

import base64
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import unquote_plus

LEAST = 8
"""A value of fewer characters may be anything."""
OTHERS = re.compile(r"[^a-z0-9]+")
ESCAPED = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[ux]\{([0-9A-Fa-f]{1,8})\})")
"""As in JSON and in the strings of many languages."""
LAYERS = 2
"""Of such encodings, one around the other."""


def plain(text: str) -> str:
    """What of it is compared."""
    return OTHERS.sub("", unicodedata.normalize("NFKC", text).casefold())


def readings(text: str) -> Iterator[str]:
    import html  # 0.4 MB of names, and few texts are looked at

    yield text
    for _ in range(LAYERS):
        text = ESCAPED.sub(_character, html.unescape(unquote_plus(text)))
        yield text


def _character(escape: re.Match[str]) -> str:
    code = int(escape[escape.lastindex or 0], base=16)
    return chr(code) if code <= sys.maxunicode else ""


def forms(value: str) -> Iterator[str]:
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
