"""Worktrees of a batch that nobody goes on with are removed beside its work: some at a time, and none in use."""

from collections.abc import Callable, Collection, Iterator

import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from ui.batch.journal import Journal
from ui.batch.workplace import listed, remove

AT_ONCE = 3
"""Of the eight that the checkpoints see to at one time: the tasks need theirs."""
QUIET_S = 1.0
"""What takes longer is told of."""
AGAIN_S = 10.0


class Sweep:
    def __init__(
        self,
        mailbox: Mailbox,
        journal: Journal,
        in_use: Callable[[], Collection[str]],
        say: Callable[[str], None],
    ) -> None:
        """in_use: sessions of the tasks at work at this moment, whatever their rows say."""
        self._mailbox = mailbox
        self._journal = journal
        self._in_use = in_use
        self._say = say
        self._gone = 0

    async def run(self) -> None:
        """The program ended, or something died, before they went. What cannot be removed stays for the next time.

        Raises Failed where that cannot be journaled, Usage and OSError where the file of results cannot be written.
        """
        try:
            left = self._journal.left_behind(await listed(self._mailbox), self._in_use())
        except Failed as failure:
            self._say(f"worktrees of this batch may be left: {failure}")
            return
        todo = iter(left.items())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tell, len(left))
            async with trio.open_nursery() as removing:
                for _ in range(AT_ONCE):
                    removing.start_soon(self._remove, todo)
            nursery.cancel_scope.cancel()
        if self._gone:
            self._journal.settle()  # not after each: it is the whole file

    async def _remove(self, todo: Iterator[tuple[str, str]]) -> None:
        """One after the other, until none is left."""
        for key, cwd in todo:
            try:
                ref = await remove(self._mailbox, key, cwd)
            except Failed:
                continue
            await self._journal.keep_ref(key, ref)
            self._gone += 1

    async def _tell(self, number: int) -> None:
        await trio.sleep(QUIET_S)
        self._say(f"removing {how_many(number, 'worktree')} of tasks that have ended; the others go on meanwhile")
        while True:
            await trio.sleep(AGAIN_S)
            self._say(f"removed {self._gone} of {how_many(number, 'worktree')}")
