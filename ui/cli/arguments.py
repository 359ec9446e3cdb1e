"""The arguments of `trouper [PROMPT]` and what all commands share. Standard library only: the first frame waits."""

import argparse

from actors.version import VERSION
from ui.common.exit_codes import USAGE
from ui.common.harmless import sanitise
from ui.common.modes import MODES, real_name

TYPE_CHECKING = False  # importing typing costs a tenth of the first frame
if TYPE_CHECKING:
    from typing import NoReturn

OF_OTHERS = {
    "--full-auto": "--mode auto",
    "--yolo": "--mode auto, or --unrestricted in a container",
    "--dangerously-skip-permissions": "--mode auto, or --unrestricted in a container",
    "--dangerously-bypass-approvals-and-sandbox": "--mode auto, or --unrestricted in a container",
    "--ask-for-approval": "--mode MODE",
    "--permission-mode": "--mode MODE",
    "-a": "--mode MODE",
    "--sandbox": "--mode MODE; commands are in a sandbox unless --no-sandbox takes it away",
    "-s": "--mode MODE; commands are in a sandbox unless --no-sandbox takes it away",
    "--allowedTools": "--allow RULE",
    "--disallowedTools": "--deny RULE",
    "--output-format": "--output FORM",
    "--cd": "--cwd FOLDER",
    "-C": "--cwd FOLDER",
    "-m": "--model PROVIDER/NAME",
    "--last": "-c",
}
"""What other programs have options for, and what does it here."""


class Parser(argparse.ArgumentParser):
    """Its errors quote what was written, and are not lost below a list of options."""

    def error(self, message: str) -> "NoReturn":
        self.exit(USAGE, f"trouper: {sanitise(message)}. See: {self.prog} --help\n")


class MainParser(Parser):
    def error(self, message: str) -> "NoReturn":
        unknown = message.removeprefix("unrecognized arguments: ")
        super().error((unknown != message and _elsewhere(unknown.split())) or message)

    def format_help(self) -> str:
        from ui.cli.help import main_help

        return main_help(self._actions)


def main_parser() -> argparse.ArgumentParser:
    parser = MainParser(prog="trouper")
    parser.add_argument("prompt", nargs="*", metavar="PROMPT", help=argparse.SUPPRESS)
    add_options(parser)
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Of `trouper` itself."""
    add = parser.add_argument
    add(
        "-p", "--print", nargs="?", const="", default=None, metavar="PROMPT", dest="headless",
        help="no screen: the answer on stdout; reads stdin",
    )  # fmt: skip
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "-c",
        "--continue",
        action="store_true",
        dest="latest",
        help="the latest session here (--copy: a copy of it)",
    )
    which.add_argument(
        "-r",
        "--resume",
        nargs="?",
        const="",
        metavar="WHICH",
        help="that one: id, name or words (--all: anywhere)",
    )
    add("--plain", action="store_true", help="the screen as lines: for screen readers, simple terminals, logs")
    add("--all", action="store_true", help="with -r: among the sessions of every folder")
    add("--copy", action="store_true", help="with -c or -r: with a copy; it may be open elsewhere")
    add("--attach", action="append", default=[], metavar="FILE", help="an image or a PDF for the prompt; repeatable")
    add(
        "--output", choices=("text", "json", "stream-json"), default="text", metavar="FORM",
        help="with -p: text (the answer), json (one object at the end), stream-json (an object for every event)",
    )  # fmt: skip
    add("--timeout", type=seconds, metavar="SECONDS", help="with -p: end after so long; exit code 124")
    add("--start-timeout", type=patience, metavar="TIME", help="with -p: end when no model is asked by then (15m)")
    add(
        "--background", choices=("wait", "cancel", "fail"), default=None, metavar="HOW",
        help="with -p: agents left at the end: wait, cancel or fail",
    )  # fmt: skip
    add("--trajectory", metavar="FILE", help="with -p: the run for programs (ATIF), also a failed one")
    add("--max-turns", type=positive, metavar="N", help="model requests in one turn (default 40)")
    add_asking(parser)
    add_common(parser)
    add("--version", action="version", version=f"trouper {VERSION}", help="the version")


def add_asking(parser: argparse.ArgumentParser) -> None:
    """Options of the commands that ask a model."""
    parser.add_argument("--effort", metavar="LEVEL", help="how hard the model thinks: a level of its own, or off")
    parser.add_argument(
        "--max-cost", type=us_dollars, metavar="USD", help="begin no request once so much is spent; exit code 4"
    )
    parser.add_argument(
        "--max-tokens",
        type=positive,
        metavar="N",
        help="the same, of tokens sent and answered together",
    )
    parser.add_argument(
        "--retry-for", type=patience, metavar="TIME",
        help="wait so long for a service that is down (10m; 1h with -p)",
    )  # fmt: skip


def add_common(parser: argparse.ArgumentParser) -> None:
    """Options of every command that runs agents or tools."""
    add_running(parser)
    parser.add_argument("--cwd", default=None, metavar="FOLDER", help="the workspace (default: this folder)")


def add_running(parser: argparse.ArgumentParser) -> None:
    """The same but for the folder."""
    add = parser.add_argument
    add("--model", metavar="PROVIDER/NAME", help="as trouper models lists them, or scripted:FILE")
    add(
        "--mode", type=real_name, choices=MODES, metavar="MODE",
        help="default, accept-edits, auto (all runs), plan, research",
    )  # fmt: skip
    add(
        "--allow", action="append", default=[], metavar="RULE",
        help="needs no approval: Edit, 'Bash(npm test:*)'; repeatable",
    )  # fmt: skip
    add(
        "--deny", action="append", default=[], metavar="RULE",
        help="never happens: 'Read(**/.env)'; repeatable",
    )  # fmt: skip
    add("--no-sandbox", action="store_true", help="commands run as you do; each needs an approval")
    add("--trust-mcp", action="store_true", help="the workspace's .mcp.json counts in this run")
    add(
        "--unrestricted", action="store_true",
        help="in a container: all runs unasked, but for --deny",
    )  # fmt: skip


def without_common(parser: argparse.ArgumentParser) -> None:
    """For commands that run neither agents nor tools: what those options are when they are left out."""
    flags = dict.fromkeys(("no_sandbox", "trust_mcp", "unrestricted"), False)
    parser.set_defaults(model=None, mode=None, allow=[], deny=[], cwd=None, **flags)


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


def _elsewhere(arguments: list[str]) -> str:
    """What to say instead of the first of them that is another program's option; "" where none is."""
    names = (one.partition("=")[0] for one in arguments)
    found = next((name for name in names if name in OF_OTHERS), "")
    return f"{found} is another program's; here it is: {OF_OTHERS[found]}" if found else ""
