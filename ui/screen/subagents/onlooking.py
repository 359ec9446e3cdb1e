"""A subagent's session on the screen, until the user goes back: live while it works, else from the store."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from actors.errors import ActorDied, Failed
from actors.messages.base import Message
from actors.messages.conversation import Entry
from actors.messages.store import ReadSession, SessionOpened
from actors.messages.subagent import SubagentIs
from actors.messages.turn import EntryAdded, SessionInfo, Subscribe
from ui.common import harmless
from ui.screen.intents import Send
from ui.screen.session_view import SessionView
from ui.screen.shown import Other, Shown
from ui.screen.subagents.orders import Orders
from ui.screen.transcript.blocks import Note
from ui.screen.transcript.subagents.standing import OVER
from ui.screen.transcript.waiting import Sent

LAST = 200
"""Entries of a stored session: more are in `trouper sessions show`."""


@dataclass
class Onlooking:
    orders: Orders
    shown: Shown
    give_back: Callable[[Send], None]
    """Into the composer."""
    poke: Callable[[], None]
    """Something on the screen has changed."""
    _looking: trio.CancelScope = field(default_factory=trio.CancelScope)
    _told: trio.Event = field(default_factory=trio.Event)

    async def at(self, one: SubagentIs) -> None:
        """Until the user goes back."""
        self.back()
        session = SessionView()
        self.shown.look_at(one, session)
        session.say(Note(in_words(self._now(one))))
        self.poke()
        with trio.CancelScope() as self._looking:
            while True:
                now = self._now(one)
                try:
                    await (self._live(now.agent, session) if now.agent else self._stored(now, session))
                except ActorDied:
                    continue  # the router holds the next subscription until the replacement is up
                except Failed as failure:
                    if now.state in OVER:
                        session.say(Note(str(failure), "error"))
                session.turn_over()
                self.poke()
                await self._changes(now)

    def back(self) -> bool:
        """False: one is there."""
        if self.shown.other is None:
            return False
        self._looking.cancel()
        self.shown.back()
        self.poke()
        return True

    async def tell(self, other: Other, intent: Send) -> None:
        """It is what the user looks at. What is not taken comes back into the composer."""
        prompt_id = uuid.uuid4().hex
        if intent.files:
            other.session.say(Note("images and files can only go to the main agent: esc goes back to it", "warning"))
            self.give_back(intent)
            return
        other.session.sent.append(Sent(prompt_id, intent.text))
        if not await self.orders.steer(other.subagent.name, intent.text, prompt_id):
            other.session.sent = [sent for sent in other.session.sent if sent.prompt_id != prompt_id]
            self.give_back(intent)
        self.poke()

    def heard(self) -> None:
        """Something of a subagent."""
        self._told.set()
        self._told = trio.Event()

    def _now(self, one: SubagentIs) -> SubagentIs:
        return self.shown.own.subagents.named(one.name) or one

    async def _changes(self, before: SubagentIs) -> None:
        """It begins, ends, or is asked to go on."""
        while (now := self._now(before)).agent == before.agent and now.state == before.state:
            await self._told.wait()

    async def _live(self, agent: str, session: SessionView) -> None:
        """Until the actor is gone. Raises Failed."""
        wanted = Subscribe(after=session.last_seen, only_end=True)
        async with self.orders.mailbox.stream(agent, wanted) as stream:
            async for event in stream:
                self._take(session, event)

    async def _stored(self, one: SubagentIs, session: SessionView) -> None:
        """What the session has that is not shown yet. Raises Failed."""
        if not session.session_id:
            self._take(session, SessionInfo(session_id=one.session_id, model="", cwd="", mode="plan", busy=False))
        wanted = ReadSession(session_id=one.session_id, after=session.last_seen, last=LAST)
        async with self.orders.mailbox.stream("store", wanted) as stream:
            async for item in stream:
                if isinstance(item, Entry):
                    self._take(session, EntryAdded(entry=item))
            await stream.result(SessionOpened)

    def _take(self, session: SessionView, event: Message) -> None:
        session.apply(event, time.time())  # type: ignore[arg-type]  # the mailbox knows only that it is a message
        self.poke()


def in_words(one: SubagentIs) -> str:
    facts = ", ".join(filter(None, [harmless.one_line(one.kind), one.state]))
    return f"agent {harmless.one_line(one.name)} ({facts}): what you send goes to it, esc goes back"
