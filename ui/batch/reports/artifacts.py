"""A folder for each task: its result, patch and log, its session for readers and for programs; and its agents'."""

import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from actors.common.plurals import how_many
from actors.common.small_files import replace_file
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.batch import TaskRow
from actors.messages.checkpoint import Patch, PatchOf
from actors.messages.subagent import SubagentSpawned
from actors.settings.redaction import redacted
from ui.batch.reports import session_texts
from ui.batch.reports.folder_names import AGENTS, folder_name
from ui.batch.reports.outcomes import Outcome, check_in_words, duration
from ui.batch.reports.patches import patch_of
from ui.common.harmless import one_line
from ui.session_files import transcript

RESULT, PATCH, LOG = "result.json", "patch.diff", "log.txt"
TRANSCRIPT, TRAJECTORY = "transcript.md", "trajectory.json"


def is_written(folder: Path, task: Outcome) -> bool:
    """This very result, and all that goes with it: the result is written last."""
    try:
        return (folder / folder_name(task.task.id) / RESULT).read_text() == f"{task.task.result}\n"
    except (OSError, UnicodeDecodeError):
        return False


async def write(mailbox: Mailbox, folder: Path, task: Outcome) -> None:
    """Of a task that has ended. What was there of an earlier attempt is replaced.

    Raises Failed where its session cannot be read, OSError, and UnicodeDecodeError where a patch is none.
    """
    if task.result is None:
        return
    session = await session_texts.read(mailbox, task.task.session_id, task.id)
    own = folder / folder_name(task.task.id)
    await _write_agents(mailbox, own / AGENTS, session.agents)
    texts = {
        PATCH: patch_of(task.result),
        LOG: log(task),
        TRANSCRIPT: session.transcript,
        TRAJECTORY: session.trajectory,
        RESULT: f"{task.task.result}\n",
    }
    _write(own, texts)


async def _write_agents(mailbox: Mailbox, folder: Path, agents: Mapping[str, SubagentSpawned]) -> None:
    """Raises Failed and OSError."""
    _remove_all_but(folder, {folder_name(name) for name in agents})
    for name, spawned in agents.items():
        try:
            session = await session_texts.read(mailbox, spawned.session_id, one_line(redacted(name)))
        except Failed as failure:
            if failure.problem.code != "unknown_session":
                raise
            continue  # it never began
        _write(folder / folder_name(name), {TRANSCRIPT: session.transcript, TRAJECTORY: session.trajectory})


async def write_patches_of_agents(mailbox: Mailbox, folder: Path, row: TaskRow) -> None:
    """Of those that have worktrees, while these are there: they go with the task's own. Raises Failed and OSError."""
    own = folder / folder_name(row.id) / AGENTS
    for name, spawned in (await session_texts.read(mailbox, row.session_id, row.id)).agents.items():
        if spawned.worktree:
            with suppress(Failed):  # it never had one, or an earlier start has removed it
                patch = (await mailbox.insist("checkpoints", PatchOf(key=spawned.session_id), Patch)).text
                _write(own / folder_name(name), {PATCH: patch})


def _remove_all_but(folder: Path, names: Collection[str]) -> None:
    """Those of an earlier attempt. Raises OSError."""
    for other in folder.iterdir() if folder.is_dir() else ():
        if other.name not in names:
            shutil.rmtree(other)


def _write(folder: Path, texts: dict[str, str]) -> None:
    """A file that would be empty is not there. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        if text:
            replace_file(folder / name, text.encode(errors="replace"))
        else:
            (folder / name).unlink(missing_ok=True)


def log(task: Outcome) -> str:
    """How it went beside its session: what its own commands printed, what was refused, how it ended."""
    if (result := task.result) is None:
        return ""
    lines = [f"{task.id}: attempt {task.attempts}, {duration(task.seconds)}, session {task.task.session_id}"]
    for what, check in (("setup", result.setup), ("check", result.check)):
        if check is not None:
            lines += [f"{what}: {check_in_words(check)}", transcript.readable(check.output).rstrip("\n")]
    if result.failed_tries:
        lines.append(f"the model service failed {how_many(result.failed_tries, 'time')}, {result.waited_s:g} s waited")
    lines += [f"refused: {one_line(redacted(what))}" for what in result.refused]
    lines += [f"notice: {one_line(redacted(what))}" for what in result.notices]
    lines.append(": ".join(filter(None, [f"ended as {task.reason}", task.why])))
    return "\n".join(filter(None, lines)) + "\n"
