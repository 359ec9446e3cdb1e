"""A prompt with the files that go with it, which are read at the last moment; and whether more may be named in it."""

import re
from collections.abc import Iterable

import msgspec
import trio

from actors.errors import failed
from actors.messages.turn import Prompt
from ui.common.attached_files import AttachedFile, NotAttachable, check_together, load

_BEGINS = r"(?<![^\s(\[{<\"',;])"
"""Not behind a letter, as in an address, nor behind a backtick: so one writes it where it is not meant."""
MENTION_BEGINS, SESSION_BEGINS = f"{_BEGINS}@", f"{_BEGINS}#"
"""Patterns."""
SESSION = re.compile(rf"{SESSION_BEGINS}(?=[\d_-]*[A-Za-z])([A-Za-z0-9][\w-]{{7,}})", re.ASCII)
"""May be the beginning of a session's id: as long as one is shown, and no number, which is an issue's."""


def may_name(typed: str) -> bool:
    """Most prompts do not, and who sends them need not know what reads files and asks others (ui.common.mentions)."""
    return "@" in typed or typed.lstrip().startswith("/") or SESSION.search(typed) is not None


async def with_files(prompt: Prompt, files: Iterable[AttachedFile]) -> Prompt:
    """Raises Failed when one of them is not there any more."""
    files = tuple(files)
    if not files:
        return prompt
    try:
        check_together(files)
        attachments = await trio.to_thread.run_sync(load, files)
    except NotAttachable as error:
        raise failed("bad_request", f"cannot attach {error}") from error
    return msgspec.structs.replace(prompt, attachments=attachments)
