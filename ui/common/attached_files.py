"""Images and PDFs to go with a prompt: found by path, told by their content, read when they are sent."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from actors.common.attachments import MOST_BYTES, kind
from actors.common.plurals import how_many
from actors.common.small_files import read_regular
from actors.messages.conversation import Attachment, Quoted
from ui.common.amounts import MB, size
from ui.common.harmless import one_line

MOST_OF_ONE = 20 * 1024 * 1024
MOST_FILES = 20
HEAD = 64 * 1024
"""Bytes that are looked at: a JPEG says how large it is behind what its camera has to say."""
LONGEST_DROP = 8192
"""Characters of a paste that may be paths."""
KINDS = "PNG, JPEG, GIF and WebP images and PDFs"


class NotAttachable(Exception):
    """Text for the user, beginning with the file."""


class AttachedFile(msgspec.Struct, frozen=True):
    """A file that is to go with a prompt."""

    path: str
    """Absolute."""
    media_type: str
    size: int
    pixels: tuple[int, int] = (0, 0)
    """Width and height of an image; 0: not known."""

    @property
    def name(self) -> str:
        return one_line(Path(self.path).name)

    @property
    def kind(self) -> str:
        return kind(self.media_type)

    @property
    def told(self) -> str:
        """In its marker: 1280×720, or its name."""
        width, height = self.pixels
        return f"{width}×{height}" if width and height else self.name


def look_at(path: Path) -> AttachedFile:
    """What a file is, without reading it all. Raises NotAttachable."""
    return _checked(path, _read(path, HEAD), _size(path))


def look_at_all(paths: Iterable[Path]) -> tuple[AttachedFile, ...]:
    """Those of one prompt. Raises NotAttachable."""
    files = tuple(map(look_at, paths))
    check_together(files)
    return files


def check_together(files: tuple[AttachedFile, ...]) -> None:
    """Raises NotAttachable."""
    if len(files) > MOST_FILES:
        raise NotAttachable(f"{how_many(len(files), 'file')} are too many: at most {MOST_FILES} go with a prompt.")
    if sum(file.size for file in files) > MOST_BYTES:
        raise NotAttachable(f"the attached files are more than {MOST_BYTES // MB} MB together.")


def load(files: Iterable[AttachedFile]) -> tuple[Attachment, ...]:
    """As they are now. Blocks. Raises NotAttachable."""
    loaded = []
    for file in files:
        path = Path(file.path)
        data = _read(path, MOST_OF_ONE + 1)
        known = _checked(path, data, len(data))
        loaded.append(Attachment(name=known.name, media_type=known.media_type, data=data, size=len(data)))
    return tuple(loaded)


def shown(attachment: Attachment) -> str:
    """[image shot.png, 120 KB]"""
    return f"[{kind(attachment.media_type)} {one_line(attachment.name)}, {size(attachment.size)}]"


def shown_quotation(quoted: Quoted) -> str:
    """[src/a.py 10–20, 11 lines]"""
    much = quoted.summary or how_many(quoted.text.count("\n") + 1, "line")
    return f"[{one_line(quoted.of)}, {one_line(much)}]"


def dropped(text: str) -> tuple[AttachedFile, ...]:
    """The files that a paste names, as terminals write what is dropped on them; () when it is anything else."""
    text = text.strip()
    if not text or len(text) > LONGEST_DROP or not text.startswith(("/", "~", "file://", "'", '"')):
        return ()
    try:
        words = [text] if Path(text).is_file() else _words(text)
        return look_at_all(_as_path(word) for word in words)
    except (ValueError, OSError, NotAttachable):
        return ()


def named(text: str, folder: Path) -> tuple[AttachedFile, ...]:
    """What a person has typed: a path, blanks and all, or paths written as for a shell. Raises NotAttachable."""
    words = [text]
    with suppress(ValueError, OSError):
        if any(mark in text for mark in "'\"\\") and not (folder / Path(text).expanduser()).exists():
            words = _words(text)
    return look_at_all(folder / Path(word).expanduser() for word in words)


def _words(text: str) -> list[str]:
    """As a shell splits them. Raises ValueError."""
    import shlex  # none of these is needed before something is dropped

    return shlex.split(text)


def _as_path(word: str) -> Path:
    """Raises ValueError for what is no whole path."""
    from urllib.parse import unquote, urlsplit

    path = Path(unquote(urlsplit(word).path)) if word.startswith("file://") else Path(word).expanduser()
    if not path.is_absolute():
        raise ValueError(word)
    return path


def _read(path: Path, most: int) -> bytes:
    try:
        return read_regular(path, most)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise NotAttachable(f"{path}: {why}.") from error


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise NotAttachable(f"{path}: {error.strerror}.") from error


def _checked(path: Path, data: bytes, size: int) -> AttachedFile:
    if size > MOST_OF_ONE:
        raise NotAttachable(f"{path} is larger than {MOST_OF_ONE // MB} MB.")
    media_type = media_type_of(data)
    if not media_type:
        what = "is empty" if not data else f"is none of {KINDS}"
        raise NotAttachable(f"{path} {what}: only those can be attached.")
    whole = str(path.absolute())
    try:
        whole.encode()
    except UnicodeEncodeError as error:
        raise NotAttachable(f"{path}: its name is no UTF-8 text.") from error
    return AttachedFile(whole, media_type, size, _pixels(media_type, data))


def media_type_of(data: bytes) -> str:
    """By its first bytes; "" for what is nothing that models take."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return "application/pdf" if data.startswith(b"%PDF-") else ""


def _pixels(media_type: str, data: bytes) -> tuple[int, int]:
    """As the first bytes of an image say; (0, 0) where they do not."""
    match media_type:
        case "image/png" if data[12:16] == b"IHDR":
            return _number(data[16:20]), _number(data[20:24])
        case "image/gif":
            return _number(data[6:8], "little"), _number(data[8:10], "little")
        case "image/webp":
            return _pixels_of_webp(data)
        case "image/jpeg":
            return _pixels_of_jpeg(data)
        case _:
            return 0, 0


def _pixels_of_webp(data: bytes) -> tuple[int, int]:
    """RFC 9649: lossy, lossless, or extended."""
    match data[12:16]:
        case b"VP8 ":
            return _number(data[26:28], "little") & 0x3FFF, _number(data[28:30], "little") & 0x3FFF
        case b"VP8L" if len(data) >= 25:
            bits = _number(data[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X" if len(data) >= 30:
            return _number(data[24:27], "little") + 1, _number(data[27:30], "little") + 1
        case _:
            return 0, 0


def _pixels_of_jpeg(data: bytes) -> tuple[int, int]:
    """In the frame header, the first segment of a kind C0 to CF but three of them, which are tables."""
    at = 2
    while data[at : at + 1] == b"\xff" and at + 9 <= len(data):
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _number(data[at + 7 : at + 9]), _number(data[at + 5 : at + 7])
        at += 1 if marker == 0xFF else 2 + _number(data[at + 2 : at + 4])
    return 0, 0


def _number(data: bytes, order: Literal["big", "little"] = "big") -> int:
    return int.from_bytes(data, order)
