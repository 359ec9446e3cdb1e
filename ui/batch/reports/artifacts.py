"""A folder for each task: its result, patch and log, and its session as a transcript and as a trajectory."""

from pathlib import Path

from actors.common.plurals import how_many
from actors.common.small_files import replace_file
from actors.mailbox import Mailbox
from actors.messages.conversation import Entry
from actors.messages.store import ReadSession, SessionOpened
from actors.settings.redaction import redacted
from ui.batch.reports.folder_names import folder_name
from ui.batch.reports.outcomes import Outcome, check_in_words, duration
from ui.batch.reports.patches import patch_of
from ui.common.harmless import one_line
from ui.session_files import atif, transcript
from ui.session_files.markdown import markdown

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
    for_readers, for_programs = transcript.Telling(), atif.Telling()
    async with mailbox.stream("store", ReadSession(session_id=task.task.session_id)) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                for_readers.add(entry)
                for_programs.add(entry)
        opened = await stream.result(SessionOpened)
    told = "".join(markdown(for_readers.transcript(opened.session_id, opened.cwd, task.id)))
    try:
        trajectory = for_programs.atif(opened.session_id)
    except atif.NoSteps:
        trajectory = ""
    texts = {
        PATCH: patch_of(task.result),
        LOG: log(task),
        TRANSCRIPT: told,
        TRAJECTORY: trajectory,
        RESULT: f"{task.task.result}\n",
    }
    _write(folder / folder_name(task.task.id), texts)


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
    lines.append(": ".join(filter(None, [f"ended as {task.reason}", task.why])))
    return "\n".join(filter(None, lines)) + "\n"
