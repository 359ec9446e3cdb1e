"""The front of the troupe's scenes: what it asks of the actors and of the supervisor, and what it hears of them."""

import os
from collections.abc import Callable
from pathlib import Path

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import ActorRestarted, DescribeTree, Tree
from actors.messages.turn import CancelTurn

QUESTION = CancelTurn()


class Front:
    """What every scene needs."""

    def __init__(self, mailbox: Mailbox) -> None:
        self.mailbox = mailbox

    async def tree(self) -> Tree:
        return await self.mailbox.ask("supervisor", DescribeTree(), Tree)

    async def pid(self, name: str) -> int:
        """Once it has one: who was told that it is started may be there before its process is."""
        pids: list[int] = []

        def there(tree: Tree) -> bool:
            pids[:] = [actor.pid for actor in tree.actors if actor.name == name and actor.pid]
            return bool(pids)

        await self.until(there)
        return pids[0]

    async def zygote(self) -> int:
        """The child of the supervisor that is no actor."""
        children = Path(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read_text().split()
        known = {str(actor.pid) for actor in (await self.tree()).actors}
        (zygote,) = [int(pid) for pid in children if pid not in known]
        return zygote

    async def until(self, holds: Callable[[Tree], bool]) -> None:
        while not holds(await self.tree()):
            pass

    async def echo(self) -> None:
        await self.mailbox.insist("echo", QUESTION, Done)

    async def restarted(self) -> ActorRestarted:
        async for request in self.mailbox:
            if isinstance(request.message, ActorRestarted):
                return request.message
        raise AssertionError
