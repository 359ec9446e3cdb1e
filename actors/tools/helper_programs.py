"""Programs that a tool runs for itself, to their end: git, checkers, hooks. Nothing they start outlives them."""

import os
from pathlib import Path

import msgspec
import trio

from actors.common.installed_programs import find
from actors.confinement.errors import ToolFailed
from actors.confinement.processes.pipes import collect, drain
from actors.confinement.processes.process_trees import Command, Program
from actors.confinement.sandbox import environment
from actors.tools import limits
from actors.tools.base import Worker
from actors.tools.output import Output


class Ran(msgspec.Struct, frozen=True):
    exit_code: int | None
    """Minus the signal that ended it; None: it took too long and was ended."""
    output: str
    """Stdout, fit to be shown; head and tail where it was too much."""
    errors: str


def shell(workspace: Path) -> str:
    return find("bash", workspace) or "/bin/sh"


async def run_shell(worker: Worker, command: str, given: bytes, timeout_s: float) -> Ran:
    """A command line of the user's own configuration, in the workspace. Raises ToolFailed, OSError."""
    argv = [shell(worker.workspace.root), "-c", command]
    program = Program(argv, worker.workspace.root, environment.for_commands(os.environ), given, apart=True)
    return await run_program(worker, program, timeout_s)


async def run_program(
    worker: Worker,
    program: Program,
    timeout_s: float = limits.PROGRAM_S,
    output: Output | None = None,
) -> Ran:
    """output: one of another size, or one that somebody watches. Raises ToolFailed, OSError."""
    command = worker.processes.start(program, worker.grant)
    output = output or Output()
    errors = Output()
    code = None
    try:
        with trio.move_on_after(timeout_s):
            code = await _follow(command, output, errors)
    finally:
        await worker.processes.end(command)
        worker.processes.forget(command)
        for pipe, kept in _pipes(command, output, errors):
            drain(pipe, kept.feed)
        command.close()
    return Ran(code, output.text(), command.why_ended or errors.text())


async def _follow(command: Command, output: Output, errors: Output) -> int:
    """Until it has ended, and not until its pipes have: what it left running may hold them."""
    async with trio.open_nursery() as nursery:
        for pipe, kept in _pipes(command, output, errors):
            nursery.start_soon(collect, pipe, kept.feed)
        code = await command.ended()
        nursery.cancel_scope.cancel()
    return code


def _pipes(command: Command, output: Output, errors: Output) -> list[tuple[int, Output]]:
    return [(pipe, kept) for pipe, kept in ((command.output, output), (command.errors, errors)) if pipe >= 0]


def need(program: str, workspace: Path) -> str:
    """Raises ToolFailed."""
    if found := find(program, workspace):
        return found
    raise ToolFailed(f"{program} is not installed, or only in the workspace, whose programs are not used for this.")
