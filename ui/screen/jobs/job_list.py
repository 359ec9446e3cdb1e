"""/jobs: the commands that run in the background, one to be chosen, and what is to be done with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.job import DescribeJobs, EndJob, JobIs, JobsAre
from ui.common import harmless
from ui.screen.jobs import words
from ui.screen.jobs.job_count import JobCount
from ui.screen.questions.choice_list import Ask, choose
from ui.screen.terminal.piece import Piece

NONE = "nothing runs in the background; commands that outlast their call do, and those that the agent starts there"


@dataclass(frozen=True)
class JobList:
    mailbox: Mailbox
    agent: str
    count: JobCount
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""
    show: Callable[[Piece], None]

    async def choose(self) -> None:
        try:
            await self._choose()
        except Failed as failure:
            self.say(str(failure), "error")

    async def do(self, what: str, which: str) -> None:
        """what: look or stop; which: an id, its end or the beginning of the command."""
        try:
            if (job := self._meant(which, await self._all())) is not None:
                await self._do(what, job)
        except Failed as failure:
            self.say(str(failure), "error")

    async def _choose(self) -> None:
        """Raises Failed."""
        if not (jobs := await self._all()):
            self.say(NONE, "info")
            return
        at = await choose(self.ask, "Which job?", words.in_list(jobs))
        if at is None:
            return
        now = next((job for job in await self._all() if job.id == jobs[at].id), None)  # it may have stood open for long
        if now is None:
            self.say(f"{words.command(jobs[at])} has ended with its worker meanwhile", "warning")
            return
        await self._do((await self.ask(words.question(now))).choice, now)

    async def _do(self, what: str, job: JobIs) -> None:
        """Raises Failed."""
        if what == words.LOOK:
            found = [one for one in await self._all() if one.id == job.id]
            self.show(words.Printed(found[0] if found else job))
        elif what == words.STOP:
            await self._stop(job)

    async def _stop(self, job: JobIs) -> None:
        """Raises Failed."""
        if job.ended:
            self.say(f"{words.command(job)} is over already: {harmless.one_line(job.ended)}", "info")
            return
        wanted = EndJob(agent=self.agent, job=job.id)
        self.show(words.Printed((await self.mailbox.insist("gate", wanted, JobsAre)).jobs[0]))

    async def _all(self) -> tuple[JobIs, ...]:
        """Raises Failed."""
        return (await self.mailbox.insist("gate", DescribeJobs(agent=self.agent), JobsAre)).jobs

    def _meant(self, which: str, jobs: Sequence[JobIs]) -> JobIs | None:
        """Where it is none, or more than one, the user is told."""
        found = [job for job in jobs if job.id == which or job.id.endswith(f"-{which}")]
        found = found or [job for job in jobs if job.line.startswith(which)]
        if len(found) == 1:
            return found[0]
        there = "; ".join(f"{job.id} ({words.command(job)[:40]})" for job in found or jobs)
        text = f"there is no job {which}" if not found else f"{which} can be more than one job"
        self.say(f"{text}. {f'There are: {there}' if there else NONE}", "warning")
        return None
