"""What stands in for an agent without a session: it shows one that another program has, and adds nothing to it.

Where that is the session of a subagent, its parent's program is asked to tell it things, and to cancel it.
"""

from collections.abc import Callable

import trio

from actors.agent.session import held_elsewhere, resume, steered, told
from actors.agent.session.held_elsewhere import Elsewhere
from actors.agent.session.history import History
from actors.agent.session.steered import Steered
from actors.common.doors.words import Ordered, Told, Wanted
from actors.errors import ActorDied, failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done
from actors.messages.conversation import Entry
from actors.messages.store import Holder, HolderOf, ReadSession, SessionOpened
from actors.messages.subagent import SubagentIs
from actors.messages.turn import (
    Accepted,
    CancelTurn,
    CaughtUp,
    Notice,
    OpenOther,
    Prompt,
    SessionInfo,
    Subscribe,
    WhoHas,
)
from actors.settings.config import Settings

LOOK_S = 1.0
"""Between two looks at what has been added."""
FREE = "nobody has this session any more: /takeover goes on with it here."


class Onlooker:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        nursery: trio.Nursery,
        elsewhere: Elsewhere,
        go_on: Callable[[History | Elsewhere], None],
    ) -> None:
        """go_on: with what was opened instead."""
        self._mailbox = mailbox
        self._settings = settings
        self._nursery = nursery
        self._elsewhere = elsewhere
        self._go_on = go_on
        self._over = trio.Event()
        self._opening = trio.Lock()
        self._steered: Steered | None = None
        """The subagent that is looked at."""

    def serve(self, request: Request) -> None:
        self._nursery.start_soon(request.serve, self._answer)

    def leave(self) -> None:
        """Nothing here is ours."""

    @property
    def shows(self) -> bool:
        return bool(self._elsewhere.session_id)

    @property
    def parent(self) -> "Onlooker":
        return self

    def look(self) -> Told:
        return Told()

    def agents(self, _below: str) -> tuple[SubagentIs, ...]:
        return ()

    async def let_go(self, _wanted: Wanted) -> None:
        return

    async def ordered(self, _wanted: Ordered) -> SubagentIs:
        """Raises Failed."""
        raise failed("gone", "the session that it belongs to is not open there any more.", "See: trouper agents")

    async def end_of(self, _name: str) -> SubagentIs | None:
        return None

    async def _answer(self, request: Request) -> None:
        """Raises Failed."""
        match request.message:
            case WhoHas(session_id=session_id):
                said = session_id or await self._own()
                request.reply(await held_elsewhere.who_has(self._mailbox, self._settings, said))
            case OpenOther() as wanted if self._settings.interactive:
                await self._open(wanted)
                request.reply(Done())
            case Subscribe() as wanted if self.shows:
                await self.subscribe(wanted, request)
            case Prompt() as prompt if self._steered:
                await self._steered.steer(prompt)
                request.reply(Accepted(turn_id=prompt.prompt_id))
            case CancelTurn() if self._steered:
                await self._steered.cancel()
                request.reply(Done())
            case _ if self._steered:
                raise self._steered.refusal
            case _:
                request.fail(self._elsewhere.problem)

    async def _own(self) -> str:
        """The session that this agent would have. Raises Failed."""
        return self._elsewhere.session_id or await resume.wanted(self._mailbox, self._settings)

    async def _open(self, wanted: OpenOther) -> None:
        """Raises Failed. Whoever asks again has it already."""
        async with self._opening:
            if self._over.is_set():
                return
            found = await held_elsewhere.opened(self._mailbox, self._settings, wanted)
            await resume.remember(self._mailbox, self._settings, found.session_id)
            self._over.set()
            self._go_on(found)

    async def subscribe(self, wanted: Subscribe, request: Request) -> None:
        """What is there and what is added, until something else is opened, it goes on from another entry, or what can
        be done with it is different.
        """
        self._steered = await steered.found(self._settings.home, self._elsewhere.session_id)
        await self._show(request, wanted)
        request.reply(Done())

    async def _show(self, request: Request, wanted: Subscribe) -> None:
        entries = await self._read("")
        at = told.place(entries, wanted)
        await request.send(self._info(entries, at, wanted.after))
        await _tell(request, entries[at:])
        await request.send(CaughtUp())
        await request.send(self._notice())
        held = self._steered is None  # who takes it over may be about to open it: nobody has it for a moment
        last = entries[-1].id if entries else ""
        while not self._over.is_set():
            with trio.move_on_after(LOOK_S):
                await self._over.wait()
            is_different = await self._is_different()
            added = await self._read(last)
            if added and added[0].parent != last:
                return
            await _tell(request, added)
            last = added[-1].id if added else last
            if is_different:
                return
            if held and not (held := held_elsewhere.may_have_it(await self._holder())):
                await request.send(Notice(text=FREE))

    def _notice(self) -> Notice:
        if self._steered is not None:
            return Notice(text=self._steered.notice)
        problem = self._elsewhere.problem
        return Notice(text=f"{problem.text} {problem.hint}", level="warning")

    async def _is_different(self) -> bool:
        """The subagent has ended, goes on again, or its program has ended: who looks on is told anew."""
        if self._steered is None:
            return False
        had_ended = self._steered.has_ended
        return not await self._steered.look() or self._steered.has_ended != had_ended

    async def _holder(self) -> Holder:
        wanted = HolderOf(session_id=self._elsewhere.session_id, cwd=self._settings.cwd)
        return await self._mailbox.insist("store", wanted, Holder)

    def _info(self, entries: list[Entry], at: int, after: str) -> SessionInfo:
        knows = told.after(entries, after) > 0
        used, latest = told.used(entry.body for entry in entries[:at])
        return SessionInfo(
            session_id=self._elsewhere.session_id,
            model="",
            cwd=self._settings.cwd,
            mode=self._settings.mode,
            busy=False,
            read_only=self._elsewhere.problem.text,
            steered="" if self._steered is None or self._steered.has_ended else self._steered.agent.name,
            used=used,
            latest=latest,
            goes_on=knows or not after,
            earlier=0 if knows else told.untold(len(entries), entries[at:]),
        )

    async def _read(self, after: str) -> list[Entry]:
        """Raises Failed."""
        while True:
            try:
                wanted = ReadSession(session_id=self._elsewhere.session_id, after=after)
                async with self._mailbox.stream("store", wanted) as stream:
                    entries = [entry async for entry in stream if isinstance(entry, Entry)]
                    await stream.result(SessionOpened)
                return entries
            except ActorDied:
                continue  # the router holds the next one until the replacement is up


async def _tell(request: Request, entries: list[Entry]) -> None:
    for event in told.additions(entries):
        await request.send(event)
