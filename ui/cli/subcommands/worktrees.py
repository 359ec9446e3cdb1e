"""`trouper worktrees list|show|merge|remove|kept|drop`: the copies of repositories that agents work in, for people."""

import argparse
import time
from collections.abc import Sequence
from functools import partial
from typing import Literal

import msgspec

from actors.common.plurals import how_many
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.checkpoint import (
    DropKept,
    KeptDropped,
    KeptWork,
    KeptWorks,
    ListKept,
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
  trouper worktrees kept                           what stays so in the repository here
  trouper worktrees drop 3fa9c2.1                  it does no more
"""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    what: Literal["list", "show", "merge", "remove", "kept", "drop"]
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
    await one_answer.run(mailbox, partial(_answer, mailbox, wanted, settings.cwd))


async def _answer(mailbox: Mailbox, wanted: Wanted, cwd: str) -> int:
    """Raises Failed."""
    answer = await mailbox.insist("checkpoints", _request(wanted, cwd), Message)
    if wanted.json:
        await write(json_text.pretty(_plain(answer)))
    else:
        await _tell(answer, wanted)
    return FAILED if isinstance(answer, WorktreeMerged) and answer.conflicts else DONE


def _request(wanted: Wanted, cwd: str) -> Message:
    match wanted.what:
        case "list":
            return ListWorktrees()
        case "kept":
            return ListKept(cwd=cwd)
        case "drop":
            return DropKept(key=wanted.key, cwd=cwd)
        case "show":
            return PatchOf(key=wanted.key)
        case "merge":
            return MergeWorktree(key=wanted.key, paths=wanted.paths)
        case "remove":
            return RemoveWorktree(key=wanted.key)


def _plain(answer: Message) -> object:
    """Of a list its rows."""
    match answer:
        case Worktrees(worktrees=worktrees):
            return worktrees
        case KeptWorks(works=works):
            return works
        case _:
            return answer


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
        case KeptWorks(works=works):
            await write(kept_works(works))
        case KeptDropped(commit=commit):
            complain(f"the work of {wanted.key} is dropped. Until git clears up it is there: git branch NAME {commit}")
        case _:
            raise TypeError(type(answer).__name__)


def listed(worktrees: Sequence[WorktreeIs]) -> str:
    """A line each: key, when it was made, of which repository, and where it is."""
    made = [time.strftime("%Y-%m-%d %H:%M", time.localtime(one.made_at)) for one in worktrees]
    rows = [(one.key, at, one.repository, one.top) for one, at in zip(worktrees, made, strict=True)]
    width = max((len(one_line(row[0])) for row in rows), default=0)
    return "".join(f"{one_line(key):{width}}  {at}  {one_line(of)}  {one_line(top)}\n" for key, at, of, top in rows)


def kept_works(works: Sequence[KeptWork]) -> str:
    """A line each: key, when it was kept, how much that is, and whether HEAD has it."""
    width = max((len(one_line(one.key)) for one in works), default=0)
    return "".join(
        f"{one_line(one.key):{width}}  {time.strftime('%Y-%m-%d %H:%M', time.localtime(one.kept_at))}  "
        f"{how_many(one.files, 'changed file')}{', all in HEAD' * one.in_head}  git log {one_line(one.ref)}\n"
        for one in works
    )


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
    what = made.add_subparsers(dest="what", required=True, metavar="list|show|merge|remove|kept|drop")
    every = [what.add_parser("list", help="all that there are, of every repository")]
    show = what.add_parser("show", help="what was changed since its base, as a patch that git apply takes")
    merge = what.add_parser("merge", help="bring that into the files of the workspace; exit code 1 for conflicts")
    remove = what.add_parser("remove", help="remove it; what was done in it is kept in the repository first")
    every.append(what.add_parser("kept", help="what was done in those that are removed, of the repository here"))
    drop = what.add_parser("drop", help="keep that of one no more")
    for one in (show, merge, remove, drop):
        one.add_argument("key", metavar="KEY", help="as it is listed")
        every.append(one)
    merge.add_argument("paths", nargs="*", metavar="PATH", help="only these, from the top of the repository")
    for one in every:
        one.add_argument("--json", action="store_true")
    return made
