"""`bash_background`, `bash_output`, `bash_kill`: commands that run on while the agent does something else."""

import os
import time
from typing import Annotated

import msgspec
import trio

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.confinement.limits import JOB_BYTES
from actors.confinement.processes.descendants import descendants
from actors.confinement.processes.jobs import Job
from actors.confinement.processes.process_trees import Program
from actors.confinement.sandbox import environment
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.helper_programs import run_program
from actors.tools.output import clean
from actors.tools.search.ripgrep import ripgrep
from actors.tools.shell import shell_command
from actors.tools.shell.bash import TOUCHES
from actors.tools.shell.ports import listening
from actors.tools.shell.shell_command import ShellCommand
from actors.tools.workspace.folder import Workspace

JobId = Annotated[str, msgspec.Meta(description="Its id, as bash_background or bash gave it.")]


class BashBackground(ShellCommand, frozen=True):
    pass


class BashOutput(Arguments, frozen=True):
    job: JobId
    offset: Annotated[
        int, msgspec.Meta(ge=-1, description="Byte to begin at; -1: with what is new since you last asked.")
    ] = -1
    wait_s: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=limits.JOB_WAIT_MAX_S,
            description="Wait at most so long for new output (with filter: for a line that matches) or the end.",
        ),
    ] = 0
    filter: Annotated[str, msgspec.Meta(description="Only lines that match this regular expression (Rust).")] = ""


class BashKill(Arguments, frozen=True):
    job: JobId


async def run_background(arguments: BashBackground, worker: Worker, _report: Report) -> Outcome:
    worker.jobs.check_room()
    job = shell_command.start(arguments, worker)
    worker.jobs.adopt(job, worker.nursery)
    try:
        with trio.move_on_after(limits.JOB_FIRST_LOOK_S):
            await job.ended.wait()
    except BaseException:
        with trio.CancelScope(shield=True):  # nobody has heard of it
            await job.kill()
        raise
    return _outcome(job, _new(job), failed=bool(job.code))


async def run_output(arguments: BashOutput, worker: Worker, _report: Report) -> Outcome:
    job = worker.jobs.find(arguments.job)
    start = job.asked if arguments.offset < 0 else arguments.offset
    if start > job.printed.end:
        raise ToolFailed(f"{job.id} has printed {how_many(job.printed.end, 'byte')} so far: offset can be up to that.")
    if arguments.wait_s:
        with trio.move_on_after(arguments.wait_s):
            await _news(job, start, arguments.filter, worker)
    if arguments.filter:
        return _outcome(job, await _filtered(job, start, arguments.filter, worker))
    return _outcome(job, _new(job) if arguments.offset < 0 else _page(job, start))


async def run_kill(arguments: BashKill, worker: Worker, _report: Report) -> Outcome:
    job = worker.jobs.find(arguments.job)
    if job.running:
        await job.kill()
    return _outcome(job, _new(job))


def preview_output(arguments: BashOutput, _workspace: Workspace) -> Preview:
    return Preview(title=f"output of {arguments.job}")


def preview_kill(arguments: BashKill, _workspace: Workspace) -> Preview:
    return Preview(title=f"end {arguments.job}")


async def _news(job: Job, start: int, pattern: str, worker: Worker) -> None:
    """Until there is something that was not shown, or the job has ended."""
    while job.running:
        if job.whole_end > start and (not pattern or await _matching(job, start, pattern, worker)):
            return
        await job.printed.more()
        if pattern:
            await trio.sleep(limits.JOB_FILTER_S)  # not once for each line


def _new(job: Job) -> str:
    """What was not shown yet; of very much the end."""
    start, end = job.asked, job.whole_end
    job.asked = end
    first = max(start, end - limits.JOB_SHOWN_BYTES)
    skipped = first - max(start, job.printed.start)
    left_out = (
        f"[not shown: {how_many(skipped, 'byte')} before this, at offset={first - skipped}]\n" if skipped > 0 else ""
    )
    return _gone(job, start) + left_out + clean(job.printed.between(first, end))


def _page(job: Job, start: int) -> str:
    """From there on, as much as fits."""
    first = max(start, job.printed.start)
    end = min(first + limits.JOB_SHOWN_BYTES, job.whole_end)
    more = f"\n[it goes on at offset={end}]" if end < job.whole_end else ""
    if start <= job.asked:
        job.asked = max(job.asked, end)
    return _gone(job, start) + clean(job.printed.between(first, end)) + more


async def _filtered(job: Job, start: int, pattern: str, worker: Worker) -> str:
    end = job.whole_end
    found = await _matching(job, start, pattern, worker)
    if start <= job.asked:
        job.asked = max(job.asked, end)
    return _gone(job, start) + (found or f"No line from offset {start} to {end} matches.")


async def _matching(job: Job, start: int, pattern: str, worker: Worker) -> str:
    """By ripgrep, whose expressions cannot take for ever. Raises ToolFailed."""
    argv = [ripgrep(worker.workspace.root), "--no-config", "--color=never", "--text", f"--regexp={pattern}", "-"]
    text = clean(job.printed.between(start, job.whole_end)).encode()
    here = environment.for_commands(os.environ)
    ran = await run_program(worker, Program(argv, worker.workspace.root, here, text, apart=True))
    if ran.exit_code not in (0, 1):
        raise ToolFailed(f"The filter could not be used: {ran.errors.strip() or 'it took too long'}")
    return ran.output


def _gone(job: Job, start: int) -> str:
    gone = job.printed.start - start
    return (
        f"[gone: {how_many(gone, 'byte')} from offset {start} on; only the last {JOB_BYTES} are kept]\n"
        if gone > 0
        else ""
    )


def _outcome(job: Job, shown: str, *, failed: bool = False) -> Outcome:
    state = _state(job)
    return Outcome(f"{shown.rstrip() or '(nothing new)'}\n[{state}]", state, failed=failed)


def _state(job: Job) -> str:
    printed = f"{how_many(job.printed.end, 'byte')} printed"
    if job.seconds is None:
        pids = [job.command.pid, *descendants(job.command.pid)]
        ports = listening(pids)
        where = " (of the sandbox, not of this machine)" if job.apart else ""
        on = f", listening on port {', '.join(map(str, ports))}{where}" if ports else ""
        return f"{job.id} is running for {time.monotonic() - job.started:.0f} s, {printed}{on}"
    if job.killed or job.code is None:
        return f"{job.id} was ended after {job.seconds:.0f} s, {printed}"
    if job.command.why_ended:
        return f"{job.id} is over after {job.seconds:.0f} s, {printed}. {job.command.why_ended}"
    return f"{job.id} ended by itself: {shell_command.ending(job.code)} after {job.seconds:.0f} s, {printed}"


BASH_BACKGROUND = Tool(
    "bash_background", "execute", BashBackground, run_background, shell_command.preview, touches=TOUCHES
)
BASH_OUTPUT = Tool("bash_output", "meta", BashOutput, run_output, preview_output)
BASH_KILL = Tool("bash_kill", "meta", BashKill, run_kill, preview_kill)
