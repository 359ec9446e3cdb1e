"""`trouper sessions import`: sessions of other agents, or of another machine, to go on with them here."""

import argparse
import os
import shlex
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
import trio

from actors.common.plurals import how_many
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.settings.config import Settings
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import one_line
from ui.common.usage_errors import Usage, check_text, workspace
from ui.headless.one_answer import complain
from ui.headless.stdout import write
from ui.start.fronts import encoded

if TYPE_CHECKING:
    from ui.headless.session_intake import Outcome
    from ui.session_files.foreign.parts import Tally
    from ui.session_files.foreign.places import Found

SUMMARY = "of Claude Code, Codex or pi, or from another machine"
NOTES = """
Without FILE it lists what those agents have of this folder. A FOLDER is searched for session files. The format is seen
from the file. The same session is imported once, however often: it has the same id.

What has no place in a conversation of Trouper's is counted; what is not known at all is kept with the session as well.
"""
SHORT = 8
LISTED = 50


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    paths: tuple[str, ...] = ()
    """Absolute."""
    form: Literal["claude", "codex", "pi", "trouper"] | None = None
    cwd: str = ""
    json: bool = False


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTES
    parser.add_argument("paths", nargs="*", metavar="FILE", help="a session, or a folder of them")
    parser.add_argument(
        "--from", dest="form", choices=("claude", "codex", "pi", "trouper"), metavar="AGENT",
        help="claude, codex, pi or trouper (default: as it is recognised)",
    )  # fmt: skip
    parser.add_argument("--cwd", metavar="DIR", help="the folder it belongs to here (default: as the file says)")
    parser.add_argument("--json", action="store_true", help="what became of each, as data")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    """Raises Usage."""
    paths = tuple(str(Path(path).absolute()) for path in options.paths)
    check_text(*paths)
    for path in paths:
        if not os.path.lexists(path):
            raise Usage(f"{path}: there is no such file.")
    cwd = str(workspace(options)) if options.cwd else ""
    return encoded(Wanted(paths=paths, form=options.form, cwd=cwd, json=options.json))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    """Raises Failed."""
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    if not asked.paths:
        await _list(settings.cwd, asked)
        return DONE
    return await _import(mailbox, asked)


async def _list(cwd: str, asked: Wanted) -> None:
    from ui.session_files.foreign.places import of_folder

    found = await trio.to_thread.run_sync(of_folder, cwd, Path.home(), os.environ)
    if asked.json:
        await write(json_text.pretty(found))
    elif not found:
        complain(f"neither Claude Code nor Codex nor pi has sessions of {cwd}. Name a file or a folder to import it.")
    else:
        await write("".join(_rows(found[:LISTED])))
        await write(f"\nimport one: trouper sessions import {one_line(found[0].path)}\n")


def _rows(found: "Sequence[Found]") -> Iterator[str]:
    for one in found:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.modified_at))
        yield one_line(f"{one.agent:<6}  {when}  {one.bytes // 1024 + 1:>7} kB  {one.path}") + "\n"


async def _import(mailbox: Mailbox, asked: Wanted) -> int:
    from ui.headless.session_intake import Outcome, take_in

    outcomes: list[Outcome] = []
    for path in await trio.to_thread.run_sync(_files, asked.paths):
        outcomes.append(await take_in(mailbox, path, asked.form, asked.cwd))
        if not asked.json:
            await _tell(outcomes[-1])
    if asked.json:
        await write(json_text.pretty(outcomes))
    return FAILED if any(one.state == "failed" for one in outcomes) else DONE


def _files(paths: Sequence[str]) -> list[Path]:
    """Raises Failed."""
    from ui.session_files.foreign.places import files_in

    found: list[Path] = []
    for path in map(Path, paths):
        inside = files_in(path) if path.is_dir() else [path]
        if not inside:
            raise failed("bad_request", f"there are no session files in {path}.")
        found += inside
    return found


async def _tell(outcome: "Outcome") -> None:
    if outcome.state == "failed":
        complain(f"{outcome.file}: {outcome.problem}")
        return
    short = outcome.session_id[:SHORT]
    if outcome.state == "there already":
        await write(one_line(f"{outcome.file}: it is there already, as session {short} of {outcome.cwd}") + "\n")
        return
    if outcome.state == "deleted":
        why = f"it was deleted here. Have it back with: trouper sessions restore {short}"
        await write(one_line(f"{outcome.file}: {why}") + "\n")
        return
    lines = [f"{one_line(outcome.file)}: imported as session {short}", *_details(outcome)]
    await write("\n  ".join(map(one_line, lines)) + "\n")


def _details(outcome: "Outcome") -> Iterator[str]:
    tally = outcome.tally
    yield ", ".join(_counts(tally)) if tally is not None else how_many(outcome.entries, "entry")
    if tally is not None:
        if tally.unknown:
            yield f"not known, kept with the session: {_each(tally.unknown)}"
        if tally.left_out:
            yield f"of no use here, left out: {_each(tally.left_out)}"
    if outcome.left_behind:
        yield f"not taken over: {outcome.left_behind}"
    yield f"go on with it: cd {shlex.quote(outcome.cwd)} && trouper -r {outcome.session_id[:SHORT]}"


def _counts(tally: "Tally") -> Iterator[str]:
    yield how_many(tally.prompts, "prompt")
    yield how_many(tally.answers, "answer")
    yield how_many(tally.calls, "call")
    yield how_many(tally.results, "result")
    others = (
        (tally.calls_without_result, "call without a result"),
        (tally.results_without_call, "result without a call"),
        (tally.compactions, "compaction"),
        (tally.branches, "other branch"),
        (tally.branches_left_out, "branch left out"),
        (tally.unreadable, "unreadable line"),
        (tally.not_kept, "record not kept"),
    )
    yield from (f"{what}: {count}" for count, what in others if count)


def _each(counts: Counter[str]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in counts.most_common())
