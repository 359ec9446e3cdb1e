"""A prompt with the files that go with it, which are read at the last moment; and whether more may be named in it."""

from collections.abc import Iterable

import msgspec
import trio

from actors.errors import failed
from actors.messages.turn import Prompt
from ui.common.attached_files import AttachedFile, NotAttachable, check_together, load

MENTION_BEGINS = r"(?<![^\s(\[{<\"',;])@"
"""A pattern. Not behind a letter, as in an address, nor behind a backtick: so one writes it where it is not meant."""


def may_name(typed: str) -> bool:
    """Most prompts do not, and who sends them need not know what reads files and asks servers (ui.common.mentions)."""
    return "@" in typed or typed.lstrip().startswith("/")


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
