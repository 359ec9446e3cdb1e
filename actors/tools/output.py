"""What a command printed: head and tail kept, live parts taken out, text made fit for a model."""

import re

import trio

from actors.common.plurals import how_many
from actors.tools import limits

ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # OSC and other strings: titles, clipboard
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
SURROGATES = re.compile("[\ud800-\udfff]")
OVERWRITTEN = re.compile(r"^[^\n]*\r(?=[^\n])", re.MULTILINE)


class Output:
    """Takes bytes of any amount, keeps a bounded part."""

    def __init__(self, head: int = limits.BASH_HEAD_BYTES, tail: int = limits.BASH_TAIL_BYTES) -> None:
        self._head_size, self._tail_size = head, tail
        self._head = bytearray()
        self._tail = bytearray()
        self._fresh = bytearray()
        self._dropped = 0
        self.arrived = trio.Event()

    def feed(self, data: bytes) -> None:
        room = self._head_size - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * self._tail_size:  # seldom, so that much output is not copied often
            self._drop()
        self._fresh = (self._fresh + data)[-limits.LIVE_BYTES :]
        self.arrived.set()

    def take_fresh(self) -> str:
        """What came since the last time, or the end of it. A character may be torn at its ends."""
        fresh, self._fresh = self._fresh, bytearray()
        self.arrived = trio.Event()
        return clean(bytes(fresh))

    def text(self) -> str:
        if len(self._tail) > self._tail_size:
            self._drop()
        if not self._dropped:
            return clean(bytes(self._head + self._tail))
        cut = f"\n[... {how_many(self._dropped, 'byte')} cut from the middle ...]\n"
        return clean(bytes(self._head)) + cut + clean(bytes(self._tail))

    def _drop(self) -> None:
        extra = len(self._tail) - self._tail_size
        del self._tail[:extra]
        self._dropped += extra


def clean(data: bytes) -> str:
    """Invalid UTF-8 replaced, escape sequences and overwritten parts of lines removed, other controls made visible."""
    text = ESCAPES.sub("", data.decode("utf-8", "replace")).replace("\r\n", "\n")
    text = OVERWRITTEN.sub("", text).replace("\r", "")
    return CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def shortened(text: str) -> str:
    """The middle is left out of what is too long for any result."""
    extra = len(text) - limits.RESULT_CHARS
    if extra <= 0:
        return text
    tail = limits.RESULT_TAIL_CHARS
    head = text[: limits.RESULT_CHARS - tail]
    return (
        f"{head}\n[... {how_many(extra, 'character')} cut from the middle; ask for less at a time ...]\n{text[-tail:]}"
    )


def encodable(text: str) -> str:
    """Bytes that are not UTF-8 are half characters in Python, which no message can carry."""
    return text if text.isascii() else SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
