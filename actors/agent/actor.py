"""The agent: takes prompts, runs turns, tells who watches. Everything it must not forget is in the store first."""

from functools import partial

import trio

from actors.agent.asking import Asking
from actors.agent.calling import Calling
from actors.agent.choice import choice, model_is, not_taken, resolve, switched, to_record
from actors.agent.history import History
from actors.agent.journal import Journal
from actors.agent.turn import Ports, heal, run_turn
from actors.agent.watchers import Watchers
from actors.attached import light_entry
from actors.config import Settings
from actors.errors import ActorDied, Failed, UnexpectedMessage, failed
from actors.mailbox import INSIST, Mailbox, Request
from actors.messages.base import Done
from actors.messages.conversation import (
    AssistantMessage,
    EndReason,
    Entry,
    PromptQueued,
    Text,
    ToolCall,
    UserMessage,
)
from actors.messages.store import OpenSession, Recall, Recalled, Remember, SessionOpened
from actors.messages.tool import OfferTools, Tools
from actors.messages.turn import (
    Accepted,
    CancelTurn,
    CaughtUp,
    EntryAdded,
    Event,
    Prompt,
    SessionInfo,
    SetModel,
    Subscribe,
    TurnStopped,
)


async def run(mailbox: Mailbox, settings: Settings) -> None:
    async with trio.open_nursery() as nursery:
        try:
            history = await _load(mailbox, settings)
        except Failed as failure:
            async for request in mailbox:
                request.fail(failure.problem)  # without its session it can only say why
            return
        agent = Agent(mailbox, settings, history)
        nursery.start_soon(agent.journal.run)
        nursery.start_soon(agent.take_turns)
        async for request in mailbox:
            match request.message:
                case Prompt():
                    nursery.start_soon(request.serve, agent.take_prompt)
                case CancelTurn():
                    nursery.start_soon(request.serve, agent.cancel)
                case SetModel() as wanted:
                    nursery.start_soon(request.serve, partial(agent.set_model, wanted))
                case Subscribe(after=after):
                    nursery.start_soon(request.serve, partial(agent.subscribe, after))
                case _:
                    raise UnexpectedMessage(request.message)
        nursery.cancel_scope.cancel()


class Agent:
    def __init__(self, mailbox: Mailbox, settings: Settings, history: History) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._history = history
        self._watchers = Watchers()
        self.journal = Journal(mailbox, history, self._added)
        self._asking = Asking(mailbox, settings, history, self._watchers)
        calling = Calling(mailbox, self._watchers, self.journal.save)
        self._ports = Ports(
            ask_model=self._asking.ask,
            run_call=calling.run,
            is_read_only=self._is_read_only,
            save=self.journal.save,
        )
        self._taking = trio.Lock()
        self._to_do = trio.Event()
        self._running: trio.CancelScope | None = None
        self._end_reason: EndReason = "interrupted"
        self._turn_over = trio.Event()
        if history.turn_id:
            self._to_do.set()

    async def take_turns(self) -> None:
        """One turn after another; the first may be one that an earlier life left open."""
        while True:
            await self._to_do.wait()
            self._to_do = trio.Event()
            while self._history.turn_id:
                if not await self._take_turn():
                    break

    async def _take_turn(self) -> bool:
        """False when it could not be brought to its end."""
        self._turn_over = trio.Event()
        try:
            with trio.CancelScope() as self._running:
                self._asking.begin_turn()
                await run_turn(self._history, self._ports, self._settings.max_turns)
            if self._running.cancelled_caught:
                await self._close_turn()
        except Failed as failure:
            await self._watchers.emit(TurnStopped(text=str(failure)))
            return False
        finally:
            self._running = None
            self._turn_over.set()
        return True

    async def take_prompt(self, request: Request) -> None:
        """Raises Failed when it cannot be saved."""
        if not isinstance(request.message, Prompt):
            raise UnexpectedMessage(request.message)
        if request.message.attachments:
            await self._check(request.message)  # before the lock: an Esc must not wait for the providers
        async with self._taking:
            turn_id = await self._accept(request.message)
            self._to_do.set()
        request.reply(Accepted(turn_id=turn_id))

    async def _accept(self, prompt: Prompt) -> str:
        """The turn it belongs to."""
        if turn_id := self._history.turn_of(prompt.prompt_id):
            await self.journal.settle()
            return turn_id
        if turn_id := self._history.turn_id:
            queued = PromptQueued(prompt_id=prompt.prompt_id, text=prompt.text, attachments=prompt.attachments)
            await self.journal.save(queued)
            return turn_id
        message = UserMessage(
            text=prompt.text, turn_id=prompt.prompt_id, prompt_id=prompt.prompt_id, attachments=prompt.attachments
        )
        await self.journal.save(*to_record(self._history, self._settings), message)
        return prompt.prompt_id

    async def _check(self, prompt: Prompt) -> None:
        """A prompt the model cannot take is not accepted: it would spoil every later request. Raises Failed."""
        if self._history.turn_of(prompt.prompt_id):
            return
        found = await resolve(self._mailbox, choice(self._history, self._settings).model)
        if names := not_taken(found.facts, prompt.attachments):
            text = f"{found.model} does not take {', '.join(names)}."
            raise failed("bad_request", text, "Choose a model that does: trouper models shows them.")

    async def set_model(self, wanted: SetModel, request: Request) -> None:
        """From the next request on, also of a turn that runs. Raises Failed."""
        chosen, facts = await switched(self._mailbox, wanted, choice(self._history, self._settings))
        await self.journal.save(chosen)
        request.reply(model_is(chosen, facts, self._history))

    async def cancel(self, request: Request) -> None:
        """Also a turn that is about to begin, for a prompt that came before this."""
        if isinstance(request.message, CancelTurn) and request.message.reason == "timeout":
            self._end_reason = "timeout"
        async with self._taking:
            while self._to_do.is_set() and self._running is None:
                await trio.lowlevel.checkpoint()
        if self._running is not None:
            self._running.cancel()
            await self._turn_over.wait()
        request.reply(Done())

    async def subscribe(self, after: str, request: Request) -> None:
        chosen = choice(self._history, self._settings)
        info = SessionInfo(
            session_id=self._history.session_id,
            model=chosen.model,
            effort=chosen.effort,
            cwd=self._settings.cwd,
            mode=(await self._mailbox.insist("gate", OfferTools(), Tools)).mode,
            busy=self._running is not None,
        )
        saved = self.journal.saved
        start = next((n for n, entry in enumerate(saved, 1) if entry.id == after), 0)
        stored: list[Event] = [EntryAdded(entry=light_entry(entry)) for entry in saved[start:]]
        await self._watchers.attend(request, [info, *stored, CaughtUp()])

    def _added(self, entry: Entry) -> None:
        self._watchers.put(EntryAdded(entry=light_entry(entry)))

    async def _close_turn(self) -> None:
        await self.journal.settle()  # an answer that is whole and only waits for the disk is not open any more
        if said := self._watchers.open_text:
            model = choice(self._history, self._settings).model
            await self.journal.save(AssistantMessage(blocks=(Text(text=said),), stop_reason="cancelled", model=model))
        await heal(self._history, self._ports, self._end_reason)
        self._end_reason = "interrupted"

    def _is_read_only(self, call: ToolCall) -> bool:
        tool = self._asking.tools.get(call.name)
        return tool is not None and tool.effect == "read"


async def _load(mailbox: Mailbox, settings: Settings) -> History:
    """Raises Failed."""
    session_id = await _resumed_before(mailbox, settings) or settings.session_id
    request = OpenSession(session_id=session_id, cwd=settings.cwd, model=settings.model, resume=settings.resume)
    for _ in range(INSIST - 1):
        try:
            history = await _load_once(mailbox, request)
            break
        except ActorDied:
            continue
    else:
        history = await _load_once(mailbox, request)
    if history.session_id != session_id:
        await mailbox.insist("store", Remember(key=_resumed_key(mailbox, settings), value=history.session_id), Done)
    return history


async def _load_once(mailbox: Mailbox, request: OpenSession) -> History:
    async with mailbox.stream("store", request) as stream:
        entries = [entry async for entry in stream if isinstance(entry, Entry)]
        opened = await stream.result(SessionOpened)
    return History(opened.session_id, entries)


async def _resumed_before(mailbox: Mailbox, settings: Settings) -> str:
    """What an earlier life of this agent opened: "the latest" may be another session by now."""
    if not settings.resume:
        return ""
    return (await mailbox.insist("store", Recall(key=_resumed_key(mailbox, settings)), Recalled)).value or ""


def _resumed_key(mailbox: Mailbox, settings: Settings) -> str:
    return f"session/{settings.run_id}/{mailbox.name}"
