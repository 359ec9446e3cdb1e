"""`read`: the lines of a text file, numbered; an image or a PDF as an attachment."""

import os
import re
from codecs import BOM_UTF8
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec
import trio

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.files import images
from actors.tools.text import line_ends
from actors.tools.text.line_ends import Line
from actors.tools.workspace.folder import Workspace

BLOCK = 1 << 20
"""Bytes in which lines are counted: one by one, a file of line ends alone would take a minute."""
ADDRESS = re.compile(r"data:|[A-Za-z][A-Za-z0-9+.-]*://")


class Read(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The file, relative to the workspace.")]
    offset: Annotated[int, msgspec.Meta(ge=1, description="First line to show, counted from 1.")] = 1
    limit: Annotated[int, msgspec.Meta(ge=1, le=limits.READ_LINES, description="How many lines to show.")] = (
        limits.READ_LINES
    )


async def run(arguments: Read, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_read, arguments, worker.workspace, abandon_on_cancel=True)


def preview(arguments: Read, workspace: Workspace) -> Preview:
    return Preview(title=f"read {workspace.shown(workspace.locate(arguments.path))}")


def _read(arguments: Read, workspace: Workspace) -> Outcome:
    if ADDRESS.match(arguments.path):
        raise ToolFailed(
            f"{arguments.path[:100]} is no path. read is for files, and for URLs that begin with http:// or https://."
        )
    path = workspace.locate(arguments.path)
    with os.fdopen(_open(workspace, path), "rb") as file:
        info = os.fstat(file.fileno())
        head = file.peek(limits.SNIFF_BYTES)[: limits.SNIFF_BYTES]
        workspace.sight.note(path, info)
        if media := images.media(head, path):
            return _attached(media, path.name, file)
        if b"\0" in head:
            raise ToolFailed(
                f"{arguments.path} is a binary file of {how_many(info.st_size, 'byte')}. Look at it with bash."
            )
        if info.st_size == 0 and not head:
            return Outcome("(empty file)", "empty")
        return _numbered(arguments, file, info.st_size)


def _attached(media: str, name: str, file: BinaryIO) -> Outcome:
    data = file.read(limits.ATTACHED_BYTES + 1)
    if len(data) > limits.ATTACHED_BYTES:
        raise ToolFailed(f"{name} has more than {limits.ATTACHED_BYTES >> 20} MB. Make it smaller with bash.")
    if media == "pdf":
        what = f"PDF, {how_many(len(data), 'byte')}"
        return Outcome(f"{name}: {what}.", what, attachments=(images.pdf(name, data),))
    attachment, what = images.image(name, data)
    return Outcome(f"{name}: {what}.", what, attachments=(attachment,))


def _numbered(arguments: Read, file: BinaryIO, size: int) -> Outcome:
    marked = file.read(len(BOM_UTF8)) == BOM_UTF8
    file.seek(len(BOM_UTF8) if marked else 0)
    skipped = _skip(file, arguments.offset - 1)
    lines = _take(file, arguments.offset, arguments.limit) if skipped == arguments.offset - 1 else []
    if not lines:
        past = f"offset {arguments.offset} is past its end."
        raise ToolFailed(f"{arguments.path} has only {how_many(skipped, 'line')}; {past}")
    left = _skip(file) if size <= limits.COUNTED_BYTES else None
    last = arguments.offset + len(lines) - 1
    notes = ["[a byte order mark (BOM) before line 1 is not shown]"] if marked and arguments.offset == 1 else []
    notes += [*_uneven(lines, arguments.offset), *_footer(arguments.offset, last, left)]
    return Outcome("\n".join([*(text for text, _ in lines), *notes]), how_many(len(lines), "line"))


def _open(workspace: Workspace, path: Path) -> int:
    if path.is_dir():
        raise ToolFailed(f"{workspace.shown(path)} is a folder. Use list to see what is in it.")
    try:
        return workspace.open_file(path)
    except FileNotFoundError:
        raise ToolFailed(f"No such file: {workspace.shown(path)}.{_near(workspace, path)}") from None


def _near(workspace: Workspace, path: Path) -> str:
    import difflib  # 10 ms, and only a wrong name needs it

    try:
        names = [entry.name for entry in path.parent.iterdir() if workspace.is_readable(entry)]
    except OSError:
        return f" The folder {workspace.shown(path.parent)} does not exist either; use glob to find the file."
    near = difflib.get_close_matches(path.name, names, n=3)
    return f" Did you mean {' or '.join(workspace.shown(path.parent / name) for name in near)}?" if near else ""


def _skip(file: BinaryIO, count: int | None = None) -> int:
    """Pass so many lines, or all; how many there were. A last line without an end counts."""
    passed, is_open = 0, False
    while piece := file.read(BLOCK):
        ends = piece.count(b"\n")
        if count is not None and passed + ends >= count:
            file.seek(_past(piece, count - passed) - len(piece), os.SEEK_CUR)
            return count
        passed, is_open = passed + ends, not piece.endswith(b"\n")
    return passed + is_open


def _past(piece: bytes, lines: int) -> int:
    """Where the line after so many begins."""
    at = 0
    for _ in range(lines):
        at = piece.index(b"\n", at) + 1
    return at


def _take(file: BinaryIO, first: int, limit: int) -> list[Line]:
    """Numbered, as many as fit."""
    lines: list[Line] = []
    room = limits.READ_CHARS
    while len(lines) < limit:
        before = file.tell()
        piece = file.readline(4 * limits.LINE_CHARS)
        if not piece:
            break
        text, end = _shown(piece, file)
        shown = f"{first + len(lines):>6}\t{text}"
        room -= len(shown) + 1
        if room < 0 and lines:
            file.seek(before)
            break
        lines.append((shown, end))
    return lines


def _uneven(lines: list[Line], first: int) -> list[str]:
    """Which lines end with CRLF, where not all do."""
    crlf = [number for number, (_, end) in enumerate(lines, start=first) if end == "\r\n"]
    is_mixed = crlf and any(end == "\n" for _, end in lines)
    return [f"[{line_ends.named(crlf)} with CRLF, others with LF]"] if is_mixed else []


def _shown(piece: bytes, file: BinaryIO) -> Line:
    """One line for the model; the rest of a long one is passed over."""
    hidden = 0
    end = piece
    while not end.endswith(b"\n") and (more := file.readline(1 << 20)):
        hidden += len(more)
        end = more
    ended = "\r\n" if end.endswith(b"\r\n") else "\n" if end.endswith(b"\n") else ""
    text = piece.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r").replace("\0", "\N{SYMBOL FOR NULL}")
    if len(text) <= limits.LINE_CHARS and not hidden:
        return text, ended
    hidden += len(text[limits.LINE_CHARS :].encode())
    return f"{text[: limits.LINE_CHARS]} [line cut: {how_many(hidden, 'more byte')}]", ended


def _footer(first: int, last: int, left: int | None) -> list[str]:
    if left == 0 and first == 1:
        return []
    total = "" if left is None else f" of {last + left}"
    further = "" if left == 0 else f"; go on with offset={last + 1}"
    return [f"[lines {first}-{last}{total}{further}]"]


READ = Tool("read", "read", Read, run, preview, touches=(Touch(scope="read", argument="path"),))
