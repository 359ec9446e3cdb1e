"""Commands that run on while the agent does something else: found by their id, what they print is kept, bounded."""

import re
import secrets
import time

import msgspec
import trio

from actors.confinement import limits
from actors.confinement.errors import ToolFailed
from actors.confinement.processes.pipes import collect, drain
from actors.confinement.processes.process_trees import Command, Processes

TORN = re.compile(rb"(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2}|\x1b(?:\[[0-9;?]*)?)\Z")
"""The beginning of a character or of an escape sequence whose rest is yet to come."""


class Printed:
    """The last bytes of all that was printed, each known by its place in the whole."""

    def __init__(self, most: int = limits.JOB_BYTES) -> None:
        self.start = 0
        """Place of the first byte that is still there."""
        self._most = most
        self._kept = bytearray()
        self._arrived = trio.Event()

    @property
    def end(self) -> int:
        return self.start + len(self._kept)

    def feed(self, data: bytes) -> None:
        self._kept += data
        extra = len(self._kept) - self._most
        if extra > 0:
            del self._kept[:extra]
            self.start += extra
        self.wake()

    def between(self, start: int, end: int) -> bytes:
        return bytes(self._kept[max(start - self.start, 0) : max(end - self.start, 0)])

    def whole_end(self) -> int:
        """The end, before a character that has not arrived whole."""
        torn = TORN.search(self._kept[-32:])
        return self.end - (len(torn[0]) if torn else 0)

    async def more(self) -> None:
        """Until something is printed, or nothing will be any more."""
        await self._arrived.wait()

    def wake(self) -> None:
        self._arrived.set()
        self._arrived = trio.Event()


class Job(msgspec.Struct):
    line: str
    """As the model wrote it."""
    apart: bool
    """It has no part in this machine's network."""
    command: Command
    processes: Processes
    id: str = ""
    printed: Printed = msgspec.field(default_factory=Printed)
    asked: int = 0
    """Up to here its output was shown."""
    started: float = msgspec.field(default_factory=time.monotonic)
    seconds: float | None = None
    """How long it ran, once it has ended."""
    code: int | None = None
    killed: bool = False
    ended: trio.Event = msgspec.field(default_factory=trio.Event)

    async def follow(self) -> None:
        """Until its command has ended; then, or when this is cancelled, all that it left is ended, too."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(collect, self.command.output, self.printed.feed)
                self.code = await self.command.ended()
                nursery.cancel_scope.cancel()
        finally:
            await self.processes.end(self.command)
            self.processes.forget(self.command)
            drain(self.command.output, self.printed.feed)
            self.command.close()
            self.seconds = time.monotonic() - self.started
            self.ended.set()
            self.printed.wake()

    async def kill(self) -> None:
        """Its whole tree; returns when nothing is left of it."""
        self.killed = True
        await self.processes.end(self.command)
        await self.ended.wait()

    @property
    def running(self) -> bool:
        return self.seconds is None

    @property
    def whole_end(self) -> int:
        """Up to here its output can be shown."""
        return self.printed.whole_end() if self.running else self.printed.end


class Jobs:
    """Those of one worker; they end with it."""

    def __init__(self, worker: str = "") -> None:
        """worker: what its jobs' ids begin with, so that the gate knows who has a job; "" for the usual one."""
        self._prefix = f"{worker}-" if worker else ""
        self._jobs: dict[str, Job] = {}

    @property
    def full(self) -> bool:
        return len(self._running()) >= limits.JOBS

    def check_room(self) -> None:
        """Raises ToolFailed."""
        if self.full:
            raise ToolFailed(
                f"{limits.JOBS} jobs are running, and no more can. End one with bash_kill: {self._names()}."
            )

    def adopt(self, job: Job, nursery: trio.Nursery) -> None:
        """It runs on by itself from here on, as long as the nursery. Raises ToolFailed when there are too many."""
        self.check_room()
        ended = [each.id for each in self._jobs.values() if not each.running]
        for old in ended[: -limits.ENDED_JOBS + 1]:
            del self._jobs[old]
        job.id = f"{self._prefix}job-{secrets.token_hex(3)}"
        self._jobs[job.id] = job
        nursery.start_soon(job.follow)

    def all(self) -> tuple[Job, ...]:
        """In the order they were begun in; of those that are over the latest few."""
        return tuple(self._jobs.values())

    def find(self, job_id: str) -> Job:
        """Raises ToolFailed."""
        if job_id in self._jobs:
            return self._jobs[job_id]
        running = f"Running are: {self._names()}." if self._running() else "None is running."
        raise ToolFailed(
            f"There is no job {job_id}. {running} Jobs end with the worker they ran in, "
            "when the session is resumed or the worker had to be replaced: start it again with bash_background."
        )

    def _running(self) -> list[Job]:
        return [job for job in self._jobs.values() if job.running]

    def _names(self) -> str:
        return "; ".join(f"{job.id} ({job.line.splitlines()[0][:60]})" for job in self._running())
