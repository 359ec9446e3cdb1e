"""A session and the checkpoints of its files as one archive, for another machine: put together and sent."""

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import IO

import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import BundleCheckpoints, Bundled, Checkpointed, TakenBack
from actors.messages.conversation import Entry
from actors.messages.store import ReadSession, ReadTree, SessionOpened, TreeNode
from ui.headless.one_answer import complain
from ui.session_files.archive import Writer

PIECE = 64 * 1024
FILES_TOO = (
    "the files of the workspace are in it, too, with whatever is secret in them: {what}. "
    "It is for your own machines; --without-files leaves them out."
)
NOT_KEPT = "not kept any more, so not in it: {what} of its files."
WITHOUT = "the checkpoints of its files are not in it: {why}"


class _Archive:
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.writer = Writer(file)
        self.named: dict[str, None] = {}
        """Ids of checkpoints."""

    def add(self, entry: Entry) -> None:
        self.writer.add(entry)
        match entry.body:
            case Checkpointed(checkpoint_id=found):
                self.named[found] = None
            case TakenBack(checkpoint_id=target, undo_id=undo):
                self.named |= {target: None, undo: None}
            case _:
                pass


async def send(mailbox: Mailbox, session_id: str, write: Callable[[bytes], Awaitable[None]], *, files: bool) -> None:
    """Raises Failed, and what write raises."""
    with tempfile.TemporaryFile() as file:
        archive = _Archive(file)
        words = ReadSession(session_id=session_id, whole_tree=True, attachments=True)
        async with mailbox.stream("store", words) as stream:
            async for entry in stream:
                if isinstance(entry, Entry):
                    archive.add(entry)
                    await trio.lowlevel.checkpoint()  # a long session takes its time, and a sign of life is asked for
            opened = await stream.result(SessionOpened)
        archive.named.pop("", None)
        if files and archive.named:
            await _add_checkpoints(mailbox, opened, archive)
        archive.writer.finish(opened, await _labels(mailbox, opened.session_id))
        file.seek(0)
        while piece := file.read(PIECE):
            await write(piece)


async def _add_checkpoints(mailbox: Mailbox, session: SessionOpened, archive: _Archive) -> None:
    """Without them it is still a session: why they are missing is said."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bundle")
        wanted = BundleCheckpoints(
            cwd=session.cwd, session_id=session.session_id, checkpoint_ids=tuple(archive.named), path=str(path)
        )
        try:
            bundled = await mailbox.insist("checkpoints", wanted, Bundled)
        except Failed as failure:
            complain(WITHOUT.format(why=failure))
            return
        if bundled.checkpoints:
            await trio.to_thread.run_sync(archive.writer.add_checkpoints, path)
            complain(FILES_TOO.format(what=how_many(bundled.checkpoints, "checkpoint")))
        if missing := len(archive.named) - bundled.checkpoints:
            complain(NOT_KEPT.format(what=how_many(missing, "checkpoint")))


async def _labels(mailbox: Mailbox, session_id: str) -> dict[str, str]:
    """The user's names for entries, by their ids. Raises Failed."""
    async with mailbox.stream("store", ReadTree(session_id=session_id)) as stream:
        return {node.entry_id: node.label async for node in stream if isinstance(node, TreeNode) and node.label}
