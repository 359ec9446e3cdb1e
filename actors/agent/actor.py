"""The agent: takes prompts, runs turns, tells who watches. Everything it must not forget is in the store first."""

import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import trio

from actors.agent import rewind
from actors.agent.conversation import Conversation
from actors.agent.session import held_elsewhere, resume
from actors.agent.session.history import EndTurn, History, results_of_the_undone
from actors.agent.session.model_choice import choice, model_is, not_taken, resolve, switched, to_record
from actors.common import rewind_goal
from actors.errors import Failed, UnexpectedMessage, failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.conversation import Body, Entry, Moved, PromptQueued, TurnEnded, UserMessage
from actors.messages.tool import OfferChanged, OfferTools, Tools
from actors.messages.turn import (
    Accepted,
    CancelTurn,
    CaughtUp,
    Compact,
    DescribeContext,
    GoTo,
    Notice,
    OpenOther,
    PreviewRewind,
    Prompt,
    Rewind,
    Rewound,
    SessionInfo,
    SetModel,
    StartOver,
    Subscribe,
    TurnStopped,
)
from actors.settings.config import Settings

INTERRUPTED = EndTurn("interrupted")
Handler = Callable[[Any, Request], Awaitable[None]]
"""Of one kind of message."""
GOES_ON_ELSEWHERE = EndTurn("done", "The plan is carried out in a new session.")


async def run(mailbox: Mailbox, settings: Settings) -> None:
    async with trio.open_nursery() as nursery:
        try:
            history = await resume.load(mailbox, settings)
        except Failed as failure:
            copied = await held_elsewhere.history_instead(mailbox, settings, failure)
            if copied is None:
                return
            history = copied
        agent = Agent(mailbox, settings, history, nursery)
        nursery.start_soon(agent.take_turns)
        async for request in mailbox:
            agent.serve(request)
        nursery.cancel_scope.cancel()


class Agent:
    def __init__(self, mailbox: Mailbox, settings: Settings, history: History, nursery: trio.Nursery) -> None:
        """nursery: for what goes on beside the turns of the session that is open."""
        self._mailbox = mailbox
        self._settings = settings
        self._nursery = nursery
        self._taking = trio.Lock()
        self._to_do = trio.Event()
        self._running: trio.CancelScope | None = None
        self._end = INTERRUPTED
        """Of the turn that is cancelled next."""
        self._turn_over = trio.Event()
        self._compacting: trio.CancelScope | None = None
        self._compacted = trio.Event()
        self._compacted.set()
        self._handlers: dict[type[Message], Handler] = {
            Prompt: self.take_prompt,
            CancelTurn: self.cancel,
            SetModel: self.set_model,
            StartOver: self.start_over,
            GoTo: self.go_to,
            PreviewRewind: self.preview_rewind,
            Rewind: self.rewind,
            OpenOther: self.open_other,
            Subscribe: self.subscribe,
            Compact: self.compact,
            DescribeContext: self.describe_context,
        }
        self._open(Conversation(mailbox, settings, history))
        if history.turn_id:
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
                await conversation.run()

        self._nursery.start_soon(run, self._beside)

    async def take_turns(self) -> None:
        """One turn after another; the first may be one that an earlier life left open."""
        while True:
            await self._to_do.wait()
            await self._compacted.wait()
            self._to_do = trio.Event()
            while self._conversation.history.turn_id:
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
        await self._conversation.close_turn(self._end)
        self._end = INTERRUPTED

    async def take_prompt(self, prompt: Prompt, request: Request) -> None:
        """Raises Failed when it cannot be saved, is refused, or its commands were cancelled."""
        typed = prompt.text
        recorded: tuple[Body, ...] = ()
        if not self._conversation.history.turn_of(prompt.prompt_id):
            # before the lock: an Esc must not wait for the providers, for hooks or for commands
            prompt, recorded = await self._checked(prompt)
        async with self._taking:
            try:
                turn_id = await self._accept(prompt, *recorded)
            except trio.Cancelled:  # who asked is dead; the next front finds the prompt in the session
                self._to_do.set()
                raise
            self._conversation.naming.prompted(typed)
            self._to_do.set()
        request.reply(Accepted(turn_id=turn_id))

    async def _accept(self, prompt: Prompt, *recorded: Body) -> str:
        """The turn it belongs to. recorded: goes with it."""
        history, journal = self._conversation.history, self._conversation.journal
        if turn_id := history.turn_of(prompt.prompt_id):
            await journal.save()
            return turn_id
        if turn_id := history.turn_id:
            queued = PromptQueued(prompt_id=prompt.prompt_id, text=prompt.text, attachments=prompt.attachments)
            await journal.save(queued, *recorded)
            return turn_id
        message = UserMessage(
            text=prompt.text, turn_id=prompt.prompt_id, prompt_id=prompt.prompt_id, attachments=prompt.attachments
        )
        await journal.save(*to_record(history, self._settings), message, *recorded)
        return prompt.prompt_id

    async def _checked(self, prompt: Prompt) -> tuple[Prompt, tuple[Body, ...]]:
        """As of `prepared`. Raises Failed.

        A prompt the model cannot take is not accepted: it would spoil every later request.
        """
        conversation = self._conversation
        if prompt.attachments:
            found = await resolve(self._mailbox, choice(conversation.history, self._settings).model)
            if names := not_taken(found.facts, prompt.attachments):
                text = f"{found.model} does not take {', '.join(names)}."
                raise failed("bad_request", text, "Choose a model that does: trouper models shows them.")
        return await conversation.prepared(prompt)

    async def set_model(self, wanted: SetModel, request: Request) -> None:
        """From the next request on, also of a turn that runs. Raises Failed."""
        history = self._conversation.history
        chosen, facts = await switched(self._mailbox, wanted, choice(history, self._settings))
        await self._conversation.journal.save(chosen)
        request.reply(model_is(chosen, facts, self._conversation.history))

    async def cancel(self, wanted: CancelTurn, request: Request) -> None:
        """Also a turn that is about to begin, for a prompt that came before this, and commands of one to come."""
        self._end = EndTurn("timeout" if wanted.reason == "timeout" else "interrupted", wanted.text)
        await self._conversation.commands.cancel()
        async with self._taking:
            await self._begun()
        await self._interrupt()
        request.reply(Done())

    async def _begun(self) -> None:
        """Until the turn of what was accepted runs."""
        while self._to_do.is_set() and self._running is None and self._compacting is None:
            await trio.lowlevel.checkpoint()

    async def compact(self, wanted: Compact, request: Request) -> None:
        """Prompts that come meanwhile wait for it. Raises Failed."""
        async with self._taking:
            if self._conversation.history.turn_id or self._compacting is not None:
                raise failed("refused", "not while a turn runs.", "Wait for its end, or end it with Esc.")
            self._compacting, self._compacted = trio.CancelScope(), trio.Event()
        try:
            with self._compacting as scope:
                await self._conversation.compact(wanted.instructions)
        finally:
            self._compacting = None
            self._compacted.set()
        if scope.cancelled_caught:
            raise failed("refused", "interrupted: the conversation is as it was.")
        request.reply(Done())

    async def describe_context(self, _wanted: DescribeContext, request: Request) -> None:
        """Raises Failed."""
        request.reply(await self._conversation.context())

    async def _interrupt(self) -> None:
        if self._compacting is not None:
            self._compacting.cancel()
            await self._compacted.wait()
        if self._running is not None:
            self._running.cancel()
            await self._turn_over.wait()

    async def start_over(self, wanted: StartOver, request: Request) -> None:
        """Raises Failed."""
        await self._to_its_end(partial(self._start_over, wanted))
        request.reply(Accepted(turn_id=self._conversation.history.turn_of(wanted.prompt_id)))

    async def go_to(self, wanted: GoTo, request: Request) -> None:
        """Raises Failed."""
        await self._to_its_end(partial(self._go_to, wanted.entry_id))
        request.reply(Done())

    async def preview_rewind(self, wanted: PreviewRewind, request: Request) -> None:
        """Raises Failed."""
        goal = rewind_goal.goal(await self._path(), wanted.entry_id)
        request.reply(await rewind.preview(self._mailbox, self._settings.cwd, wanted, goal))

    async def rewind(self, wanted: Rewind, request: Request) -> None:
        """Raises Failed."""
        outcome: list[Rewound] = []

        async def act() -> None:
            outcome.append(await self._rewind(wanted))

        await self._to_its_end(act)
        request.reply(outcome[0])

    async def open_other(self, wanted: OpenOther, request: Request) -> None:
        """Raises Failed."""
        await self._to_its_end(partial(self._open_other, wanted.session_id))
        request.reply(Done())

    async def _to_its_end(self, act: Callable[[], Awaitable[None]]) -> None:
        """Raises Failed. Whoever asked may die meanwhile: what has begun is finished all the same."""
        failures: list[Failed] = []
        over = trio.Event()

        async def finish() -> None:
            try:
                async with self._taking:
                    await act()
            except Failed as failure:
                failures.append(failure)
            over.set()

        self._nursery.start_soon(finish)
        await over.wait()
        for failure in failures:
            raise failure

    async def _start_over(self, wanted: StartOver) -> None:
        session_id = resume.fresh_id(self._mailbox, self._settings, wanted.prompt_id)
        if self._conversation.history.session_id != session_id:
            await self._leave_for(await resume.open_fresh(self._mailbox, self._settings, session_id))
        await self._accept(Prompt(prompt_id=wanted.prompt_id, text=wanted.text))
        self._conversation.naming.prompted(wanted.text)
        self._to_do.set()

    async def _open_other(self, session_id: str) -> None:
        now = self._conversation.history.session_id
        if session_id:
            history = await resume.open_other(self._mailbox, self._settings, session_id)
        else:
            history = await resume.open_fresh(self._mailbox, self._settings, uuid.uuid4().hex)
        if history.session_id != now:
            await self._leave_for(history)

    async def _leave_for(self, history: History) -> None:
        """The other session exists before the next life is told of it, so a death in between costs nothing."""
        old = self._conversation
        await self._stop(GOES_ON_ELSEWHERE)
        await resume.remember(self._mailbox, self._settings, history.session_id)
        self._switch(history)
        if old.history.chosen is not None and history.chosen is None:
            await self._conversation.journal.save(old.history.chosen)
        old.watchers.end()
        if history.turn_id:
            self._to_do.set()
        with suppress(Failed):  # then it is this program's until that ends
            await resume.leave(self._mailbox, old.history.session_id)

    async def _path(self) -> list[Entry]:
        """Raises Failed."""
        await self._conversation.journal.save()
        return await rewind.path(self._mailbox, self._conversation.history.session_id)

    async def _rewind(self, wanted: Rewind) -> Rewound:
        """The files first: whoever dies before the session has gone back, too, is asked for it again. Raises Failed."""
        path = await self._path()
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
        bodies: list[Body] = [Moved(left=old.history.last_id)]
        if history.turn_id:
            ended = TurnEnded(turn_id=history.turn_id, reason=INTERRUPTED.reason)
            bodies += [*results_of_the_undone(history, INTERRUPTED), ended]
        if (chosen := old.history.chosen) is not None and chosen != history.chosen:
            bodies.append(chosen)
        bodies += more
        self._switch(history)
        try:
            await self._conversation.journal.save(*bodies)
        finally:
            old.watchers.end()

    async def _stop(self, end: EndTurn) -> None:
        """All of the session is on disk then. Raises Failed."""
        old = self._conversation
        await old.commands.cancel()
        await self._begun()
        self._end = end
        await self._interrupt()
        if old.history.turn_id:
            await self._close_turn()  # it had stopped because it could not be saved
        await old.journal.save()  # nor could perhaps its end, and the answer before it
        self._end = INTERRUPTED

    def _switch(self, history: History) -> None:
        self._beside.cancel()
        self._open(Conversation(self._mailbox, self._settings, history))

    async def subscribe(self, wanted: Subscribe, request: Request) -> None:
        conversation = self._conversation
        asked = OfferTools(session_id=conversation.history.session_id)
        offered = await self._mailbox.insist("gate", asked, Tools)
        chosen = choice(conversation.history, self._settings)
        used, latest, events = conversation.split_after(wanted.after)
        info = SessionInfo(
            session_id=conversation.history.session_id,
            model=chosen.model,
            effort=chosen.effort,
            cwd=self._settings.cwd,
            mode=offered.mode,
            sandbox=offered.sandbox,
            moved=conversation.history.moved,
            unrestricted=self._settings.unrestricted,
            busy=self._running is not None,
            used=used,
            latest=latest,
            goes_on=conversation.has(wanted.after),
        )
        events = [info, *events, CaughtUp()]
        if offered.taken_up and not (wanted.after and info.goes_on):  # else it was told before
            events.append(Notice(text=offered.taken_up, level="warning"))
        await conversation.watchers.attend(request, events)
