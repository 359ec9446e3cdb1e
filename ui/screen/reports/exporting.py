"""/export: the session to a file of the workspace, in the form that its name says; nothing is written over."""

from collections.abc import Iterable
from pathlib import Path

import trio

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.conversation import Entry
from actors.messages.store import ReadSession, SessionOpened

FORMS = {".md": "markdown", ".html": "html", ".jsonl": "jsonl"}
LATER = "trouper sessions export has other forms."


async def export(mailbox: Mailbox, session_id: str, cwd: Path, file: str) -> Path:
    """Where it is now. Raises Failed."""
    path = _named(cwd, file or f"session-{session_id[:8]}.md")
    if path.suffix not in FORMS:
        raise failed("bad_request", f"/export {file}: its name has to end in {', '.join(FORMS)}.", LATER)
    text = await _jsonl(mailbox, session_id) if path.suffix == ".jsonl" else await _page(mailbox, session_id, path)
    await trio.to_thread.run_sync(_write, path, text)
    return path


def _named(cwd: Path, file: str) -> Path:
    return cwd / Path(file).expanduser()


def _write(path: Path, text: Iterable[str]) -> None:
    """For its user only. Raises Failed."""
    try:
        with path.open("x", encoding="utf-8", errors="backslashreplace") as out:
            path.chmod(0o600)
            out.writelines(text)
    except FileExistsError:
        raise failed("bad_request", f"{path} is there already.", "Write another name: /export FILE") from None
    except OSError as error:
        raise failed("bad_request", f"cannot write {path}: {error.strerror}.") from error


async def _jsonl(mailbox: Mailbox, session_id: str) -> list[str]:
    from ui.common import json_text

    lines: list[str] = []
    async with mailbox.stream("store", ReadSession(session_id=session_id, whole_tree=True)) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                lines.append(json_text.line(entry))  # noqa: PERF401
        await stream.result(SessionOpened)
    return lines


async def _page(mailbox: Mailbox, session_id: str, path: Path) -> Iterable[str]:
    """Of the path that the session is on; what looks like a secret is left out."""
    from ui.session_files.html import html
    from ui.session_files.markdown import markdown
    from ui.session_files.transcript import Telling

    telling = Telling()
    wanted = ReadSession(session_id=session_id, attachments=path.suffix == ".html")
    async with mailbox.stream("store", wanted) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                telling.add(entry)
        opened = await stream.result(SessionOpened)
    told = telling.transcript(opened.session_id, opened.cwd, opened.name)
    made = []
    for piece in html(told) if path.suffix == ".html" else markdown(told):
        made.append(piece)
        await trio.lowlevel.checkpoint()  # the screen goes on meanwhile; in a thread code could not be given up on
    return made
