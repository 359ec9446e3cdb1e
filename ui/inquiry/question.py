"""One question to a model without tools, in a session of its own: asked once, its answer on disk before it is heard."""

import hashlib
import time
import uuid
from collections.abc import Callable

import msgspec
import trio

from actors.errors import ActorDied, Failed, UnexpectedMessage
from actors.mailbox import INSIST, Mailbox, Stream
from actors.messages.base import Done
from actors.messages.budget import Budget
from actors.messages.conversation import AssistantMessage, Body, BrokenTry, Entry, StopReason, UserMessage
from actors.messages.model import Answer, AskModel, Retrying, TextDelta, ThinkingDelta
from actors.messages.store import Append, CloseSession, OpenSession, SessionOpened
from actors.messages.usage import Usage
from actors.spending_limit import SpendingLimit
from actors.texts.token_estimate import of_text

WHY: dict[StopReason, str] = {
    "max_tokens": "the answer was cut off at the model's limit",
    "context_window": "the answer was cut off where the model's window was full",
    "refusal": "the model refused to answer",
}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    """Of the question, for people: "chunk 3 of 12"."""
    system: str
    prompt: Callable[[], str]
    """Built when it is sent, in a thread, so that only what is under way is in memory. The same whenever it is called;
    it may raise Failed."""


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that is on disk."""

    id: str
    text: str
    usage: Usage
    is_new: bool = True
    """Of this start; else it was answered before."""
    problem: str = ""
    """Why it is not a whole answer; "" where it is."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What all questions of one inquiry are asked on."""

    run_id: str
    """Without dots."""
    cwd: str
    model: str
    """PROVIDER/NAME."""
    effort: str = ""
    budgets: tuple[Budget, ...] = ()


def key_of(terms: Terms, system: str, prompt: str) -> str:
    """The same for the same question: with the run's id it names its session."""
    parts = (terms.model, terms.effort, system, prompt)
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:24]


class Question:
    def __init__(
        self, mailbox: Mailbox, terms: Terms, asked: Asked, prompt: str, wait: Callable[[Retrying], None]
    ) -> None:
        """wait: is told when the answer has to be waited for."""
        self._mailbox = mailbox
        self._terms = terms
        self._asked = asked
        self._prompt = prompt
        self._wait = wait
        self.session_id = f"{terms.run_id}.{key_of(terms, asked.system, prompt)}"
        self._last = ""
        """Id of the session's last entry."""
        self._limit = SpendingLimit(mailbox, self.session_id, terms.budgets, self._save)
        self._has_begun = False
        """Something of the answer to this try has come."""

    async def answer(self) -> Heard:
        """That which is on disk; else the model's, once it is. Raises Failed."""
        try:
            kept = await self._kept()
            message = kept or await self._ask()
        finally:
            with trio.CancelScope(shield=True):
                await self._close()
        why = WHY.get(message.stop_reason, "")
        return Heard(id=self._asked.id, text=message.text, usage=message.usage, is_new=kept is None, problem=why)

    async def _kept(self) -> AssistantMessage | None:
        """Raises Failed."""
        wanted = OpenSession(session_id=self.session_id, cwd=self._terms.cwd)
        for _ in range(INSIST - 1):
            try:
                return await self._read(wanted)
            except ActorDied:
                continue
        return await self._read(wanted)

    async def _read(self, wanted: OpenSession) -> AssistantMessage | None:
        found = None
        async with self._mailbox.stream("store", wanted) as stream:
            async for entry in stream:
                if isinstance(entry, Entry):
                    self._last = entry.id
                    found = entry.body if isinstance(entry.body, AssistantMessage) else found
            await stream.result(SessionOpened)
        return found

    async def _ask(self) -> AssistantMessage:
        """Raises Failed."""
        request = AskModel(
            model=self._terms.model,
            session_id=self.session_id,
            system=self._asked.system,
            history=(UserMessage(text=self._prompt, turn_id=self.session_id),),
            effort=self._terms.effort,
        )
        tokens = of_text(self._prompt) + of_text(self._asked.system)
        await self._limit.reserve(request.model, tokens)
        for _ in range(INSIST - 1):
            try:
                return await self._ask_once(request, tokens)
            except ActorDied as death:
                if self._has_begun:  # so it is billed, and who would have counted it is dead
                    await self._save(BrokenTry(usage=Usage()))
                    await self._limit.reserve(request.model, tokens)
                self._wait(Retrying(why=str(death), wait_s=0.0, failed=True))
        return await self._ask_once(request, tokens)

    async def _ask_once(self, request: AskModel, tokens: int) -> AssistantMessage:
        self._has_begun = False
        async with self._mailbox.stream("providers", request) as stream:
            await self._follow(stream, tokens)
            message = (await stream.result(Answer)).message
        with trio.CancelScope(shield=True):  # it is paid for
            await self._save(message)
        return message

    async def _follow(self, stream: Stream, tokens: int) -> None:
        async for item in stream:
            match item:
                case BrokenTry():
                    await self._save(item)
                    await self._limit.reserve(self._terms.model, tokens)
                case Retrying():
                    self._has_begun = False
                    self._wait(item)
                case TextDelta() | ThinkingDelta():
                    self._has_begun = True
                case _:
                    raise UnexpectedMessage(item)

    async def _save(self, *bodies: Body) -> None:
        """Raises Failed."""
        for body in bodies:
            entry = Entry(id=uuid.uuid4().hex, session_id=self.session_id, parent=self._last, body=body, at=time.time())
            await self._mailbox.insist("store", Append(entries=(entry,)), Done)
            self._last = entry.id

    async def _close(self) -> None:
        """What is reserved is given back with it, where nothing has come of it."""
        try:
            await self._mailbox.insist("store", CloseSession(session_id=self.session_id), Done)
        except Failed:
            return  # without a store this program ends
