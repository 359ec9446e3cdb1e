"""What the user asks about the jobs of an agent: each of its workers knows its own, and one that has died has none."""

from collections.abc import Iterable

import trio

from actors.errors import ActorDied, Failed, failed
from actors.gate.user_commands import USER
from actors.gate.workers import KINDS_OF_JOBS, kind_of_job, worker_of
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done
from actors.messages.job import AwaitJobs, DescribeJobs, EndJob, JobIs, JobsAre

Wanted = DescribeJobs | AwaitJobs | EndJob
KINDS = ("", *KINDS_OF_JOBS.values())


async def answer(mailbox: Mailbox, wanted: Wanted, request: Request) -> None:
    """Raises Failed."""
    if request.sender != USER:
        raise failed("not_allowed", f"{request.sender} may not ask about the jobs.")
    match wanted:
        case DescribeJobs():
            request.reply(JobsAre(jobs=await _all(mailbox, wanted)))
        case AwaitJobs():
            await _one_is_over(mailbox, wanted)
            request.reply(Done())
        case EndJob(agent=agent, job=job):
            request.forward(worker_of(agent, kind_of_job(job)), wanted)


async def _all(mailbox: Mailbox, wanted: DescribeJobs) -> tuple[JobIs, ...]:
    found: list[JobIs] = []

    async def ask(worker: str) -> None:
        try:
            found.extend((await mailbox.ask(worker, wanted, JobsAre)).jobs)
        except ActorDied:
            return
        except Failed as failure:
            if failure.problem.code != "gone":
                raise

    async with trio.open_nursery() as nursery:
        for worker in (worker_of(wanted.agent, kind) for kind in KINDS):
            nursery.start_soon(ask, worker)
    return tuple(sorted(found, key=lambda job: -job.seconds))


async def _one_is_over(mailbox: Mailbox, wanted: AwaitJobs) -> None:
    """Where a worker is not there any more its jobs are not, either."""
    async with trio.open_nursery() as nursery:

        async def wait(worker: str, ids: Iterable[str]) -> None:
            try:
                await mailbox.ask(worker, AwaitJobs(agent=wanted.agent, jobs=tuple(ids)), Done)
            except ActorDied:
                pass
            except Failed as failure:
                if failure.problem.code != "gone":
                    raise
            nursery.cancel_scope.cancel()

        for kind in KINDS:
            if ids := [job for job in wanted.jobs if kind_of_job(job) == kind]:
                nursery.start_soon(wait, worker_of(wanted.agent, kind), ids)
