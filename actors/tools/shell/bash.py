"""`bash`: a shell command, its output live and in the end; one that takes too long goes on as a job, or is ended."""

import os
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.common.plurals import how_many
from actors.confinement.limits import JOBS
from actors.confinement.processes.jobs import Job
from actors.confinement.processes.pipes import collect, discard, drain
from actors.confinement.processes.process_trees import name_of
from actors.confinement.sandbox.kernel import launcher
from actors.messages.model import Touch
from actors.tools import limits
from actors.tools.base import Outcome, Report, Tool, Worker
from actors.tools.output import Output
from actors.tools.shell import shell_command
from actors.tools.shell.shell_command import ShellCommand

TOUCHES = (Touch(scope="bash", argument="command"),)


class Bash(ShellCommand, frozen=True):
    timeout_s: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=limits.BASH_TIMEOUT_MAX_S,
            description="Seconds after which it is ended with all it has started. "
            f"0: after {limits.BASH_TIMEOUT_S} s it goes on as a background job.",
        ),
    ] = 0
    background: Annotated[
        bool, msgspec.Meta(description="After timeout_s it is not ended: it goes on as a background job.")
    ] = False

    @property
    def patience_s(self) -> int:
        return self.timeout_s or limits.BASH_TIMEOUT_S

    @property
    def may_go_on(self) -> bool:
        """After that."""
        return self.background or not self.timeout_s


async def run(arguments: Bash, worker: Worker, report: Report) -> Outcome:
    outcome, has_run = await _run_once(arguments, worker, report)
    if not has_run:
        # what its sandbox was to cover went in that moment, such as the socket of another program that ended
        outcome, _ = await _run_once(arguments, worker, report)
    return outcome


async def _run_once(arguments: Bash, worker: Worker, report: Report) -> tuple[Outcome, bool]:
    """And whether anything of it has run."""
    output = Output()
    with worker.workspace.made.during():
        job = shell_command.start(arguments, worker)
        try:
            code = await _watch(job, output, report, arguments.patience_s)
            if code is None:
                return await _taking_long(arguments, job, output, worker), True
        except BaseException:
            await _end(job, worker)
            raise
    pipe = job.command.output
    reading = drain(pipe, output.feed)
    left = worker.processes.left_by(job.command)
    worker.processes.forget(job.command)
    if left:
        worker.nursery.start_soon(worker.processes.look_again, job.command)
    if reading:
        worker.nursery.start_soon(discard, pipe)
    else:
        os.close(pipe)
    text = output.text()
    return _ended(text, code, left, shell_command.note(job, text, code, worker)), job.command.has_run


async def _watch(job: Job, output: Output, report: Report, patience_s: int) -> int | None:
    """The exit code; None when the time was up."""
    code = None

    def feed(data: bytes) -> None:
        output.feed(data)
        job.printed.feed(data)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(collect, job.command.output, feed)
        nursery.start_soon(_tell, output, report)
        with trio.move_on_after(patience_s):
            code = await job.command.ended()
        nursery.cancel_scope.cancel()
    return code


async def _tell(output: Output, report: Report) -> None:
    while True:
        await output.arrived.wait()
        await report(output.take_fresh())
        await trio.sleep(limits.LIVE_INTERVAL_S)


async def _end(job: Job, worker: Worker) -> None:
    await worker.processes.end(job.command)
    worker.processes.forget(job.command)
    job.command.close()


async def _taking_long(arguments: Bash, job: Job, output: Output, worker: Worker) -> Outcome:
    """It becomes a job, or is ended: where that was asked for, and where there are too many jobs."""
    late = f"after {arguments.patience_s} s"
    if not arguments.may_go_on:
        return await _timed_out(late, ". background=true lets it go on as a job instead", job, output, worker)
    if worker.jobs.full:
        why = f", because {JOBS} background jobs are running already"
        return await _timed_out(late, why, job, output, worker)
    job.asked = job.whole_end
    worker.jobs.adopt(job, worker.nursery)
    note = (
        f"[still running {late}: it goes on in the background as {job.id}. What it prints from here on: "
        f'bash_output(job="{job.id}", wait_s=30); to end it: bash_kill(job="{job.id}")]'
    )
    return Outcome("\n".join([*_lines(output.text()), note]), f"goes on as {job.id} {late}")


async def _timed_out(late: str, more: str, job: Job, output: Output, worker: Worker) -> Outcome:
    await worker.processes.end(job.command)
    drain(job.command.output, output.feed)
    await _end(job, worker)
    note = f"[timed out {late}: it was ended with all it had started{more}]"
    return Outcome("\n".join([*_lines(output.text()), note]), f"timed out {late}", failed=True)


def _ended(text: str, code: int, left: list[int], note: str) -> Outcome:
    parts = _lines(text)
    ending = shell_command.ending(code)
    if code:
        parts.append(f"[{ending}]")
    running = [f"{pid} {name}" for pid in left if (name := name_of(pid)) and not _is_sandbox(pid)]
    if running:
        parts.append(f"[still running in the background: {'; '.join(running)}]")
    if note:
        parts.append(note)
    lines = text.count("\n") + (not text.endswith("\n") and text != "")
    return Outcome("\n".join(parts) or "(no output)", f"{ending}, {how_many(lines, 'line')}", failed=code != 0)


def _is_sandbox(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_bytes().rstrip(b"\n") in (b"bwrap", launcher.NAME)
    except OSError:
        return True  # it is gone


def _lines(text: str) -> list[str]:
    return [text.rstrip("\n")] if text.strip() else []


BASH = Tool("bash", "execute", Bash, run, shell_command.preview, touches=TOUCHES)
