"""How an inquiry goes, for people on stderr: one row that is drawn anew on a terminal, else plain lines."""

import math
import time
from collections.abc import Callable, Mapping

import trio

from actors.common.budget import dollars
from actors.common.plurals import how_many
from actors.messages.model import Retrying
from actors.messages.usage import NOTHING_USED, Usage
from ui.batch.live.display import Display
from ui.common.amounts import clock
from ui.common.harmless import one_line
from ui.headless.stdout import say
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme


class Progress:
    def __init__(
        self, what: str, limit_usd: float | None, environ: Mapping[str, str], now: Callable[[], float] = time.monotonic
    ) -> None:
        """what: is shown, such as "audit". limit_usd: of --max-cost."""
        self._display = Display(environ)
        self._what = what
        self._limit_usd = limit_usd
        self._now = now
        self._began = now()
        self._to_ask = 0
        self._ended = self._ended_before = 0
        """Of all; of those the ones that were answered before."""
        self._used = NOTHING_USED
        self._at_work: dict[str, str] = {}
        """By the id of the question what it waits for; "" for its answer."""
        self._opened = trio.Event()

    async def run(self) -> None:
        """Until cancelled. Nothing is drawn before it opens: what is asked until then stands on the terminal."""
        await self._opened.wait()
        await self._display.run(self.rows)

    def say(self, text: str) -> None:
        """A line, for good."""
        if self._opened.is_set():
            self._display.say(text)
        else:
            say(one_line(text))

    def opens(self, to_ask: int) -> None:
        """From now on there is something to be seen."""
        self._began, self._to_ask = self._now(), to_ask
        self._opened.set()

    def begins(self, question_id: str) -> None:
        self._at_work[question_id] = ""

    def waits(self, question_id: str, why: Retrying) -> None:
        """Said once for each reason, however many wait."""
        if why.wait_s and why.why not in self._at_work.values():
            self.say(f"{question_id} waits {clock(math.ceil(why.wait_s))}: {why.why}")
        self._at_work[question_id] = why.why if why.wait_s else ""

    def ends(self, question_id: str, used: Usage, told: str, *, is_new: bool = True) -> None:
        """told: how, in a few words. is_new: it was not answered before, which is nothing to tell."""
        self._at_work.pop(question_id, None)
        self._used += used
        self._ended += 1
        self._ended_before += not is_new
        if is_new:
            self.say(f"[{self._ended}/{self._to_ask}] {question_id}: {told}")

    def rows(self, size: tuple[int, int], theme: Theme) -> list[str]:
        if not self._to_ask:
            return []
        head = theme.paint("strong", f"{self._what} {self._ended}/{self._to_ask}")
        waiting = next(filter(None, self._at_work.values()), "")
        rest = ", ".join(filter(None, [*self._counts(), one_line(waiting)]))
        return [cells.clip(f"{head}  {theme.paint('dim', rest)}", size[0] - 1)]

    def _counts(self) -> list[str]:
        took = self._now() - self._began
        new = self._ended - self._ended_before
        left = took / new * (self._to_ask - self._ended) if new else 0.0
        tokens = self._used.input_tokens + self._used.output_tokens
        cost = self._used.known_cost_usd
        money = "cost unknown" if cost is None else dollars(cost)
        return [
            f"{len(self._at_work)} at once",
            clock(took),
            f"about {clock(left)} left" if left else "",
            how_many(tokens, "token") if tokens else "",
            (f"{money} of {dollars(self._limit_usd)}" if self._limit_usd is not None else money) if tokens else "",
        ]
