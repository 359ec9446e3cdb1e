"""/compact: the model is sent less of the session from now on; Esc stops it as long as it runs."""

import time
from collections.abc import Callable

import trio

from actors.errors import ActorDied, Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.turn import Compact
from ui.screen.session_view import SessionView


class Compaction:
    def __init__(self, mailbox: Mailbox, agent: str, session: SessionView, say: Callable[[str, str], None]) -> None:
        """say: text, level."""
        self._mailbox = mailbox
        self._agent = agent
        self._session = session
        self._say = say
        self._running: trio.CancelScope | None = None

    async def run(self, instructions: str) -> None:
        """What it came to is an entry of the session, and told as that."""
        if self._running is not None:
            self._say("it is being compacted already; esc stops that", "warning")
            return
        self._session.compacting_since = time.time()
        try:
            with trio.CancelScope() as self._running:
                await self._mailbox.ask(self._agent, Compact(instructions=instructions), Done)
            if self._running.cancelled_caught:
                self._say("compaction stopped: the session is as it was", "warning")
        except ActorDied:
            self._say("the agent died before it was compacted; /compact does it again", "error")
        except Failed as failure:
            self._say(str(failure), "error")
        finally:
            self._running = self._session.compacting_since = None

    def stop(self) -> bool:
        """False: none runs."""
        if self._running is None:
            return False
        self._running.cancel()
        return True
