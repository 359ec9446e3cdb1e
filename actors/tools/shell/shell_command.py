"""What `bash` and `bash_background` have in common: the arguments, how a command line is started, how it is shown."""

import os
import re
import signal
from typing import Annotated

import msgspec

from actors.common import own_code
from actors.confinement.errors import ToolFailed
from actors.confinement.processes.jobs import Job
from actors.confinement.processes.process_trees import Program
from actors.confinement.sandbox import environment, levels
from actors.messages.tool import Preview
from actors.settings import credential_files
from actors.tools import limits
from actors.tools.base import Arguments, Worker
from actors.tools.helper_programs import shell
from actors.tools.shell.sandbox_note import own_note, sandbox_note
from actors.tools.workspace.folder import Workspace

LONGEST_ARGUMENT = 100_000
"""Bytes. The kernel takes 128 KiB in one argument, and the sandbox adds some of its own."""
WORD = re.compile(r"[\w.-]+")
FROM_STDIN = 'eval "$(cat)" </dev/null'
"""For longer ones: read whole first, then run with an empty stdin like any other."""


class ShellCommand(Arguments, frozen=True):
    command: Annotated[
        str,
        msgspec.Meta(
            min_length=1, max_length=limits.BASH_COMMAND_CHARS, description="Run by bash -c in the workspace."
        ),
    ]
    network: Annotated[bool, msgspec.Meta(description="It needs the internet; the user may be asked.")] = False
    unsandboxed: Annotated[
        bool,
        msgspec.Meta(description="Run it outside the sandbox: only when it failed in it; the user is asked."),
    ] = False
    why: Annotated[str, msgspec.Meta(description="For the user: why it needs network or unsandboxed.")] = ""


def start(arguments: ShellCommand, worker: Worker) -> Job:
    """Raises ToolFailed, OSError."""
    if "\0" in arguments.command:
        raise ToolFailed("A command cannot contain a NUL byte.")
    given = arguments.command.encode()
    short = len(given) <= LONGEST_ARGUMENT
    argv = [shell(worker.workspace.root), "-c", arguments.command if short else FROM_STDIN]
    apart = levels.level() != "none" and worker.grant.sandboxed and not worker.grant.network
    variables = environment.for_commands(os.environ, network=not apart)
    program = Program(argv, worker.workspace.root, variables, given=b"" if short else given)
    return Job(arguments.command, apart, worker.processes.start(program, worker.grant), worker.processes)


def preview(arguments: ShellCommand, _workspace: Workspace) -> Preview:
    first, _, rest = arguments.command.strip().partition("\n")
    why = f"\n\nThe model says why: {arguments.why}" if arguments.why.strip() else ""
    return Preview(title=f"{first} ..." if rest else first, detail=arguments.command + why)


def note(job: Job, text: str, code: int, worker: Worker) -> str:
    """Why it may have ended so, where that was not its own doing; for the model."""
    if job.command.why_ended or not code:
        return f"[{job.command.why_ended}]" if job.command.why_ended else ""
    needed = [path for path in credential_files.read_by(set(WORD.findall(job.line))) if path.exists()]
    said = sandbox_note(text, code, worker.grant, levels.level(), needed)
    own = [worker.workspace.shown(place) for place in own_code.held(worker.workspace.root)]
    return said + (own_note(text, own) if worker.grant.sandboxed else "")


def ending(code: int) -> str:
    """How a command ended, in words."""
    return f"exit {code}" if code >= 0 else f"killed by {_signal_name(-code)}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"
