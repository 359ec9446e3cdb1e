"""Who watches a session hears how its subagents stand: whenever that changes, but no more often than is read."""

from collections.abc import Callable

import trio

from actors.agent.session.watchers import Watchers
from actors.messages.model import Retrying
from actors.messages.subagent import SubagentIs, SubagentsAre
from actors.messages.turn import FromSubagent, Notice

PAUSE_S = 0.25
"""Between two tellings."""


class Board:
    def __init__(self, watchers: Watchers, standing: Callable[[], tuple[SubagentIs, ...]]) -> None:
        self._watchers = watchers
        self._standing = standing
        self._changed = trio.Event()

    def changed(self) -> None:
        self._changed.set()

    def met(self, name: str, event: Retrying | Notice) -> None:
        """What no entry of the session says is told at once."""
        self._watchers.put(FromSubagent(name=name, event=event))

    async def run(self) -> None:
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            if standing := self._standing():
                await self._watchers.emit(SubagentsAre(subagents=standing))
            await trio.sleep(PAUSE_S)
