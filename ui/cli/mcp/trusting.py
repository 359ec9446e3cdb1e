"""`trouper mcp trust`: shows what servers of the workspace's .mcp.json would do, and vouches for exactly that."""

import argparse
import difflib
import sys

import msgspec

from actors.settings.mcp import vouching, words
from actors.settings.mcp.servers import LeftOutServer
from ui.cli.mcp.here import Here, meant
from ui.cli.trust_review import set_off, yes
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import exposed_line
from ui.headless import one_answer


class Trust:
    SUMMARY = "show what servers of this folder would do, and let them count, here"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", metavar="NAME", help="without it: all that you have not trusted yet")
        parser.add_argument("--yes", action="store_true", help="without the question, for scripts that know the folder")

    def main(self, options: argparse.Namespace, place: Here) -> int:
        untrusted = [one for one in place.configured().left_out if one.why == "untrusted"]
        if options.name is not None:
            meant(place, options.name, "workspace")
            untrusted = [one for one in untrusted if one.name == options.name]
        if not untrusted:
            return one_answer.printed("There is nothing to trust here: trouper mcp list shows which servers count.\n")
        return max(_decide(place, one, agreed=options.yes) for one in untrusted)


TRUST = Trust()


def _decide(place: Here, one: LeftOutServer, *, agreed: bool) -> int:
    if one_answer.printed(_shown(place, one)) != DONE:
        return FAILED  # nobody vouches for what could not be seen
    if not agreed and not sys.stdin.isatty():
        one_answer.complain("nobody is here to say yes, so nothing was changed. Without the question: --yes")
        return FAILED
    if not agreed and not yes(f"Trust exactly this, in this folder ({one.name})?"):
        return one_answer.printed("Nothing was changed: it goes on being left out.\n")
    try:
        vouching.vouch(place.home, place.cwd, one.name, one.text)
    except OSError as error:
        one_answer.complain(f"cannot write down what is trusted: {error}.")
        return FAILED
    return one_answer.printed(f"{one.name} counts here from now on.\n")


def _shown(place: Here, one: LeftOutServer) -> str:
    now = _lines(one.text)
    before = vouching.record(place.home, place.cwd, one.name).text
    parts = [f"{one.name}, in {one.source}:", *set_off(now)]
    if before is not None:
        changes = difflib.unified_diff(_lines(before), now, "trusted", "now", lineterm="")
        parts += ["", "what has changed since you trusted it:", *set_off(changes)]
    does = words.does(one.server) if one.server else ()
    return "\n".join([*parts, "", "trusted, it would:", *(f"  {exposed_line(what)}" for what in does)]) + "\n\n"


def _lines(text: str) -> list[str]:
    return msgspec.json.format(text, indent=2).split("\n")
