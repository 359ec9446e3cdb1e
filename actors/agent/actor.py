"""The agent: takes prompts, runs turns, tells who watches. Everything it must not forget is in the store first."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, get_args

import trio

from actors.agent import rewind
from actors.agent.compaction.asked import AskedCompaction
from actors.agent.conversation import AnsweredBeside, Conversation
from actors.agent.session import held_elsewhere, leaving, resume
from actors.agent.session.finishing import to_its_end
from actors.agent.session.held_elsewhere import Elsewhere
from actors.agent.session.history import EndTurn, History
from actors.agent.session.onlooker import Onlooker
from actors.agent.session.opening import Opening
from actors.common import rewind_goal
from actors.common.doors import door
from actors.common.doors.words import MAIN, Told, Wanted, path_of
from actors.errors import Failed, UnexpectedMessage, failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.conversation import Body
from actors.messages.mcp import RestartServers, ServersRestarted
from actors.messages.tool import OfferChanged
from actors.messages.turn import (
    Accepted,
    CancelTurn,
    Compact,
    GoTo,
    OpenOther,
    PreviewRewind,
    Prompt,
    Rewind,
    Rewound,
    Scope,
    SetModel,
    StartOver,
    Subscribe,
    TurnStopped,
    WhoHas,
)
from actors.settings.config import Settings

INTERRUPTED = EndTurn("interrupted")
Handler = Callable[[Any, Request], Awaitable[None]]
"""Of one kind of message."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """As the agent of a session or, where another program has that, as an onlooker."""
    now: Agent | Onlooker

    def go_on(found: History | Elsewhere) -> None:
        nonlocal now
        if isinstance(found, Elsewhere):
            now = Onlooker(mailbox, settings, nursery, found, go_on)
        else:
            now = Agent(mailbox, settings, found, nursery, go_on)
            nursery.start_soon(now.take_turns)

    async with trio.open_nursery() as nursery:
        opening = Opening(mailbox, settings, nursery)
        try:
            go_on(await opening.history())
        except Failed as failure:
            go_on(await held_elsewhere.instead(mailbox, settings, failure.problem))
        if settings.subagent is None:
            path = path_of(settings.home, settings.run_id, mailbox.name)
            nursery.start_soon(door.serve, path, lambda: now, nursery, partial(_restart_servers, mailbox))
        await opening.hand_over(now.serve, now.subscribe if isinstance(now, Agent) or now.shows else None)
        async for request in mailbox:
            now.serve(request)
        now.leave()
        nursery.cancel_scope.cancel()


async def _restart_servers(mailbox: Mailbox, wanted: RestartServers) -> ServersRestarted:
    """For whoever comes from outside. Raises Failed."""
    return await mailbox.insist("gate", wanted, ServersRestarted)


class Agent:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        history: History,
        nursery: trio.Nursery,
        give_way: Callable[[Elsewhere], None],
    ) -> None:
        """nursery: for what goes on beside the turns of the session that is open. give_way: it is let go of."""
        self._mailbox = mailbox
        self._settings = settings
        self._nursery = nursery
        self._give_way = give_way
        self._until_gone = trio.CancelScope()
        self._taking = trio.Lock()
        self._to_do = trio.Event()
        self._running: trio.CancelScope | None = None
        self._end = INTERRUPTED
        """Of the turn that is cancelled next."""
        self._scope: Scope = "turn"
        """What ends with it: only the subagents that it waits for, or all."""
        self._turn_over = trio.Event()
        self._compaction = AskedCompaction()
        self._handlers: dict[type[Message], Handler] = {
            Prompt: self.take_prompt,
            CancelTurn: self.cancel,
            SetModel: self.set_model,
            StartOver: self.start_over,
            GoTo: self.go_to,
            PreviewRewind: self.preview_rewind,
            Rewind: self.rewind,
            OpenOther: self.open_other,
            WhoHas: self.who_has,
            Subscribe: self.subscribe,
            Compact: self.compact,
            **dict.fromkeys(get_args(AnsweredBeside), self.answer),
        }
        self._open(Conversation(mailbox, settings, history))
        if history.turn_id or history.queue.next:
            self._to_do.set()

    def serve(self, request: Request) -> None:
        message = request.message
        if isinstance(message, OfferChanged):
            self._conversation.offer_changed()
        elif handler := self._handlers.get(type(message)):
            self._nursery.start_soon(request.serve, partial(handler, message))
        else:
            raise UnexpectedMessage(message)

    def _open(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._beside = trio.CancelScope()

        async def run(scope: trio.CancelScope) -> None:
            with scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(conversation.run)
                    await self._go_when_lost(conversation)

        self._nursery.start_soon(run, self._beside)

    async def take_turns(self) -> None:
        """One turn after another; the first may be one that an earlier life left open."""
        with self._until_gone:
            while True:
                await self._to_do.wait()
                await self._compaction.over.wait()
                self._to_do = trio.Event()
                while self._conversation.begin_next():
                    if not await self._take_turn():
                        break

    async def _take_turn(self) -> bool:
        """False when it could not be brought to its end."""
        self._turn_over = trio.Event()
        conversation = self._conversation
        try:
            with trio.CancelScope() as self._running:
                await conversation.take_turn()
            if self._running.cancelled_caught:
                await self._close_turn()
        except Failed as failure:
            await conversation.watchers.emit(TurnStopped(text=str(failure)))
            return False
        finally:
            self._running = None
            self._turn_over.set()
        return True

    async def _close_turn(self) -> None:
        await self._conversation.close_turn(self._end, self._scope)
        self._end, self._scope = INTERRUPTED, "turn"

    async def take_prompt(self, prompt: Prompt, request: Request) -> None:
        """Raises Failed when it cannot be saved, is refused, or its commands were cancelled."""
        typed = prompt.text
        recorded: tuple[Body, ...] = ()
        if not self._conversation.history.turn_of(prompt.prompt_id):
            # before the lock: an Esc must not wait for the providers, for hooks or for commands
            prompt, recorded = await self._conversation.checked(prompt)
        async with self._taking:  # not in a task of its own: a cancel right behind it would be there first
            self._conversation.naming.prompted(typed)
            try:
                turn_id = await self._conversation.accept(prompt, *recorded)
            except trio.Cancelled:  # who asked is dead; the next front finds the prompt in the session
                self._to_do.set()
                raise
            self._to_do.set()
        request.reply(Accepted(turn_id=turn_id))

    async def set_model(self, wanted: SetModel, request: Request) -> None:
        """From the next request on, also of a turn that runs. Raises Failed."""
        request.reply(await self._conversation.set_model(wanted))

    async def cancel(self, wanted: CancelTurn, request: Request) -> None:
        """Also a turn that is about to begin, for a prompt that came before this, and commands of one to come."""
        self._end = EndTurn("timeout" if wanted.reason == "timeout" else "interrupted", wanted.text)
        self._scope = wanted.scope
        self._conversation.withdraw(wanted.withdraw)  # before anything waits: none of them joins the turn any more
        await self._conversation.end_commands()
        async with self._taking:
            await self._begun()
        await self._interrupt()
        if wanted.scope == "tree":
            await self._conversation.subagents.cancel(self._conversation.subagents.unfinished)
        request.reply(Done())

    async def _begun(self) -> None:
        """Until the turn of what was accepted runs."""
        while self._to_do.is_set() and self._running is None and not self._compaction.is_on:
            await trio.lowlevel.checkpoint()

    async def compact(self, wanted: Compact, request: Request) -> None:
        """Prompts that come meanwhile wait for it. Raises Failed."""
        async with self._taking:
            if self._conversation.history.turn_id or self._compaction.is_on:
                raise failed("refused", "not while a turn runs.", "Wait for its end, or end it with Esc.")
            begun = self._compaction.begin()
        compact = partial(self._conversation.compact, wanted.instructions)
        await self._compaction.run(begun, compact, self._conversation.nothing_under_way)
        request.reply(Done())

    async def answer(self, wanted: AnsweredBeside, request: Request) -> None:
        """Raises Failed."""
        request.reply(await self._conversation.answer(wanted))

    async def _interrupt(self) -> None:
        await self._compaction.stop()
        if self._running is not None:
            self._running.cancel()
            await self._turn_over.wait()

    async def start_over(self, wanted: StartOver, request: Request) -> None:
        """Raises Failed."""
        await to_its_end(self._nursery, self._taking, partial(self._start_over, wanted))
        request.reply(Accepted(turn_id=self._conversation.history.turn_of(wanted.prompt_id)))

    async def go_to(self, wanted: GoTo, request: Request) -> None:
        """Raises Failed."""
        await to_its_end(self._nursery, self._taking, partial(self._go_to, wanted.entry_id))
        request.reply(Done())

    async def preview_rewind(self, wanted: PreviewRewind, request: Request) -> None:
        """Raises Failed."""
        goal = rewind_goal.goal(await self._conversation.path(), wanted.entry_id)
        request.reply(await rewind.preview(self._mailbox, self._settings.cwd, wanted, goal))

    async def rewind(self, wanted: Rewind, request: Request) -> None:
        """Raises Failed."""
        outcome: list[Rewound] = []

        async def act() -> None:
            outcome.append(await self._rewind(wanted))

        await to_its_end(self._nursery, self._taking, act)
        request.reply(outcome[0])

    async def open_other(self, wanted: OpenOther, request: Request) -> None:
        """Raises Failed."""
        await to_its_end(self._nursery, self._taking, partial(self._open_other, wanted))
        request.reply(Done())

    async def who_has(self, wanted: WhoHas, request: Request) -> None:
        """Raises Failed."""
        request.reply(await held_elsewhere.who_has(self._mailbox, self._settings, wanted.session_id))

    def leave(self) -> None:
        """The program ends."""
        self._conversation.subagents.let_go()

    def look(self) -> Told:
        return held_elsewhere.told(self._settings, self._conversation.history, busy=self._is_busy())

    def _is_busy(self) -> bool:
        return self._running is not None or self._to_do.is_set()  # an open turn of an earlier life, too

    @property
    def parent(self) -> Conversation:
        return self._conversation

    async def let_go(self, wanted: Wanted) -> None:
        """Raises Failed, then the session is still ours."""
        if self._mailbox.name != MAIN:
            raise failed("refused", "it is a task of a batch.", "See: trouper batch cancel")

        async def act() -> None:
            if wanted.session_id == self._conversation.history.session_id:
                elsewhere = held_elsewhere.taken_by(wanted.session_id, wanted.who)
                await self._leave_to(elsewhere, EndTurn("interrupted", f"{wanted.who} has taken this session over."))

        await to_its_end(self._nursery, self._taking, act)

    async def _start_over(self, wanted: StartOver) -> None:
        session_id = resume.fresh_id(self._mailbox, self._settings, wanted.prompt_id)
        if self._conversation.history.session_id != session_id:
            history = await resume.open_fresh(self._mailbox, self._settings, session_id)
            await self._leave_for(history, leaving.GOES_ON_ELSEWHERE)
        await self._conversation.accept(Prompt(prompt_id=wanted.prompt_id, text=wanted.text))
        self._conversation.naming.prompted(wanted.text)
        self._to_do.set()

    async def _open_other(self, wanted: OpenOther) -> None:
        found = await held_elsewhere.opened(self._mailbox, self._settings, wanted)
        if isinstance(found, Elsewhere):
            await resume.remember(self._mailbox, self._settings, found.session_id)
            await self._leave_to(found, INTERRUPTED)
        elif found.session_id != self._conversation.history.session_id:
            await self._leave_for(found, leaving.LEFT)

    async def _leave_to(self, elsewhere: Elsewhere, end: EndTurn) -> None:
        """Another program's session is looked at from now on; to the one that was open here nothing is added."""
        old = self._conversation
        await self._stop(end)
        await old.journal.close(Failed(elsewhere.problem))
        try:
            await resume.leave(self._mailbox, old.history.session_id)
        except Failed:
            old.journal.open_again()
            raise
        self._go(elsewhere)

    async def _go_when_lost(self, conversation: Conversation) -> None:
        await conversation.journal.lost.wait()
        with suppress(Failed):  # then every save goes on failing
            self._go(await held_elsewhere.looked_at(self._mailbox, self._settings, conversation.history.session_id))

    def _go(self, elsewhere: Elsewhere) -> None:
        self._beside.cancel()
        self._until_gone.cancel()
        self._give_way(elsewhere)
        self._conversation.watchers.end()

    async def _leave_for(self, history: History, end: EndTurn) -> None:
        """The other session exists before the next life is told of it, so a death in between costs nothing."""
        old = self._conversation
        await self._stop(end)
        await resume.remember(self._mailbox, self._settings, history.session_id)
        self._switch(history)
        if old.history.chosen is not None and history.chosen is None:
            await self._conversation.journal.save(old.history.chosen)
        old.watchers.end()
        if history.turn_id:
            self._to_do.set()
        with suppress(Failed):  # then it is this program's until that ends
            await resume.leave(self._mailbox, old.history.session_id)

    async def _rewind(self, wanted: Rewind) -> Rewound:
        """The files first: whoever dies before the session has gone back, too, is asked for it again. Raises Failed."""
        path = await self._conversation.path()
        latest = rewind_goal.latest_rewind(path)
        if latest is not None and latest.rewind_id == wanted.rewind_id:
            return Rewound()
        goal = rewind_goal.goal(path, wanted.entry_id)
        await self._stop(INTERRUPTED)
        history = self._conversation.history
        restored = await rewind.bring_back(self._mailbox, self._settings.cwd, history.session_id, wanted, goal)
        if goal.moves and wanted.conversation:
            await self._go_to(goal.entry_id, rewind.record(wanted, goal, restored, history.last_id))
        else:
            await self._conversation.journal.save(rewind.record(wanted, goal, restored, ""))
        return Rewound(prompt=goal.prompt, files=restored.done)

    async def _go_to(self, entry_id: str, *more: Body) -> None:
        """One append moves the session and closes what is open there: a death finds it here or there."""
        old = self._conversation
        history = await resume.open_at(self._mailbox, self._settings, old.history.session_id, entry_id)
        await self._stop(INTERRUPTED)
        bodies = (*leaving.moved(old.history, history, INTERRUPTED), *more)
        self._switch(history)
        try:
            await self._conversation.journal.save(*bodies)
        finally:
            old.watchers.end()

    async def _stop(self, end: EndTurn) -> None:
        """All of the session is on disk then. Raises Failed."""
        old = self._conversation
        old.withdraw_all()
        await old.end_commands()
        await self._begun()
        self._end, self._scope = end, "tree"
        await self._interrupt()
        await old.subagents.cancel(old.subagents.unfinished, leaving.LEFT_BEHIND)
        if old.history.turn_id:
            await self._close_turn()  # it had stopped because it could not be saved
        await old.journal.save()  # nor could perhaps its end, and the answer before it
        self._end, self._scope = INTERRUPTED, "turn"

    def _switch(self, history: History) -> None:
        self._beside.cancel()
        self._open(self._conversation.followed_by(history))

    async def subscribe(self, wanted: Subscribe, request: Request) -> None:
        await self._conversation.attend(wanted, request, self._is_busy)
