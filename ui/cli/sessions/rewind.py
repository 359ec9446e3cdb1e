"""`trouper sessions rewind`: a session goes back to before a prompt, with its files; it is shown before it is done."""

import argparse
import re
import time
import uuid

import msgspec

from actors.common import rewind_goal
from actors.common.plurals import how_many
from actors.common.rewind_goal import Goal, note
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.checkpoint import CheckpointDiff, DiffCheckpoint, RestoreCheckpoint, Restored, TakenBack
from actors.messages.conversation import Body, Entry, Moved, TurnEnded
from actors.messages.store import Append, OpenSession, ReadSession, SessionOpened
from actors.settings.config import Settings
from ui.cli.which_session import HELP, meant
from ui.common.exit_codes import DONE, USAGE
from ui.common.harmless import one_line, sanitise
from ui.headless.one_answer import complain
from ui.headless.stdout import write
from ui.start.fronts import encoded

SUMMARY = "go back to before a prompt, with the files or without"
WORDS = (
    ("gets back what it was", "get back what they were"),
    ("is removed", "are removed"),
    ("is new and stays (--remove-new removes it)", "are new and stay (--remove-new removes them)"),
    ("was edited by you or another program since", "were edited by you or another program since"),
    ("cannot be brought back", "cannot be brought back"),
    ("was not recorded then and stays as it is", "were not recorded then and stay as they are"),
)
"""Of the kinds of CheckpointDiff.counts, for one file and for several."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    to: str = ""
    undo: bool = False
    files: bool = True
    conversation: bool = True
    remove_new: bool = False
    yes: bool = False


class Path(msgspec.Struct, frozen=True):
    """Of the session, as it is stored."""

    session_id: str
    cwd: str
    entries: list[Entry]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help=HELP)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--to", default="", metavar="N|ENTRY", help="the first prompt to take back (default: the last)")
    where.add_argument("--undo", action="store_true", help="take the latest rewind back")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--files", action="store_true", help="the files alone")
    part.add_argument("--conversation", action="store_true", help="the conversation alone")
    parser.add_argument("--remove-new", action="store_true", help="also new files that no turn has made")
    parser.add_argument("--yes", action="store_true", help="do it; without, it is only shown")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(
        Wanted(
            session_id=options.id,
            to=options.to,
            undo=options.undo,
            files=not options.conversation,
            conversation=not options.files,
            remove_new=options.remove_new,
            yes=options.yes,
        )
    )


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    """Raises Failed."""
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    path = await _path(mailbox, (await meant(mailbox, settings, asked.session_id)).session_id)
    goal = rewind_goal.goal(path.entries, "" if asked.undo else _chosen(path.entries, asked.to))
    if asked.files and goal.problem:
        hint = "Go back with the conversation alone: --conversation"
        raise failed("no_checkpoint", f"the files were not recorded then: {goal.problem}", hint)
    if asked.yes:
        await write(_told(goal, asked, await _go_back(mailbox, path, goal, asked)))
        return DONE
    files = CheckpointDiff()
    if asked.files and goal.checkpoint_id:
        compared = DiffCheckpoint(cwd=path.cwd, checkpoint_id=goal.checkpoint_id, remove_others=asked.remove_new)
        files = await mailbox.insist("checkpoints", compared, CheckpointDiff)
    await write(_told(goal, asked, files))
    complain("nothing is changed yet; do it with --yes")
    return USAGE


async def _path(mailbox: Mailbox, session_id: str) -> Path:
    async with mailbox.stream("store", ReadSession(session_id=session_id)) as stream:
        entries = [entry async for entry in stream if isinstance(entry, Entry)]
        opened = await stream.result(SessionOpened)
    return Path(opened.session_id, opened.cwd, entries)


def _chosen(entries: list[Entry], to: str) -> str:
    """Raises Failed."""
    prompts = rewind_goal.prompts(entries)
    if re.fullmatch(r"[0-9]{1,6}", to or "0"):
        number = int(to or len(prompts))
        if not 1 <= number <= len(prompts):
            raise failed("unknown_session", f"this session has {how_many(len(prompts), 'prompt')}, no {number}.")
        entry = prompts[number - 1]
    else:
        found = [prompt for prompt in prompts if prompt.id.startswith(to)]
        if len(found) != 1:
            raise failed("unknown_session", f"{'several prompts begin' if found else 'no prompt begins'} with {to}.")
        entry = found[0]
    return entry.id


async def _go_back(mailbox: Mailbox, path: Path, goal: Goal, asked: Wanted) -> CheckpointDiff:
    """Held meanwhile, so that no other program goes on with it. Raises Failed."""
    held = OpenSession(session_id=path.session_id, cwd=path.cwd, resume=True)
    async with mailbox.stream("store", held) as stream:
        await stream.result(SessionOpened)
    rewind_id = uuid.uuid4().hex
    restored = Restored(undo_id="", done=CheckpointDiff())
    if asked.files and goal.checkpoint_id:
        restore = RestoreCheckpoint(
            cwd=path.cwd,
            checkpoint_id=goal.checkpoint_id,
            session_id=path.session_id,
            restore_id=rewind_id,
            remove_others=asked.remove_new,
        )
        restored = await mailbox.insist("checkpoints", restore, Restored)
    moves = asked.conversation and goal.moves
    last = path.entries[-1].id
    taken = TakenBack(
        rewind_id=rewind_id,
        checkpoint_id=goal.checkpoint_id if restored.undo_id else "",
        undo_id=restored.undo_id,
        left=last if moves else "",
        told="" if moves else note(goal, restored.done),
    )
    bodies: list[Body] = [taken]
    if moves:
        cut = [TurnEnded(turn_id=goal.open_turn, reason="interrupted")] if goal.open_turn else []
        bodies = [Moved(left=last), *cut, taken]
    entries = _entries(path.session_id, goal.entry_id if moves else last, bodies)
    await mailbox.insist("store", Append(entries=entries), Done)
    return restored.done


def _entries(session_id: str, parent: str, bodies: list[Body]) -> tuple[Entry, ...]:
    made: list[Entry] = []
    for body in bodies:
        entry = Entry(id=uuid.uuid4().hex, session_id=session_id, parent=parent, body=body, at=time.time())
        made.append(entry)
        parent = entry.id
    return tuple(made)


def _told(goal: Goal, asked: Wanted, files: CheckpointDiff) -> str:
    lines = []
    if goal.prompts:
        lines.append(one_line(f"back to before: {goal.prompt}"))
    if asked.conversation and goal.moves:
        back = f"{how_many(goal.prompts, 'prompt')} taken back" if goal.prompts else "back to where it was"
        lines.append(f"conversation: {back}")
    if asked.files:
        lines += _of_files(files)
    return sanitise("\n".join(lines) + "\n" + (f"\n{files.diff}" if files.diff else ""))


def _of_files(files: CheckpointDiff) -> list[str]:
    if not any(files.counts):
        return ["files: as they are"]
    kinds = (files.restored, files.removed, files.kept, files.edited, files.not_restored, files.left_out)
    lines = []
    for paths, count, (one, several) in zip(kinds, files.counts, WORDS, strict=True):
        if count:
            more = [f"  and {count - len(paths)} more"] if count > len(paths) else []
            what = how_many(count, "file")
            lines += [f"{what} {one if count == 1 else several}:", *(f"  {one_line(path)}" for path in paths), *more]
    return lines
