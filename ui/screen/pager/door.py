"""The pager from the outside: opened, it has the screen and the keys, until it is closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import trio

from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.turn import EntryAdded, SessionInfo
from ui.screen.paint import Painter
from ui.screen.terminal.keys import Event, Report

if TYPE_CHECKING:
    from ui.screen.pager.pager import Pager
    from ui.screen.pager.reading import Reading


@dataclass
class PagerDoor:
    mailbox: Mailbox
    painter: Painter
    start: Callable[..., None]
    """A task: its function and arguments."""
    _pager: Pager | None = None
    _reading: Reading | None = None
    _scope: trio.CancelScope | None = None

    def open(self) -> None:
        """Over the session that is shown."""
        from ui.screen.pager.pager import Pager
        from ui.screen.pager.reading import Reading

        scene = self.painter.scene
        self._pager = Pager(lambda: scene.controls.questions.current, scene.theme, scene.controls.keys)
        self._reading = Reading(self.mailbox, lambda: scene.session.session_id, self._pager, self.painter.poke)
        self._scope = trio.CancelScope()
        self.painter.cover(self._pager)
        self.start(self._read, self._reading, self._scope)

    def close(self) -> None:
        self._pager = self._reading = None
        if self._scope is not None:
            self._scope.cancel()
        self.painter.cover(None)

    def takes(self, event: Event) -> bool:
        """False: it is not open, or the key is not for it. What gives the terminal back closes the pager first."""
        if self._pager is None or isinstance(event, Report):
            return False
        if self.painter.scene.controls.suspends(event):
            self.close()
            return False
        self._key(self._pager, event)
        return True

    def heard(self, event: Message) -> None:
        if self._reading is not None and isinstance(event, EntryAdded | SessionInfo):
            self._reading.heard()

    def _key(self, pager: Pager, event: Event) -> None:
        from ui.screen.pager.pager import Close, Copy

        match pager.key(event):
            case Close():
                self.close()
            case Copy(text=text):
                self.painter.to_clipboard(text)
            case None:
                pass
        if self._reading is not None:
            self._reading.look()
        self.painter.poke(urgent=True)

    async def _read(self, reading: Reading, scope: trio.CancelScope) -> None:
        with scope:
            await reading.run()
