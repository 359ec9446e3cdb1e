"""Who is told how a batch goes and shows it: on the terminal, or in plain lines; and at the door for other programs."""

import time
from collections.abc import Iterable, Mapping

import trio

from actors.messages.batch import TaskRow
from actors.messages.turn import Event
from actors.messages.usage import NOTHING_USED
from ui.batch.live.display import Display
from ui.batch.live.door import Door
from ui.batch.live.standing import Standing
from ui.batch.live.table import living
from ui.batch.live.tracker import Tracker
from ui.batch.reports.outcomes import outcome
from ui.batch.task import BatchFront
from ui.common.harmless import one_line


class Onlookers:
    """What happens before the journal is open is only said."""

    def __init__(self, home: str, environ: Mapping[str, str]) -> None:
        self._home = home
        self._tracker: Tracker | None = None
        self._display = Display(environ)
        self._door = Door(self.standing, self._ask)
        self.asked = trio.Event()
        """Another program has: pause, in order."""
        self._opened, self._gone = trio.Event(), trio.Event()
        self._watching = trio.CancelScope()

    def opens(self, rows: Iterable[TaskRow], front: BatchFront, limit_usd: float | None) -> None:
        """From now on there is something to be seen: all rows of the run, of which not all may be given now."""
        tasks = [outcome(row) for row in rows]
        given = {task.id for task in front.tasks}
        left = sum(task.task.id in given and not task.task.has_ended for task in tasks)
        standing = Standing(
            run_id=front.run_id,
            began_at=time.time(),
            tasks=len(given),
            done_before=len(given) - left,
            left=left,
            workers=front.workers,
            used=sum((task.used for task in tasks), start=NOTHING_USED),
            limit_usd=limit_usd,
        )
        self._tracker = Tracker(standing)
        self._opened.set()

    def standing(self) -> Standing | None:
        """None: not yet."""
        return self._tracker.standing() if self._tracker else None

    async def run(self) -> None:
        """Until `close`."""
        with self._watching:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._display.run, living(self.standing))
                await self._opened.wait()
                if (standing := self.standing()) is not None:
                    await self._door.serve(self._home, standing.run_id)
        self._gone.set()

    async def close(self, code: int) -> None:
        """All that was said is written and told. code: with which the program ends."""
        await self._door.close(code)
        self._watching.cancel()
        await self._gone.wait()

    def _ask(self, who: str) -> None:
        self.say(f"asked to pause by {who}")
        self.asked.set()

    def say(self, text: str) -> None:
        self._display.say(text)
        self._door.say(one_line(text))

    def begun(self, task: TaskRow) -> None:
        if self._tracker:
            self._tracker.begins(task.id)

    def heard(self, task: TaskRow, event: Event) -> None:
        if self._tracker:
            self._tracker.hears(task.id, event)

    def does(self, task_id: str, doing: str) -> None:
        """doing: in a few words."""
        if self._tracker:
            self._tracker.does(task_id, doing)

    def paused(self, task: TaskRow) -> None:
        if self._tracker:
            self._tracker.gives_back(task.id)

    def pauses(self) -> None:
        """All of it, in order."""
        if self._tracker:
            self._tracker.pauses()

    def ended(self, task: TaskRow, text: str) -> None:
        if self._tracker:
            told = outcome(task)
            self._tracker.ends(task.id, told.reason, told.used)
        self.say(text)
