"""The session's events, one subscription after the other: through the deaths of the agent, and to other sessions."""

import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

import trio
from msgspec.structs import replace

from actors.errors import ActorDied, Failed
from actors.mailbox import Mailbox
from actors.messages.model import TextDelta, ThinkingDelta
from actors.messages.turn import EntryAdded, Event, SessionInfo, Subscribe
from ui.common import harmless
from ui.screen.session_view import SessionView
from ui.screen.sessions.other_sessions import NOT_OPENED

RESUBSCRIBE_S = 1.0
LONGEST = 2000
"""Characters: 10 ms of colours and layout, if nothing in it is made to be slow."""
OF_ENTRY = 200
"""As many an entry counts as."""


@dataclass
class Following:
    mailbox: Mailbox
    agent: str
    session: SessionView
    heard: Callable[[Event], None]
    """But deltas: there are many a second, and nobody but the session has to know."""
    drawn: Callable[[int], Awaitable[None]]
    """Something was heard, of so many characters; returns when more can be."""
    instead: Callable[[Failed], Awaitable[str | None]]
    """The session cannot be opened: what then, as of OtherSessions."""
    unsent: Callable[[], None]
    """Nothing of the session is there yet, and who was to send its first prompt may have died."""
    say: Callable[[str, str], None]
    """text, level."""
    leave: Callable[[str], None]
    """Why."""
    subscribed: trio.Event = field(default_factory=trio.Event)
    """It is known which session this is."""

    async def session_id(self) -> str:
        await self.subscribed.wait()
        return self.session.session_id

    async def run(self) -> None:
        """From what the scrollback has on."""
        trouble = ""
        while True:
            wanted = Subscribe(after=self.session.last_seen, only_end=True)
            try:
                async with self.mailbox.stream(self.agent, wanted) as stream:
                    async for event in stream:
                        for part, weight in portions(event):  # type: ignore[arg-type]  # a message, says the mailbox
                            self._take(part)
                            await self.drawn(weight)
                        if isinstance(event, SessionInfo):
                            self.subscribed.set()
                        trouble = ""
                self.subscribed = trio.Event()  # the session goes on elsewhere
            except ActorDied:
                continue  # the router holds the next one until the replacement is up
            except Failed as error:
                if error.problem.code in NOT_OPENED:
                    why = await self.instead(error)
                    if why is not None:
                        self.leave(why and harmless.one_line(f"trouper: {why}"))
                        return
                    self.unsent()
                    continue
                if str(error) != trouble:
                    trouble = str(error)
                    self.say(trouble, "error")
                await trio.sleep(RESUBSCRIBE_S)

    def _take(self, event: Event) -> None:
        if isinstance(event, TextDelta | ThinkingDelta):
            self.session.apply(event, time.time())
        else:
            self.heard(event)


def portions(event: Event) -> Iterator[tuple[Event, int]]:
    """The same in short events, so that keys are heard between them; each with what it weighs in characters."""
    if not isinstance(event, TextDelta):
        yield event, OF_ENTRY if isinstance(event, EntryAdded) else 0
        return
    text = event.text
    for at in range(0, max(len(text) - LONGEST, 0), LONGEST):
        yield replace(event, text=text[at : at + LONGEST], cites=()), LONGEST
    rest = text[max(-(-len(text) // LONGEST) - 1, 0) * LONGEST :]
    yield replace(event, text=rest), len(rest)
