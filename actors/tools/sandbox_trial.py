"""Whether each protection of the sandbox holds: one command tries them all, and says what it got through to."""

import os
import sys
from pathlib import Path

import msgspec

from actors.confinement.errors import ToolFailed
from actors.confinement.processes.process_trees import Program
from actors.confinement.sandbox import environment, levels
from actors.messages.system import Protection, SandboxTried, Tried, TrySandbox
from actors.settings.secret_variables import SECRET
from actors.tools import sandbox_attempt
from actors.tools.base import Worker
from actors.tools.helper_programs import Ran, run_program

WITHIN_S = 8.0
OF_GIT = "GIT_CONFIG_KEY_"
"""Names of settings, which commands are given to protect them from a repository's."""


async def tried(wanted: TrySandbox, worker: Worker) -> SandboxTried:
    level, detail = levels.level(), levels.reached()
    if level == "none":
        return SandboxTried(level=level, detail=detail)
    try:
        ran = await run_program(worker, _program(wanted, worker.workspace.root), WITHIN_S)
    except (ToolFailed, OSError) as error:
        return SandboxTried(level=level, detail=detail, why_not=str(error))
    try:
        found = msgspec.json.decode(ran.output, type=dict[Protection, tuple[str, ...]])
    except msgspec.DecodeError:
        return SandboxTried(level=level, detail=detail, why_not=_why(ran))
    found["keys"] = tuple(name for name in found.get("keys", ()) if SECRET.search(name) and not name.startswith(OF_GIT))
    tries = tuple(Tried(protection=name, through=through) for name, through in found.items())
    return SandboxTried(level=level, detail=detail, tries=tries)


def _program(wanted: TrySandbox, workspace: Path) -> Program:
    """-I -S: nothing that the workspace brings is imported."""
    text = Path(sandbox_attempt.__file__).read_text()
    aims = {**msgspec.to_builtins(wanted), "workspace": [str(workspace)]}
    argv = [sys.executable, "-I", "-S", "-c", text]
    return Program(argv, workspace, environment.for_commands(os.environ), msgspec.json.encode(aims), apart=True)


def _why(ran: Ran) -> str:
    if ran.exit_code is None:
        return f"it took more than {WITHIN_S:g} s"
    last = ran.errors.strip().rpartition("\n")[2]
    return last or f"it ended with code {ran.exit_code}"
