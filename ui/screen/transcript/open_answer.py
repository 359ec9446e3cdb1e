"""The answer that is being written: deltas in, closed blocks out; what the scrollback has of it is not said again."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from actors.messages.conversation import AssistantMessage, Text
from ui.common import harmless
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import ModelSaid, Note
from ui.screen.transcript.markdown import Chunk, MarkdownStream


@dataclass(frozen=True)
class Mark:
    """How much of the session is in the scrollback."""

    last: str = ""
    """Id of the entry up to which everything is."""
    shown: int = 0
    """So many entries after it are as well."""
    chars: int = 0
    """And so many characters of the message after those,"""
    crc: int = 0
    """with this CRC-32."""
    notes: int = 0
    """Of the notes that had to wait for the end of a block, so many."""


class Numbers:
    """Of the sources of an answer, as they stand below it."""

    def __init__(self) -> None:
        self._of: dict[str, int] = {}

    def behind(self, urls: Iterable[str]) -> str:
        """Of a text that has these: in markdown, and no beginning of a link whatever comes after."""
        return "".join(rf"\[{self._of.setdefault(url, len(self._of) + 1)}\]" for url in urls)

    def within(self, texts: Iterable[Text]) -> str:
        """All of them, with numbers behind each that has sources of its own."""
        return "".join(
            text.text + (self.behind(source.url for source in text.sources) if text.cited else "") for text in texts
        )


def numbered(message: AssistantMessage) -> str:
    return Numbers().within(block for block in message.blocks if isinstance(block, Text))


class OpenAnswer:
    def __init__(self, chars: int = 0, crc: int = 0, *, plain: bool = False) -> None:
        """chars, crc: the start of this answer that is in the scrollback from an earlier life or try."""
        self._stream = MarkdownStream(plain=plain)
        self._numbers = Numbers()
        self._skip = chars
        self._expected = crc
        self._held = ""
        """Text not compared yet with what is in the scrollback."""
        self._received = 0
        self._first = chars == 0
        self.chars = chars
        self.crc = crc
        self._unsigned = ""
        """Text behind `chars`."""
        self._tail: list[ModelSaid] | None = None
        self._laid_out: tuple[tuple[int, int], list[str]] | None = None
        """Both as of what was said last: of two frames that show the same text the second one lays nothing out."""

    @property
    def is_amid(self) -> bool:
        """What came now would stand inside a code block or a list."""
        return self._stream.is_amid

    @property
    def is_behind(self) -> bool:
        """Not all that the scrollback has of it has come again: where that ends is not known yet."""
        return self._skip > 0

    def feed(self, text: str, cites: Iterable[str] = ()) -> list[Piece]:
        """cites: URLs of the sources of the text that ends with it."""
        self._tail = self._laid_out = None
        text = harmless.sanitise(text) + self._numbers.behind(cites)
        self._received += len(text)
        if self._skip <= len(self._held):
            return self._take(text)
        self._held += text
        return self._compare() if len(self._held) >= self._skip else []

    def finish(self, whole: str = "") -> list[Piece]:
        """whole: the complete message, numbers and all, of which the end may not have been seen."""
        pieces = self.feed(harmless.sanitise(whole)[self._received :])
        if self._held:
            pieces += self._compare()
        pieces += self._said(self._stream.finish())
        self._tail = self._laid_out = None
        return pieces

    def tail(self) -> list[ModelSaid]:
        """The open block as it looks now."""
        if self._tail is None:
            chunks = [chunk for chunk in self._stream.tail() if chunk.end > self.chars]
            self._tail = [ModelSaid(chunk, chunk.gap or (self._first and at == 0)) for at, chunk in enumerate(chunks)]
        return self._tail

    def rows(self, width: int, theme: Theme) -> list[str]:
        """The open block."""
        look = width, theme.worn
        if self._laid_out is None or self._laid_out[0] != look:
            self._laid_out = look, [row for said in self.tail() for row in said.rows(width, theme)]
        return self._laid_out[1]

    def _compare(self) -> list[Piece]:
        """All that the scrollback has of this answer has arrived again, or less and no more is to come."""
        held, skip = self._held, self._skip
        self._skip, self._held = 0, ""
        if zlib.crc32(held[:skip].encode()) == self._expected and len(held) >= skip:
            self._unsigned = held[skip:]
            return self._said(self._stream.feed(held))
        self._first, self.chars, self.crc = True, 0, 0
        return [Note("the answer begins again"), *self._take(held)]

    def _take(self, text: str) -> list[Piece]:
        self._unsigned += text
        return self._said(self._stream.feed(text))

    def _said(self, closed: list[Chunk]) -> list[Piece]:
        chunks = [chunk for chunk in closed if chunk.end > self.chars]
        pieces: list[Piece] = []
        for chunk in chunks:
            pieces.append(ModelSaid(chunk, chunk.gap or self._first))
            self._first = False
        if chunks:
            count = chunks[-1].end - self.chars
            self.crc = zlib.crc32(self._unsigned[:count].encode(), self.crc)
            self._unsigned = self._unsigned[count:]
            self.chars = chunks[-1].end
        return pieces
