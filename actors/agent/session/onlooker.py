"""What stands in for an agent without a session: it shows one that another program has, and adds nothing to it."""

from collections.abc import Callable

import trio

from actors.agent.session import door, held_elsewhere, resume, told
from actors.agent.session.held_elsewhere import Elsewhere
from actors.agent.session.history import History
from actors.errors import ActorDied
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done
from actors.messages.conversation import Entry
from actors.messages.store import Holder, HolderOf, ReadSession, SessionOpened
from actors.messages.turn import CaughtUp, Notice, OpenOther, SessionInfo, Subscribe, WhoHas
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

    def serve(self, request: Request) -> None:
        self._nursery.start_soon(request.serve, self._answer)

    def leave(self) -> None:
        """Nothing here is ours."""

    def look(self) -> door.Told:
        return door.Told()

    async def let_go(self, _wanted: door.Wanted) -> None:
        return

    async def _answer(self, request: Request) -> None:
        """Raises Failed."""
        match request.message:
            case WhoHas(session_id=session_id):
                said = session_id or await self._own()
                request.reply(await held_elsewhere.who_has(self._mailbox, self._settings, said))
            case OpenOther() as wanted if self._settings.interactive:
                await self._open(wanted)
                request.reply(Done())
            case Subscribe() as wanted if self._elsewhere.session_id:
                await self._show(request, wanted)
                request.reply(Done())
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

    async def _show(self, request: Request, wanted: Subscribe) -> None:
        """What is there and what is added, until something else is opened or it goes on from another entry."""
        entries = await self._read("")
        at = told.place(entries, wanted)
        await request.send(self._info(entries, at, wanted.after))
        await _tell(request, entries[at:])
        await request.send(CaughtUp())
        problem = self._elsewhere.problem
        await request.send(Notice(text=f"{problem.text} {problem.hint}", level="warning"))
        last = entries[-1].id if entries else ""
        held = True
        while not self._over.is_set():
            with trio.move_on_after(LOOK_S):
                await self._over.wait()
            added = await self._read(last)
            if added and added[0].parent != last:
                return
            await _tell(request, added)
            last = added[-1].id if added else last
            if held and not (held := held_elsewhere.may_have_it(await self._holder())):
                await request.send(Notice(text=FREE))

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
