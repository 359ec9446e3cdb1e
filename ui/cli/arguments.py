"""The arguments of `trouper [PROMPT]` and what all commands share. Standard library only: the first frame waits."""

import argparse
from typing import NoReturn

from actors.version import VERSION
from ui.common.harmless import sanitise
from ui.common.modes import ALIASES, MODES, real_name

EXAMPLES = """
examples:
  trouper                                      an interactive session in this folder
  trouper "why does the login test fail?"      the same, with a first prompt
  trouper -p "fix the failing test" --mode auto
  git diff | trouper -p "review this"          text piped in is added to the prompt
  trouper -p "what is wrong here?" --attach shot.png --attach spec.pdf
  trouper -p "run the tests" --allow 'Bash(npm test:*)' --deny 'Read(**/.env)'
  trouper --mode plan "how would you split this module?"
  trouper -c                                   go on with the latest session here
  trouper batch tasks.jsonl --workers 8        many tasks, each an agent of its own
  trouper demo                                 see it work: offline, no key needed

other commands: auth, batch, demo, doctor, models, permissions, sessions, tools, top (each has --help)
exit codes: 0 done, 1 failed, 2 usage, 3 refused by permissions, 4 budget or turn limit,
            5 no credentials, 124 timeout, 130 interrupted
"""


class Parser(argparse.ArgumentParser):
    """Its errors quote what was written."""

    def error(self, message: str) -> NoReturn:
        super().error(sanitise(message))


def main_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="trouper",
        description="An AI coding agent for the terminal that carries on whatever dies.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("prompt", nargs="*", metavar="PROMPT", help="the first prompt of an interactive session")
    parser.add_argument(
        "-p", "--print", nargs="?", const="", default=None, metavar="PROMPT", dest="headless",
        help="headless: one prompt, the answer on stdout; without PROMPT it is read from stdin",
    )  # fmt: skip
    parser.add_argument(
        "--attach", action="append", default=[], metavar="FILE", help="an image or a PDF for the prompt; repeatable"
    )
    parser.add_argument(
        "--output", choices=("text", "json", "stream-json"), default="text",
        help="with -p: the answer, one JSON object at the end, or one for every event as it happens",
    )  # fmt: skip
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "-c", "--continue", action="store_true", dest="latest", help="go on with the latest session here"
    )
    which.add_argument(
        "-r", "--resume", nargs="?", const="", metavar="ID",
        help="with a certain one, of trouper sessions list; the beginning of its id is enough",
    )  # fmt: skip
    parser.add_argument(
        "--copy", action="store_true", help="with -c or -r: go on with a copy; the session may be open elsewhere"
    )
    parser.add_argument("--max-turns", type=positive, metavar="N", help="model requests in one turn (default 40)")
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="with -p: end after so long, exit code 124")
    parser.add_argument("--version", action="version", version=f"trouper {VERSION}")
    add_asking(parser)
    add_common(parser)
    return parser


def add_asking(parser: argparse.ArgumentParser) -> None:
    """Options of the commands that ask a model."""
    parser.add_argument(
        "--effort", metavar="LEVEL", help='how hard the model thinks: one of its own (trouper models), or "off"'
    )
    parser.add_argument(
        "--max-cost", type=us_dollars, metavar="USD", help="begin no request once so much is spent; exit code 4"
    )
    parser.add_argument(
        "--retry-for", type=patience, metavar="TIME",
        help="how long an outage of the service is waited for: 90s, 1h, 0 (default 10m; 1h with -p and in a batch)",
    )  # fmt: skip


def add_common(parser: argparse.ArgumentParser) -> None:
    """Options of every command that runs agents or tools."""
    add = parser.add_argument
    add("--model", metavar="PROVIDER/NAME", help='such as "anthropic/claude-sonnet-5-5" or "scripted:FILE"')
    add(
        "--mode", type=real_name, choices=MODES, metavar="MODE",
        help="what runs unasked: default (what only looks), accept-edits, auto (all, in the sandbox), plan or research "
        f"(nothing may change); also known: {', '.join(ALIASES)}",
    )  # fmt: skip
    add(
        "--allow", action="append", default=[], metavar="RULE",
        help="what needs no approval: Edit, 'Bash(npm test:*)', 'Write(docs/**)', 'Web(docs.python.org)'; repeatable",
    )  # fmt: skip
    add(
        "--deny", action="append", default=[], metavar="RULE",
        help="what never happens, whatever else is allowed: 'Read(**/.env)', 'Bash(git push:*)'; repeatable",
    )  # fmt: skip
    add("--no-sandbox", action="store_true", help="commands run as you do; each needs an approval")
    add(
        "--unrestricted", action="store_true",
        help="for a container that is thrown away: everything runs unasked and unsandboxed, but for what --deny says",
    )  # fmt: skip
    add("--cwd", default=None, metavar="FOLDER", help="the workspace (default: this folder)")


def without_common(parser: argparse.ArgumentParser) -> None:
    """For commands that run neither agents nor tools: what those options are when they are left out."""
    parser.set_defaults(model=None, mode=None, allow=[], deny=[], cwd=None, no_sandbox=False, unrestricted=False)


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def us_dollars(text: str) -> float:
    amount = float(text.removeprefix("$"))
    if not 0 < amount < float("inf"):
        raise argparse.ArgumentTypeError("must be more than 0")
    return amount


def patience(text: str) -> float:
    from actors.settings.config import duration

    if (length := duration(text)) is None:
        raise argparse.ArgumentTypeError('must be such as "90s", "10m", "1h" or "0"')
    return length


def seconds(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError("must be more than 0")
    return number
