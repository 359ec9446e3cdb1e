"""What `trouper audit` and `trouper review` have in common: options, going on with one that was begun, its actors."""

import argparse
import os
from collections.abc import Sequence

import msgspec

from actors.settings import config
from actors.settings.config import Settings
from ui.cli.arguments import positive
from ui.common.usage_errors import Usage, check_text, workspace
from ui.findings.finding import SEVERITIES
from ui.headless.stdout import STDERR
from ui.inquiry import kept_run
from ui.inquiry.kept_run import Command, Kept
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run


def add_inquiry(parser: argparse.ArgumentParser, workers: int, at_once: str) -> None:
    """workers: as many as there are unless it is said. at_once: what they are, for people."""
    add = parser.add_argument
    add("--fail-on", choices=SEVERITIES, metavar="SEVERITY", help=f"exit code 7 from this on: {', '.join(SEVERITIES)}")
    add("--workers", type=positive, default=workers, metavar="N", help=f"{at_once} at once ({workers})")
    add(
        "--resume", nargs="?", const="", metavar="RUN",
        help="go on with the latest one here, or that one; other options count on top",
    )  # fmt: skip
    add("--yes", action="store_true", help="begin, whatever the estimate is")


def resumed(
    parser: argparse.ArgumentParser, command: Command, arguments: Sequence[str], known: Sequence[str]
) -> tuple[argparse.Namespace, Kept | None]:
    """The options; of one that is gone on with those of then, too, and which it is.

    known: options that such a one has already. Raises Usage.
    """
    options = parser.parse_args(arguments)
    if options.resume is None:
        return options, None
    for name in known:
        if said := getattr(options, name):
            said = said if isinstance(said, str) else " ".join(said)
            raise Usage(f'--resume says which {command}, and its {name} is known: leave "{said}" out.')
    home = str(config.home_folder(os.environ))
    kept = kept_run.find(home, command, options.resume, str(workspace(options)))
    return parser.parse_args([*kept_run.return_to(kept), *arguments, "--cwd", kept.cwd]), kept


def absolute(said: str) -> str:
    """Links in it are left as they are: whether one may be followed is said where it is opened. Raises Usage."""
    check_text(said)
    return os.path.abspath(said)  # noqa: PTH100  # Path.absolute leaves ".." in it


def run_of(entry: str, actors: tuple[str, ...], settings: Settings, front: msgspec.Struct, launch: Launch) -> Run:
    settings = msgspec.structs.replace(settings, front=encoded(front))
    return Run(settings=settings, launch=launch, entry=entry, actors=actors, main_agent=False, draws=os.isatty(STDERR))
