"""`bash`: a shell command, its output live and in the end, and the end of everything it started when it is stopped."""

import os
import shutil
import signal
from functools import cache
from typing import Annotated

import msgspec
import trio

from actors.messages.tool import Preview
from actors.tools import environment, limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.errors import ToolFailed
from actors.tools.output import Output
from actors.tools.processes import PIPE_BYTES, Command, name_of, read
from actors.tools.workspace import Workspace


class Bash(Arguments, frozen=True):
    command: Annotated[str, msgspec.Meta(min_length=1, description="Run by bash -c in the workspace.")]
    timeout_s: Annotated[
        int,
        msgspec.Meta(ge=1, le=limits.BASH_TIMEOUT_MAX_S, description="Seconds after which it is ended."),
    ] = limits.BASH_TIMEOUT_S


async def run(arguments: Bash, worker: Worker, report: Report) -> Outcome:
    if "\0" in arguments.command:
        raise ToolFailed("A command cannot contain a NUL byte.")
    argv = [_shell(), "-c", arguments.command]
    command = worker.processes.start(argv, worker.workspace.root, environment.for_commands(os.environ))
    output = Output()
    reading = True
    try:
        code = await _watch(command, output, report, arguments.timeout_s)
        if code is None:
            await worker.processes.end(command)
        reading = _drain(command.output, output)
        left = worker.processes.left_by(command)
    except BaseException:
        await worker.processes.end(command)
        reading = False
        raise
    finally:
        worker.processes.forget(command)
        if reading:  # what runs on in the background must not die of a closed pipe
            worker.nursery.start_soon(_discard, command.output)
        else:
            os.close(command.output)
    return _outcome(output.text(), code, arguments.timeout_s, left)


def preview(arguments: Bash, _workspace: Workspace) -> Preview:
    first, _, rest = arguments.command.strip().partition("\n")
    return Preview(title=f"{first} ..." if rest else first, detail=arguments.command)


async def _watch(command: Command, output: Output, report: Report, timeout_s: int) -> int | None:
    """The exit code; None when the time was up."""
    code = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_collect, command.output, output)
        nursery.start_soon(_tell, output, report)
        with trio.move_on_after(timeout_s):
            code = await command.ended()
        nursery.cancel_scope.cancel()
    return code


async def _collect(pipe: int, output: Output) -> None:
    while data := await read(pipe):
        output.feed(data)


async def _tell(output: Output, report: Report) -> None:
    while True:
        await output.arrived.wait()
        await report(output.take_fresh())
        await trio.sleep(limits.LIVE_INTERVAL_S)


def _drain(pipe: int, output: Output) -> bool:
    """What is left in the pipe of an ended command. True: somebody still holds its other end."""
    for _ in range(PIPE_BYTES // 4096):  # a background process may go on writing for ever
        try:
            data = os.read(pipe, PIPE_BYTES)
        except BlockingIOError:
            return True
        if not data:
            return False
        output.feed(data)
    return True


async def _discard(pipe: int) -> None:
    try:
        while await read(pipe):
            pass
    finally:
        os.close(pipe)


def _outcome(text: str, code: int | None, timeout_s: int, left: list[int]) -> Outcome:
    parts = [text.rstrip("\n")] if text.strip() else []
    if code is None:
        ending = f"timed out after {timeout_s} s"
        parts.append(
            f"[{ending}; it and all it started were ended. timeout_s can be up to {limits.BASH_TIMEOUT_MAX_S}.]"
        )
    elif code < 0:
        ending = f"killed by {signal.Signals(-code).name}"
        parts.append(f"[{ending}]")
    else:
        ending = f"exit {code}"
        if code:
            parts.append(f"[{ending}]")
    running = [f"{pid} {name}" for pid in left if (name := name_of(pid))]
    if running:
        parts.append(f"[still running in the background: {'; '.join(running)}]")
    lines = text.count("\n") + (not text.endswith("\n") and text != "")
    return Outcome("\n".join(parts) or "(no output)", f"{ending}, {lines} lines", failed=code != 0)


@cache
def _shell() -> str:
    return shutil.which("bash") or "/bin/sh"


BASH = Tool("bash", "execute", Bash, run, preview)
