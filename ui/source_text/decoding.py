"""Bytes of a file as text of lines, whatever their encoding. Pure."""

import codecs
import re

from actors.common.plurals import how_many
from ui.common.harmless import sanitise

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as UTF-16's does
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LONGEST_LINE = 20_000
"""Characters: people write no longer ones, programs do."""
KEPT = 2_000
"""Of a longer one, at each of its ends."""
LINE_END = re.compile(r"\r\n?")


def decoded(data: bytes) -> str | None:
    """None: it is no text. Lines end with "\\n"; what is invisible or steers a terminal is written as an escape."""
    mark, encoding = next(((mark, encoding) for mark, encoding in MARKS if data.startswith(mark)), (b"", ""))
    if not encoding and b"\0" in data:
        return None
    try:
        text = data[len(mark) :].decode(encoding or "utf-8", "replace" if encoding else "strict")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = LINE_END.sub("\n", text)
    return "\t".join(map(sanitise, text.split("\t")))  # in code a tab is a tab


def lines_of(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def shortened(text: str) -> str:
    """Without the middle of lines that are too long: to leave out all of the file would let one line hide it."""
    if len(text) <= LONGEST_LINE:
        return text
    return "\n".join([line if len(line) <= LONGEST_LINE else _shortened(line) for line in text.split("\n")])


def _shortened(line: str) -> str:
    return f"{line[:KEPT]} [... {how_many(len(line) - 2 * KEPT, 'character')} left out ...] {line[-KEPT:]}"
