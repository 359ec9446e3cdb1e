"""Bytes from the terminal to keys, text, pastes and reports, however the bytes were cut.

Understands legacy sequences, CSI-u (Kitty), `CSI 27;m;c~` (modifyOtherKeys) and bracketed paste; key releases are
dropped. See https://sw.kovidgoyal.net/kitty/keyboard-protocol/ and XTerm's ctlseqs.
"""

import codecs
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """A key that is not text, such as `up`, `ctrl+a`, `alt+enter`, `shift+tab`."""

    name: str


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Paste:
    text: str


@dataclass(frozen=True)
class Report:
    """The terminal says something: `focus` (1 or 0), `cursor` (row, column from 1), `size` (rows, columns),
    `background` (red, green, blue from 0 to 255)."""

    kind: str
    numbers: tuple[int, ...]


Event = Key | Text | Paste | Report

TORN_S = 0.1
ANSWER_S = 2.0
"""So long the rest of an answer that has begun is waited for: else it would be taken for text."""
LONGEST_ANSWER = 4096
"""Bytes."""
PASTE_END = b"\x1b[201~"
_CONTROL_OR_TEXT = re.compile("[\x00-\x1f\x7f]|[^\x00-\x1f\x7f]+")
_CSI = re.compile(rb"\x1b\[([0-?]*)([ -/]*)([@-~])")
_PARTIAL_CSI = re.compile(rb"\x1b\[[0-?]*[ -/]*$")
_ANSWER = re.compile(rb"\x1b\](\d+)([^\x07\x1b]*)(\x07|\x1b\\|\x1b?$)?")
"""An operating system command, as XTerm calls it: its number, what it says, its end if it is there yet."""
_COLOUR = re.compile(r";rgba?:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})(?:/[0-9a-f]{1,4})?", re.IGNORECASE)
_FINALS = {"A": "up", "B": "down", "C": "right", "D": "left", "F": "end", "H": "home", "Z": "shift+tab"} | {
    "P": "f1", "Q": "f2", "R": "f3", "S": "f4"
}  # fmt: skip
_TILDES = {1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end"} | {
    code: f"f{number}" for number, code in enumerate((11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24), 1)
}
_CODES = {9: "tab", 13: "enter", 27: "esc", 127: "backspace", 57414: "enter"}
_CONTROLS = {0: "ctrl+space", 8: "ctrl+h", 9: "tab", 10: "ctrl+j", 13: "enter", 27: "esc", 127: "backspace"} | {
    28: "ctrl+\\",
    29: "ctrl+]",
    30: "ctrl+^",
    31: "ctrl+_",
}
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc"}
"""Keys that are the same byte where the terminal tells no more: people press them for one another."""
_MODIFIERS = ((4, "ctrl"), (2, "alt"), (1, "shift"))


class Decoder:
    def __init__(self, lone_esc_s: float) -> None:
        """So long after a lone escape byte, it was the key."""
        self._lone_esc_s = lone_esc_s
        self._bytes = b""
        self._pasting: bytearray | None = None
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def patience_s(self) -> float | None:
        """How long an unfinished escape waits for its rest before `flush`; None: nothing is unfinished."""
        if self._pasting is not None or not self._bytes.startswith(b"\x1b"):
            return None
        if _ANSWER.match(self._bytes):
            return ANSWER_S
        return self._lone_esc_s if len(self._bytes) == 1 else TORN_S

    def feed(self, data: bytes) -> list[Event]:
        self._bytes += data
        events: list[Event] = []
        while self._bytes:
            before = len(self._bytes)
            if self._pasting is not None:
                self._paste(self._pasting, events)
            elif self._bytes[0] == 0x1B:
                self._escape(events)
            else:
                self._plain(events)
            if len(self._bytes) == before:
                break
        return events

    def flush(self) -> list[Event]:
        """Nothing followed: what waits was the Esc key, or Alt+[, or a sequence whose rest was lost."""
        if self.patience_s is None:
            return []
        rest, self._bytes = self._bytes[1:], b""
        if rest in {b"[", b"O", b"]"}:
            return [Key(f"alt+{rest.decode()}")]
        return [] if rest else [Key("esc")]

    def _plain(self, events: list[Event]) -> None:
        end = self._bytes.find(b"\x1b")
        chunk = self._bytes if end < 0 else self._bytes[:end]
        self._bytes = self._bytes[len(chunk) :]
        pieces = _CONTROL_OR_TEXT.findall(self._utf8.decode(chunk))
        events += [Text(piece) if piece >= " " and piece != "\x7f" else Key(_control(ord(piece))) for piece in pieces]

    def _escape(self, events: list[Event]) -> None:
        data = self._bytes
        if match := _CSI.match(data):
            self._bytes = data[match.end() :]
            if match[0] == b"\x1b[200~":
                self._pasting = bytearray()
            elif not match[2] and (event := _csi(match[1].decode(), match[3].decode())):
                events.append(event)
        elif data[1:2] == b"O" and len(data) > 2:
            self._bytes = data[3:]
            if name := _FINALS.get(chr(data[2])) or ("enter" if data[2:3] == b"M" else ""):
                events.append(Key(name))
        elif answer := _ANSWER.match(data):
            self._answer(answer, events)
        elif len(data) == 1 or data[1:] in {b"O", b"]"} or _PARTIAL_CSI.match(data):
            return  # wait for the rest
        elif data[1:2] == b"\x1b":
            self._bytes = data[1:]
            events.append(Key("esc"))
        elif data[1:2] == b"[":
            self._bytes = data[2:]  # garbage in a sequence: drop its start, the rest is read again
        else:
            self._alt(data, events)

    def _answer(self, answer: re.Match[bytes], events: list[Event]) -> None:
        """Of the terminal; none of it is text, whatever it is about and however it was broken off."""
        if answer[3] in {b"", b"\x1b"} and answer.end() < LONGEST_ANSWER:
            return  # wait for the rest
        self._bytes = self._bytes[answer.end() :]
        if answer[1] == b"11" and (colour := _COLOUR.fullmatch(answer[2].decode("ascii", "replace"))):
            red, green, blue = (int(part, 16) * 255 // (16 ** len(part) - 1) for part in colour.groups())
            events.append(Report("background", (red, green, blue)))

    def _alt(self, data: bytes, events: list[Event]) -> None:
        size = next((n for first, n in ((0xF0, 4), (0xE0, 3), (0xC0, 2)) if data[1] >= first), 1)
        if len(data) < 1 + size:
            return
        self._bytes = data[1 + size :]
        character = data[1 : 1 + size].decode(errors="replace")
        name = _control(ord(character)) if character < " " or character == "\x7f" else character
        events.append(Key(f"alt+{name}"))

    def _paste(self, pasted: bytearray, events: list[Event]) -> None:
        end = self._bytes.find(PASTE_END)
        if end < 0:  # all but what may be the start of the end
            keep = next((n for n in range(5, 0, -1) if self._bytes.endswith(PASTE_END[:n])), 0)
            pasted += self._bytes[: len(self._bytes) - keep]
            self._bytes = self._bytes[len(self._bytes) - keep :]
            return
        pasted += self._bytes[:end]
        self._bytes = self._bytes[end + len(PASTE_END) :]
        self._pasting = None
        text = pasted.decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n")
        events.append(Paste(text))


def _control(code: int) -> str:
    return _CONTROLS.get(code) or f"ctrl+{chr(code + 0x60)}"


def _csi(parameters: str, final: str) -> Event | None:
    if parameters.startswith(("<", "=", ">", "?")):
        return None  # answers to questions we did not ask
    fields = [field.split(":") for field in parameters.split(";")]
    numbers = [int(field[0] or 0) for field in fields if field[0].isdigit() or not field[0]]
    modifiers = fields[1] if len(fields) > 1 else ["1"]
    if modifiers[1:2] == ["3"]:
        return None  # a key was released
    match final:
        case "I" | "O" if not parameters:
            return Report("focus", (int(final == "I"),))
        case "R" if len(numbers) == 2:
            return Report("cursor", tuple(numbers))
        case "t" if len(numbers) == 3 and numbers[0] == 8:
            return Report("size", tuple(numbers[1:]))
        case "u":
            return _coded(numbers[0], int(modifiers[0] or 1))
        case "~" if numbers[0] == 27 and len(numbers) == 3:
            return _coded(numbers[2], numbers[1])
        case "~" if name := _TILDES.get(numbers[0]):
            return Key(_modified(name, int(modifiers[0] or 1)))
        case _ if name := _FINALS.get(final):
            return Key(_modified(name, int(modifiers[0] or 1)))
        case _:
            return None


def _coded(code: int, modifier: int) -> Event | None:
    """A key by its code point, as CSI-u and modifyOtherKeys give it."""
    bits = (modifier - 1) & 7
    if name := _CODES.get(code):
        return Key(_modified(name, modifier))
    if 0xE000 <= code <= 0xF8FF or code > 0x10FFFF or code < 32:
        return None  # function and media keys we have no use for
    character = chr(code)
    if bits & 6 == 0:
        return Text(character.upper() if bits else character)
    name = _modified(character.lower(), 1 + (bits & 6))
    return Key(_SAME.get(name, name))


def _modified(name: str, modifier: int) -> str:
    bits = (modifier - 1) & 7
    return "".join(f"{word}+" for bit, word in _MODIFIERS if bits & bit) + name
