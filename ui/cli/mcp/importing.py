"""`trouper mcp import`: servers that other programs have configured; shown first, and written when the user says so."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from actors.common.plurals import how_many
from actors.settings.mcp.foreign import programs
from actors.settings.mcp.foreign.programs import Found
from actors.settings.mcp.foreign.translation import Translated
from actors.settings.mcp.servers import Scope
from ui.cli.mcp import words
from ui.cli.mcp.adding import add_to
from ui.cli.mcp.here import Here, add_scope, written
from ui.cli.trust_review import yes
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import exposed_line
from ui.common.usage_errors import Usage
from ui.headless import one_answer


class Candidate(NamedTuple):
    server: Translated
    why_not: str
    """It is not taken over; "" where it is."""


class Import:
    SUMMARY = f"servers of another program: {', '.join(programs.ALL)}"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "program", nargs="?", choices=tuple(programs.ALL), metavar="PROGRAM", help="without it: what each has here"
        )
        parser.add_argument("--server", action="append", default=[], metavar="NAME", help="only this one; repeatable")
        parser.add_argument("--yes", action="store_true", help="without the question")
        add_scope(parser, default="user")

    def main(self, options: argparse.Namespace, place: Here) -> int:
        names = [options.program] if options.program else list(programs.ALL)
        found = [one for name in names for one in programs.found(name, Path.home(), os.environ, place.cwd)]
        if not found:
            one_answer.complain(f"{' and '.join(names)}: nothing is configured here.")
            return FAILED
        wanted = _candidates(found, place, options.scope, options.server)
        if one_answer.printed("".join(_shown(found, wanted))) != DONE:
            return FAILED
        fit = [one.server for one in wanted.values() if not one.why_not]
        return _take_over(options, place, fit) if options.program else _advise(fit)


IMPORT = Import()
Key = tuple[Path, str]
"""A file, and the name of a server in it."""


def _candidates(found: list[Found], place: Here, scope: Scope, only: list[str]) -> dict[Key, Candidate]:
    """Raises Usage and BadConfiguration."""
    candidates: dict[Key, Candidate] = {}
    seen: set[str] = set()
    for path, server in ((one.path, server) for one in found for server in one.servers):
        why_not = _why_not(place, scope, server, seen) or ("not asked for" if only and server.name not in only else "")
        candidates[path, server.name] = Candidate(server, why_not)
        seen.add(server.name)
    if missing := set(only) - seen:
        raise Usage(f"no server is called {', '.join(sorted(missing))} there.")
    return candidates


def _why_not(place: Here, scope: Scope, server: Translated, seen: set[str]) -> str:
    """Raises BadConfiguration."""
    if server.read.server is None:
        return f"has a mistake: {server.read.why_not}"
    if server.name in seen:
        return "counts less than the one above"
    if there := written(place, server.name, scope):
        same = " and is the same" if there[0].entry == server.entry else ": remove or rename one of them"
        return f"is in {there[0].path} already{same}"
    return ""


def _shown(found: list[Found], candidates: dict[Key, Candidate]) -> Iterator[str]:
    for one in found:
        yield exposed_line(f"{one.program}: {one.path}") + "\n"
        if one.problem:
            yield exposed_line(f"  cannot be read: {one.problem}") + "\n"
        for server in one.servers:
            why_not = candidates[one.path, server.name].why_not
            what = words.brief(server.read.server) if server.read.server else ""
            parts = (server.name, what, f"[left out: {why_not}]" if why_not else "")
            yield f"  {exposed_line('  '.join(filter(None, parts)))}\n"
            lost = (*server.lost, *(f"this does not count: {each}" for each in server.read.unheard))
            yield from (f"      {exposed_line(each)}\n" for each in lost)


def _take_over(options: argparse.Namespace, place: Here, fit: list[Translated]) -> int:
    if not fit:
        return one_answer.printed("There is nothing to take over.\n")
    path = place.file(options.scope)
    if not options.yes and not sys.stdin.isatty():
        return one_answer.printed(f"Nothing was changed. To write {how_many(len(fit), 'server')} into {path}: --yes\n")
    if not options.yes and not yes(f"Write {how_many(len(fit), 'server')} into {path}?"):
        return one_answer.printed("Nothing was changed.\n")
    for server in fit:
        if server.read.server is not None:
            add_to(place, options.scope, server.read.server, server.entry)
            words.warn(server.read.server, place.cwd)
    return one_answer.printed(f"added {', '.join(server.name for server in fit)} to {path}\n")


def _advise(fit: list[Translated]) -> int:
    if fit:
        one_answer.complain("nothing was changed. To take servers over: trouper mcp import PROGRAM")
    return DONE
