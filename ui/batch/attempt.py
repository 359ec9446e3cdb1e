"""One attempt at a task: its prompt and what follows, to the end or to a deadline. Nothing here waits for ever."""

from collections.abc import Callable
from typing import Literal

import msgspec
import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, ProblemCode
from actors.messages.conversation import EndReason
from actors.messages.model import Retrying
from actors.messages.turn import CancelTurn, Event, Prompt
from ui.batch.workplace import Workplace
from ui.common.attached_files import AttachedFile
from ui.headless.report import Tally, reason_of
from ui.headless.watch import Watch

PATIENCE_S = 3.0
"""For an agent to end its turn."""
OUTAGES: tuple[ProblemCode, ...] = (
    "unreachable",
    "bad_stream",
    "stalled",
    "rate_limited",
    "overloaded",
    "server_error",
)
"""Of a model service, longer than --retry-for."""
CRASHES: tuple[ProblemCode, ...] = ("actor_died", "deadly", "gone")
HELD: ProblemCode = "session_in_use"
"""By what is left of an earlier start, which ends soon."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    reason: EndReason
    text: str = ""
    """Why, when it is not "done"."""
    code: ProblemCode | Literal[""] = ""
    is_said: bool = True
    """The prompt is in the session: it is not to be said again."""

    @property
    def is_worth_another(self) -> bool:
        """It may end otherwise the next time."""
        return self.code in (*OUTAGES, *CRASHES)


class Attempt:
    def __init__(
        self,
        mailbox: Mailbox,
        place: Workplace,
        prompt: Prompt,
        files: tuple[AttachedFile, ...],
        hear: Callable[[Event], None],
    ) -> None:
        self._mailbox = mailbox
        self._agent, self._place = place.agent, place
        self._hear = hear
        self._typed = prompt.text
        self._watch = Watch(mailbox, place.agent, prompt, self._on_event, files)
        self._heard = trio.current_time()
        """When it last gave a sign of life; in the future where it has said for how long it waits."""
        self._ended: Ended | None = None
        self._why: Ended | None = None
        """Of the deadline that has passed."""

    @property
    def tally(self) -> Tally:
        return self._watch.tally

    @property
    def is_said(self) -> bool:
        """Its prompt is in the session."""
        return self._watch.is_accepted

    async def follow(self, stall_s: float, timeout_s: float | None) -> Ended:
        """stall_s: so long may pass without an event. timeout_s: all of it may take so long; None: any time."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._end_when_stalled, stall_s, nursery.cancel_scope)
            if timeout_s is not None:
                nursery.start_soon(self._end_after, timeout_s, nursery.cancel_scope)
            self._ended = await self._followed()
            nursery.cancel_scope.cancel()
        return self._outcome()

    def _outcome(self) -> Ended:
        """Of a turn that had its own end by then, that; a deadline cuts off the following of it."""
        ended, why = self._ended, self._why
        if why is not None and (ended is None or ended.reason == "timeout"):
            return msgspec.structs.replace(why, is_said=self._watch.is_accepted)
        return ended or Ended(reason="interrupted")

    async def _followed(self) -> Ended:
        try:
            reason, text = await self._watch.follow(self._typed, self._place.settings, self._place.session_id)
        except Failed as failure:
            said = self._watch.is_accepted
            return Ended(reason=reason_of(failure), text=str(failure), code=failure.problem.code, is_said=said)
        return Ended(reason=reason, text=text, code=self._watch.code)

    async def _on_event(self, event: Event) -> None:
        waits = event.wait_s if isinstance(event, Retrying) else 0.0
        self._heard = trio.current_time() + waits
        self._hear(event)

    async def _end_when_stalled(self, stall_s: float, scope: trio.CancelScope) -> None:
        while trio.current_time() < self._heard + stall_s:  # noqa: ASYNC110  # each event moves it
            await trio.sleep_until(self._heard + stall_s)
        text = f"nothing was heard of it for {how_many(round(stall_s), 'second')} (--stall)."
        await self._end(Ended(reason="timeout", text=text, code="stalled"), scope)

    async def _end_after(self, timeout_s: float, scope: trio.CancelScope) -> None:
        await trio.sleep(timeout_s)
        await self._end(Ended(reason="timeout", text=f"time was up after {timeout_s:g} s."), scope)

    async def _end(self, why: Ended, scope: trio.CancelScope) -> None:
        """In order where the agent answers; in bounded time where it does not."""
        if self._why is not None:
            return
        self._why = why
        with trio.move_on_after(PATIENCE_S):
            try:
                await self._mailbox.insist(self._agent, CancelTurn(reason="timeout", text=why.text), Done)
            except Failed:
                scope.cancel()
            await trio.sleep_forever()  # the end of the turn is on its way to whoever follows it
        scope.cancel()
