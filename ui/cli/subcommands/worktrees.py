"""`trouper worktrees list|show|merge|remove`: the copies of repositories that agents work in, for people."""

import argparse
import time
from collections.abc import Sequence
from functools import partial
from typing import Literal

import msgspec

from actors.common.plurals import how_many
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.worktree import (
    ListWorktrees,
    MergeWorktree,
    Patch,
    PatchOf,
    RemoveWorktree,
    WorktreeIs,
    WorktreeMerged,
    WorktreeRemoved,
    Worktrees,
)
from actors.settings.config import Settings
from ui.cli.arguments import Parser, without_common
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import one_line
from ui.headless import one_answer
from ui.headless.one_answer import complain
from ui.headless.stdout import write
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper worktrees list
  trouper worktrees show 3fa9c2.1                  what was changed there, as a patch
  trouper worktrees show 3fa9c2.1 | git apply
  trouper worktrees merge 3fa9c2.1                 into the files of the workspace: all, or nothing and why
  trouper worktrees merge 3fa9c2.1 src docs/a.md   these alone
  trouper worktrees remove 3fa9c2.1                what was done there stays as refs/trouper/work/3fa9c2.1
"""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    what: Literal["list", "show", "merge", "remove"]
    key: str = ""
    paths: tuple[str, ...] = ()
    json: bool = False


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code."""
    options = parser().parse_args(arguments)
    wanted = Wanted(
        what=options.what,
        key=getattr(options, "key", ""),
        paths=tuple(getattr(options, "paths", ())),
        json=options.json,
    )
    settings = msgspec.structs.replace(session_settings.prepare(options, launch), front=encoded(wanted))
    entry, actors = "ui.cli.subcommands.worktrees:run", ("store", "checkpoints", "ui")
    return supervise(Run(settings=settings, launch=launch, entry=entry, actors=actors))


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(_answer, mailbox, wanted))


async def _answer(mailbox: Mailbox, wanted: Wanted) -> int:
    """Raises Failed."""
    answer = await mailbox.insist("checkpoints", _request(wanted), Message)
    if wanted.json:
        await write(json_text.pretty(answer.worktrees if isinstance(answer, Worktrees) else answer))
    else:
        await _tell(answer, wanted)
    return FAILED if isinstance(answer, WorktreeMerged) and answer.conflicts else DONE


def _request(wanted: Wanted) -> Message:
    match wanted.what:
        case "list":
            return ListWorktrees()
        case "show":
            return PatchOf(key=wanted.key)
        case "merge":
            return MergeWorktree(key=wanted.key, paths=wanted.paths)
        case "remove":
            return RemoveWorktree(key=wanted.key)


async def _tell(answer: Message, wanted: Wanted) -> None:
    match answer:
        case Worktrees(worktrees=worktrees):
            await write(listed(worktrees))
        case Patch(text=text, left_out=left_out):
            await write(text)
            for line in left_out:
                complain(f"not in the patch: {line}")
        case WorktreeMerged():
            await write(merged(answer))
            for line in answer.warnings:
                complain(line)
        case WorktreeRemoved(ref=ref):
            kept = f" What was done there is kept: git log {ref}" if ref else ""
            complain(f"the worktree {wanted.key} is removed.{kept}")
        case _:
            raise TypeError(type(answer).__name__)


def listed(worktrees: Sequence[WorktreeIs]) -> str:
    """A line each: key, when it was made, of which repository, and where it is."""
    made = [time.strftime("%Y-%m-%d %H:%M", time.localtime(one.made_at)) for one in worktrees]
    rows = [(one.key, at, one.repository, one.top) for one, at in zip(worktrees, made, strict=True)]
    width = max((len(one_line(row[0])) for row in rows), default=0)
    return "".join(f"{one_line(key):{width}}  {at}  {one_line(of)}  {one_line(top)}\n" for key, at, of, top in rows)


def merged(answer: WorktreeMerged) -> str:
    if answer.conflicts:
        lines = [f"  {one_line(each.path)}: {one_line(each.why)}\n" for each in answer.conflicts]
        return "".join((f"nothing is changed: {how_many(len(lines), 'conflict')}\n", *lines))
    if not answer.files:
        return "there is nothing to bring: the workspace has it all.\n"
    return "".join(f"{one_line(path)}\n" for path in answer.files)


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper worktrees",
        description="The copies of repositories that agents work in: what was changed there, and bringing it back.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    without_common(made)
    what = made.add_subparsers(dest="what", required=True, metavar="list|show|merge|remove")
    every = [what.add_parser("list", help="all that there are, of every repository")]
    show = what.add_parser("show", help="what was changed since its base, as a patch that git apply takes")
    merge = what.add_parser("merge", help="bring that into the files of the workspace; exit code 1 for conflicts")
    remove = what.add_parser("remove", help="remove it; what was done in it is kept in the repository first")
    for one in (show, merge, remove):
        one.add_argument("key", metavar="KEY", help="as it is listed")
        every.append(one)
    merge.add_argument("paths", nargs="*", metavar="PATH", help="only these, from the top of the repository")
    for one in every:
        one.add_argument("--json", action="store_true")
    return made
