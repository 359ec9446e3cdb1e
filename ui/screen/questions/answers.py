"""Questions from their arrival to their answer; and the fresh session that an approved plan may begin."""

import math
import uuid
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager

import msgspec
import trio

from actors.errors import Failed, UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.conversation import ToolResult
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.turn import Accepted, CaughtUp, EntryAdded, SessionInfo, StartOver
from ui.screen.questions.queue import Answer, Questions
from ui.screen.questions.session_keys import Wish

Heard = trio.MemoryReceiveChannel[UserAnswered | Wish]
"""Of a list of sessions: what is to be done with it, and at last the answer."""
FRESH = "fresh"
"""The choice that begins a new session with a plan."""
FRAMED = "Carry out this plan. It was made in an earlier session and the user approved it.\n\n"


class Fresh(msgspec.Struct, frozen=True):
    """A plan to begin a session with, once the gate has done its part."""

    call_id: str
    """Of the call that presented it."""
    prompt_id: str
    text: str
    """ "" when the gate could not do it: then nothing begins."""


class Answers:
    def __init__(
        self, mailbox: Mailbox, agent: str, run_id: str, questions: Questions, say: Callable[[str, str], None]
    ) -> None:
        """say: text, level."""
        self._mailbox = mailbox
        self._agent = agent
        self._key = f"fresh/{run_id}"
        self._questions = questions
        self._say = say
        self._answers: dict[int, trio.MemorySendChannel[UserAnswered | Wish]] = {}
        self._fresh: Fresh | None = None
        self._caught_up = False

    async def serve(self, request: Request) -> None:
        """Until there is an answer; the scope around this is cancelled when the question is withdrawn."""
        question = request.message
        if not isinstance(question, UserAsked):
            raise UnexpectedMessage(question)
        if self._fresh is not None and self._fresh.call_id == question.call.call_id:
            self._fresh = None
            await self._remember("")  # the answer did not reach the gate
        given = await self._asked(question)
        if question.kind == "plan" and given.choice == FRESH:
            await self._plan(Fresh(question.call.call_id, uuid.uuid4().hex, FRAMED + question.detail))
        request.reply(given)

    async def ask(self, question: UserAsked) -> UserAnswered:
        """The same for a question of the screen itself: its user wants it now, so it is asked before all others."""
        return await self._asked(question, at_once=True)

    async def _asked(self, question: UserAsked, *, at_once: bool = False) -> UserAnswered:
        with self.listing(question, at_once=at_once) as heard:
            while not isinstance(answer := await heard.receive(), UserAnswered):
                pass  # what is wished of a list that cannot do it
            return answer

    @contextmanager
    def listing(self, question: UserAsked, *, at_once: bool = True) -> Iterator[Heard]:
        """A list that stays open while something is done with it, until the answer."""
        number = self._questions.add(question, at_once=at_once)
        self._answers[number], heard = trio.open_memory_channel[UserAnswered | Wish](math.inf)
        try:
            yield heard
        finally:
            del self._answers[number]
            self._questions.remove(number)

    def answer(self, given: Answer | Wish) -> None:
        if isinstance(given, Answer):
            self._questions.remove(given.number, answered=True)
        if answers := self._answers.get(given.number):  # else it was withdrawn at the same moment
            answers.send_nowait(
                given if isinstance(given, Wish) else UserAnswered(choice=given.choice, text=given.text)
            )

    def heard(self, event: Message) -> None:
        match event:
            case SessionInfo() | CaughtUp():
                self._caught_up = isinstance(event, CaughtUp)
            case EntryAdded(entry=entry) if isinstance(entry.body, ToolResult) and entry.body.failed:
                if self._fresh is not None and entry.body.call_id == self._fresh.call_id:
                    self._fresh = msgspec.structs.replace(self._fresh, text="")

    def due(self, running: Container[str]) -> Fresh | None:
        """What now begins a session, once: its plan is approved and written down. running: ids of calls."""
        fresh = self._fresh
        if fresh is None or not self._caught_up or fresh.call_id in running:
            return None
        self._fresh = None
        return fresh

    async def begin(self, fresh: Fresh) -> None:
        try:
            if fresh.text:
                wanted = StartOver(prompt_id=fresh.prompt_id, text=fresh.text)
                await self._mailbox.insist(self._agent, wanted, Accepted)
        except Failed as failure:
            self._say(str(failure), "error")
        await self._remember("")

    async def recall(self) -> None:
        """What an earlier life of the screen was about to begin. Raises Failed."""
        kept = (await self._mailbox.insist("store", Recall(key=self._key), Recalled)).value
        self._fresh = msgspec.json.decode(kept, type=Fresh) if kept else None

    async def _plan(self, fresh: Fresh) -> None:
        """Kept before the gate hears of it: whoever dies, the plan is carried out."""
        await self._remember(msgspec.json.encode(fresh).decode())
        self._fresh = fresh

    async def _remember(self, value: str) -> None:
        try:
            await self._mailbox.insist("store", Remember(key=self._key, value=value), Done)
        except Failed as failure:
            self._say(f"if this screen dies now, the fresh session is lost: {failure}", "warning")
