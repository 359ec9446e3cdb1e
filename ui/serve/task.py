"""One task: a prompt to an agent of its own, from its place to what it came to; whoever waits for it may change."""

import math
import secrets
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.checkpoint import Checkpointed
from actors.messages.conversation import EndReason, UserMessage
from actors.messages.store import CloseSession
from actors.messages.tool import DENIED_BY_YOU, NOBODY, UserAnswered, UserAsked
from actors.messages.turn import CancelTurn, EntryAdded, Event, PreviewRewind, Prompt, RewindPreview
from actors.settings.config import Settings
from ui.batch.workplace import Workplace
from ui.common.usage_errors import Usage
from ui.headless.report import Tally, cause, reason_of
from ui.headless.watch import Watch
from ui.serve import places
from ui.serve.progress import Progress
from ui.serve.terms import Outcome, RunTask

MOST_ANSWER = 100_000
"""Characters."""
MOST_PATCH = 200_000
MOST_FILES = 500
LOOKS_S = 10.0
"""For which files were changed."""
TURN_ENDS_S = 5.0
"""For a turn that is cancelled."""
CLOSES_S = 4.0
"""For its processes after that: both together are less than the supervisor gives us."""
DENIED_BY_USER = "denied by the user"
"""In place of the words for the user: here a model reads them."""
CANCELLED = "whoever gave the task has cancelled it"
GONE = (
    "that task is not there any more: its question was not answered in time. Go on with its session, or give it anew."
)


NOT_ANSWERED = UserAnswered(choice=NOBODY)


@dataclass(eq=False)
class Question:
    """Of the gate; it waits until it is settled."""

    asked: UserAsked
    answer: UserAnswered = NOT_ANSWERED
    settled: trio.Event = field(default_factory=trio.Event)
    """Answered or withdrawn."""

    def settle(self, answer: UserAnswered) -> None:
        if not self.settled.is_set():
            self.answer = answer
            self.settled.set()


Ended = Outcome | Usage | Failed
"""Failed: before there was a turn."""


class Task:
    def __init__(self, mailbox: Mailbox, settings: Settings, wanted: RunTask, number: int) -> None:
        """number: of the task, in this run of the server."""
        self._mailbox = mailbox
        self._settings = settings
        self._wanted = wanted
        self.session_id = wanted.session_id or f"{settings.session_id}.{number}"
        self.token = secrets.token_urlsafe(24)
        """By which a later request of the client shows that it goes on with it."""
        self._id = str(number)
        self.scope = trio.CancelScope()
        self.progress = Progress()
        self._tell, self._told = trio.open_memory_channel[Question | Ended](float("inf"))
        self._put: Question | None = None
        """That the client was asked, and has not come back with."""
        self._agent: str | None = None
        self._over = False
        self._prompt_entry = ""
        self._has_written = False

    def owns(self, agent: str) -> bool:
        """Its own, or one of those that it has spawned, which are named after its session."""
        return agent == self._agent or agent.startswith(f"agent:sub:{self.session_id.replace('.', '-')}-")

    async def ask(self, question: Question) -> None:
        """Put it to whoever waits for the task."""
        self._tell.send_nowait(question)
        try:
            await question.settled.wait()
        finally:
            question.settled.set()

    def put_down(self, question: Question, seconds: float) -> None:
        """The client is asked, and has to come back with the answer in time."""
        self._put = question
        self.scope.deadline = trio.current_time() + seconds

    def take_up(self, answer: Callable[[Question], UserAnswered] | None) -> None:
        """Somebody waits for it again. answer: to the question that was put; None: there was none to it."""
        self.scope.deadline = math.inf
        if self._put is not None:
            self._put.settle(answer(self._put) if answer is not None else self._put.answer)
            self._put = None

    async def next(self) -> Question | Ended:
        """What has to be answered, or how it ended."""
        while True:
            try:
                told = await self._told.receive()
            except trio.EndOfChannel:
                return Usage(GONE)
            if not (isinstance(told, Question) and told.settled.is_set()):
                return told

    async def run(self, room: trio.CapacityLimiter) -> None:
        with self._tell, self.scope:
            async with room:
                try:
                    self._tell.send_nowait(await self._work())
                except (Usage, Failed) as why:
                    self._tell.send_nowait(why)

    async def _work(self) -> Outcome:
        """Raises Usage and Failed."""
        placed = await places.settle(
            self._mailbox, self._settings, self._wanted, task_id=self._id, session_id=self.session_id
        )
        place = Workplace(self._mailbox, placed.settings, placed.task, self.session_id, 0.0)
        self._agent = place.agent
        prompt = Prompt(prompt_id=f"{self.session_id}/{uuid.uuid4().hex}", text=self._wanted.prompt)
        watch = Watch(self._mailbox, place.agent, prompt, self._hear)
        self.progress.say(f"session {self.session_id}")
        try:
            await place.open()
            reason, text = await self._followed(watch)
            self._over = True
            files = await self._files(place)
        finally:
            with trio.CancelScope(shield=True):
                await self._close(place)
        outcome = _outcome(self.session_id, watch.tally, reason, text)
        return await self._with_patch(place, msgspec.structs.replace(outcome, files_changed=files))

    async def _followed(self, watch: Watch) -> tuple[EndReason, str]:
        """Raises nothing: what goes wrong from here on is how the task ended."""
        try:
            return await watch.follow()
        except Failed as failure:
            return reason_of(failure), str(failure)

    async def _hear(self, event: Event) -> None:
        self.progress.hear(event)
        match event:
            case EntryAdded(entry=entry) if isinstance(entry.body, UserMessage) and not self._prompt_entry:
                self._prompt_entry = entry.id
            case EntryAdded(entry=entry) if isinstance(entry.body, Checkpointed):
                self._has_written = True
            case _:
                pass

    async def _files(self, place: Workplace) -> tuple[str, ...] | None:
        """What is other than before the prompt; None where that is not known."""
        if not self._has_written:
            return ()
        wanted = PreviewRewind(entry_id=self._prompt_entry)
        with trio.move_on_after(LOOKS_S):
            try:
                found = (await self._mailbox.insist(place.agent, wanted, RewindPreview)).files
            except Failed:
                return None
            return None if found is None else tuple(sorted({*found.restored, *found.removed}))[:MOST_FILES]
        return None

    async def _close(self, place: Workplace) -> None:
        """Nobody works on it any more; a turn that was not over ends in order."""
        if not self._over:
            with trio.move_on_after(TURN_ENDS_S), suppress(Failed):  # Failed: it could not be started, or is gone
                await self._mailbox.insist(place.agent, CancelTurn(text=CANCELLED, scope="tree"), Done)
        with trio.move_on_after(CLOSES_S), suppress(Failed):  # Failed: the program ends, and all with it
            await place.close()
            await self._mailbox.insist("store", CloseSession(session_id=self.session_id), Done)
            if not self._over:
                await place.remove()

    async def _with_patch(self, place: Workplace, outcome: Outcome) -> Outcome:
        """What was changed in a worktree, which is removed."""
        try:
            patch = await place.patch()
            kept = await place.remove()
        except Failed as failure:
            why = f"its worktree is still there (trouper worktrees list): {failure}"
            return msgspec.structs.replace(outcome, error=". ".join(filter(None, (outcome.error, why))))
        return msgspec.structs.replace(outcome, patch=cut(patch, MOST_PATCH, f"the whole of it: {kept}"), kept=kept)


def _outcome(session_id: str, tally: Tally, reason: EndReason, text: str) -> Outcome:
    usage = tally.usage
    return Outcome(
        session_id=session_id,
        status=reason,
        answer=cut(tally.answer.rstrip("\n"), MOST_ANSWER, "read_session has more"),
        error=cause(tally, reason, text).replace(DENIED_BY_YOU, DENIED_BY_USER) or None,
        cost_usd=usage.known_cost_usd if usage.is_reported else None,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
    )


def cut(text: str, most: int, rest: str) -> str:
    return text if len(text) <= most else f"{text[:most]}\n[cut here; {rest}]"
