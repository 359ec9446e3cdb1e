"""A text without secrets: those whose values are known, those that look like one, also in the usual encodings. Pure.

Line for line: what is found in a word takes the word, what is only found in a line takes the line.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote_plus

from actors.settings.redaction import MARK, redacted
from actors.settings.secrets.encodings import LEAST, forms, plain, readings
from actors.settings.secrets.search import SLICE, Secret, can_be_found, slices_of

WORD = re.compile(r"[^\s\"'<>,;]+")
CODED = re.compile(r"[A-Za-z0-9+/_=-]{16,}")
"""What may be base64, base32 or hexadecimal."""
PART = re.compile(r"[^\s\"'<>]+")
"""What may be escaped as in an address."""
LAYERS = 3
"""Of encodings, one in the other."""


class Cleaner:
    """For many texts: what is compared is made once."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        whole = [secret.value for secret in secrets]
        values = {each for value in whole for each in (value, *value.splitlines()) if can_be_found(each)}
        written = [plain(form) for value in values for form in forms(value)]
        self._slices = {each for form in written if len(form) >= SLICE for each in slices_of(form)}
        self._short = {form for form in written if LEAST <= len(form) < SLICE}
        self._as_written = {value for value in values if len(plain(value)) < LEAST}
        self.left_out = 0
        """Places in all texts so far."""

    def cleaned(self, text: str) -> str:
        """With as many lines."""
        clean = "\n".join([self._line(line) for line in redacted(text).split("\n")])
        self.left_out += clean.count(MARK)
        return clean

    def _line(self, line: str) -> str:
        line = CODED.sub(_if_coded, PART.sub(_if_escaped, line))
        if not self._carries(line):
            return line
        line = WORD.sub(lambda word: MARK if self._carries(word[0]) else word[0], line)
        return MARK if self._carries(line) else line

    def _carries(self, text: str) -> bool:
        for reading in set(readings(text)):
            letters = plain(reading)
            if any(value in reading for value in self._as_written) or any(value in letters for value in self._short):
                return True
            if not self._slices.isdisjoint(slices_of(letters)):
                return True
        return False


def _if_escaped(word: re.Match[str]) -> str:
    return MARK if "%" in word[0] and _hides(unquote_plus(word[0]), LAYERS) else word[0]


def _if_coded(word: re.Match[str]) -> str:
    return MARK if any(_hides(text, LAYERS) for text in _decoded(word[0])) else word[0]


def _hides(text: str, layers: int) -> bool:
    """It has something in it that is left out elsewhere."""
    if redacted(text) != text:
        return True
    if layers == 0:
        return False
    deeper = {unquote_plus(text), *(each for word in CODED.findall(text) for each in _decoded(word))} - {text}
    return any(_hides(each, layers - 1) for each in deeper)


def _decoded(word: str) -> Iterator[str]:
    """As far as it is text: by either alphabet of base64, by base32 and by hexadecimal digits."""
    for decode in (_base64, base64.b32decode, bytes.fromhex):
        try:
            yield decode(word).decode("utf-8")
        except (binascii.Error, ValueError):
            continue  # not of this kind, or no text


def _base64(word: str) -> bytes:
    bare = word.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(bare[: len(bare) - (len(bare) % 4 == 1)] + "=" * (-len(bare) % 4), validate=True)
