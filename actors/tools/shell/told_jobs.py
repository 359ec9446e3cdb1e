"""What the user is told of this worker's jobs, and has ended: the model is shown all the same."""

import time

import trio

from actors.confinement.errors import ToolFailed
from actors.confinement.processes.descendants import descendants
from actors.confinement.processes.jobs import Job, Jobs
from actors.errors import failed
from actors.mailbox import Request
from actors.messages.base import Done
from actors.messages.job import MOST_SHOWN, AwaitJobs, DescribeJobs, EndJob, JobIs, JobsAre
from actors.tools.output import clean, encodable
from actors.tools.shell import shell_command
from actors.tools.shell.ports import listening


async def answer(wanted: DescribeJobs | AwaitJobs | EndJob, jobs: Jobs, request: Request) -> None:
    """Raises Failed."""
    match wanted:
        case DescribeJobs():
            request.reply(JobsAre(jobs=tuple(map(told, jobs.all()))))
        case AwaitJobs(jobs=ids):
            await _one_is_over([job for job in jobs.all() if job.id in ids and job.running], len(ids))
            request.reply(Done())
        case EndJob(job=job_id):
            request.reply(JobsAre(jobs=(told(await _ended(jobs, job_id)),)))


def told(job: Job) -> JobIs:
    return JobIs(
        id=job.id,
        line=encodable(job.line),
        seconds=time.monotonic() - job.started if job.seconds is None else job.seconds,
        printed=job.printed.end,
        ended=_how(job),
        ports=tuple(listening([job.command.pid, *descendants(job.command.pid)])) if job.running else (),
        apart=job.apart,
        output=encodable(clean(job.printed.between(job.whole_end - MOST_SHOWN, job.whole_end)))[-MOST_SHOWN:],
    )


def _how(job: Job) -> str:
    if job.running:
        return ""
    if job.killed or job.code is None:
        return "stopped"
    return encodable(job.command.why_ended) or shell_command.ending(job.code)


async def _one_is_over(running: list[Job], asked: int) -> None:
    if len(running) < asked:
        return
    async with trio.open_nursery() as nursery:

        async def wait_for(job: Job) -> None:
            await job.ended.wait()
            nursery.cancel_scope.cancel()

        for job in running:
            nursery.start_soon(wait_for, job)


async def _ended(jobs: Jobs, job_id: str) -> Job:
    """Raises Failed."""
    try:
        job = jobs.find(job_id)
    except ToolFailed as error:
        raise failed("tool_failed", f"there is no job {job_id} any more.") from error
    if job.running:
        await job.kill()
    return job
