"""What the session is called, for the status line: the store knows, whoever named it."""

from collections.abc import Callable
from dataclasses import dataclass

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.conversation import Named
from actors.messages.store import FindSession, Sessions
from actors.messages.turn import EntryAdded, SessionInfo
from ui.common import harmless
from ui.screen.session_view import SessionView


@dataclass(frozen=True)
class SessionName:
    mailbox: Mailbox
    session: SessionView
    poke: Callable[[], None]

    def is_told_by(self, event: Message) -> bool:
        """From here on it may be called otherwise."""
        named = isinstance(event, EntryAdded) and isinstance(event.entry.body, Named)
        return named or isinstance(event, SessionInfo)

    async def look(self) -> None:
        """Where the store cannot say, nothing is shown."""
        session_id = self.session.session_id
        try:
            found = await self.mailbox.insist("store", FindSession(said=session_id), Sessions)
        except Failed:
            return
        if self.session.session_id == session_id:
            self.session.called = harmless.one_line(found.sessions[0].name)
            self.poke()
