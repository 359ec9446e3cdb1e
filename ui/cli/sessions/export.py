"""`trouper sessions export`: a session as a file, for readers, for programs, or for another machine."""

import argparse
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import IO, Literal, assert_never

import msgspec
import trio

from actors.common.small_files import replacing
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.conversation import Entry
from actors.messages.store import ReadSession, SessionOpened
from actors.settings.config import Settings
from ui.cli.which_session import HELP, meant
from ui.common import json_text
from ui.common.exit_codes import DONE
from ui.common.usage_errors import Usage
from ui.headless.stdout import STDOUT, write_bytes
from ui.start.fronts import encoded

SUMMARY = "to a file: for readers, for programs, for another machine"
FORMATS = """
formats:
  jsonl     every entry of the whole tree, one JSON object a line; of attachments no data
  markdown  for readers: the path that the session is on
  html      the same as one page, images and all, that needs no network
  atif      a trajectory (ATIF 1.8) of that path, for programs
  trouper   all of it as one file, attachments and labels too, for trouper sessions import; with the files of the
            workspace as they were before and after each turn that wrote, so that rewind works there, too

In markdown, html and atif what looks like a secret is left out; look before you hand one on. jsonl and trouper are
whole: whatever was said and printed is in them, and in trouper whatever is in your files. It is for your own machines.
"""
Format = Literal["jsonl", "markdown", "html", "atif", "trouper"]
Write = Callable[[bytes], Awaitable[None]]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    format: Format = "jsonl"
    out: str = ""
    """An absolute path; "" for stdout."""
    files: bool = True
    """With the checkpoints, where the format has them."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = FORMATS
    parser.add_argument("id", metavar="ID", help=HELP)
    parser.add_argument(
        "--format", choices=("jsonl", "markdown", "html", "atif", "trouper"), default="jsonl", metavar="FORMAT",
        help="jsonl (default), markdown, html, atif or trouper",
    )  # fmt: skip
    parser.add_argument("--out", metavar="FILE", help="to there, for you only (default: stdout)")
    parser.add_argument("--without-files", action="store_true", help="of trouper: without the files of the workspace")
    parser.add_argument("--force", action="store_true", help="replace FILE where it is there already")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    """Raises Usage."""
    if options.without_files and options.format != "trouper":
        raise Usage(f"--without-files is for --format trouper; {options.format} has no files of the workspace.")
    out = Path(options.out).absolute() if options.out else None
    if out is not None:
        _check(out, force=options.force)
    elif options.format == "trouper" and os.isatty(STDOUT):
        raise Usage("that is no text for a terminal. Name a file: --out FILE")
    files = not options.without_files
    return encoded(Wanted(session_id=options.id, format=options.format, out=str(out or ""), files=files))


def _check(out: Path, *, force: bool) -> None:
    """Raises Usage."""
    try:
        found = out.stat()
    except FileNotFoundError:
        if not out.parent.is_dir():
            raise Usage(f"--out {out}: there is no folder {out.parent}.") from None
    except OSError as error:
        raise Usage(f"--out {out}: {error.strerror}.") from error
    else:
        if not stat.S_ISREG(found.st_mode):
            raise Usage(f"--out {out}: that is no regular file.")
        if not force:
            raise Usage(f"--out {out}: that is there already. To replace it: --force")


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    found = await meant(mailbox, settings, asked.session_id)
    asked = msgspec.structs.replace(asked, session_id=found.session_id)
    if not asked.out:
        await _export(mailbox, asked, write_bytes)
        return DONE
    try:
        with replacing(Path(asked.out)) as file:
            await _export(mailbox, asked, _into(file))
    except OSError as error:
        raise failed("bad_request", f"cannot write {asked.out}: {error.strerror}.") from error
    return DONE


def _into(file: IO[bytes]) -> Write:
    async def write(data: bytes) -> None:
        file.write(data)
        await trio.lowlevel.checkpoint()

    return write


async def _export(mailbox: Mailbox, asked: Wanted, write: Write) -> None:
    """Raises Failed, and what write raises."""
    match asked.format:
        case "jsonl":
            words = ReadSession(session_id=asked.session_id, whole_tree=True)
            await _read(mailbox, words, lambda entry: write(json_text.line(entry).encode()))
        case "trouper":
            from ui.headless import session_archive

            await session_archive.send(mailbox, asked.session_id, write, files=asked.files)
        case "atif":
            await _trajectory(mailbox, asked.session_id, write)
        case "markdown" | "html":
            await _transcript(mailbox, asked, write)
        case _:
            assert_never(asked.format)


async def _read(mailbox: Mailbox, words: ReadSession, take: Callable[[Entry], Awaitable[None]]) -> SessionOpened:
    """Raises Failed."""
    async with mailbox.stream("store", words) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                await take(entry)
        return await stream.result(SessionOpened)


def _by(add: Callable[[Entry], None]) -> Callable[[Entry], Awaitable[None]]:
    """A long session takes its time, and who is asked whether he lives meanwhile has to answer."""

    async def take(entry: Entry) -> None:
        add(entry)
        await trio.lowlevel.checkpoint()

    return take


async def _transcript(mailbox: Mailbox, asked: Wanted, write: Write) -> None:
    """Raises Failed, and what write raises."""
    from ui.session_files.html import html
    from ui.session_files.markdown import markdown
    from ui.session_files.transcript import Telling

    telling = Telling()
    words = ReadSession(session_id=asked.session_id, attachments=asked.format == "html")
    opened = await _read(mailbox, words, _by(telling.add))
    told = telling.transcript(opened.session_id, opened.cwd, opened.name)
    for piece in html(told) if asked.format == "html" else markdown(told):
        await write(piece.encode())


async def _trajectory(mailbox: Mailbox, session_id: str, write: Write) -> None:
    """Raises Failed, and what write raises."""
    from ui.session_files.atif import NoSteps, Telling

    telling = Telling()
    opened = await _read(mailbox, ReadSession(session_id=session_id), _by(telling.add))
    try:
        await write(telling.atif(opened.session_id).encode())
    except NoSteps:
        raise failed("bad_request", "nothing was said in this session yet, so it is no trajectory.") from None
