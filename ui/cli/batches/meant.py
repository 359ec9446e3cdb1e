"""Which batch is meant: the arguments and settings that the words about one share."""

import argparse
import os
from collections.abc import Sequence

import msgspec

from actors.settings import config
from actors.settings.config import Settings
from ui.batch import kept_command
from ui.batch.kept_command import LATEST, Kept
from ui.cli.arguments import Parser, without_common
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run

RUN = "its id, its file, or latest"


class Meant(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of a word about one batch."""

    run_id: str
    tasks: str
    """Where they are from."""
    json: bool = False


def parser(word: str, description: str, example: str, *, needed: bool = True) -> argparse.ArgumentParser:
    """needed: RUN has to be said; else it is the latest."""
    made = Parser(
        prog=f"trouper batch {word}",
        description=description,
        epilog=f"\nexamples:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    without_common(made)
    if needed:
        made.add_argument("run", metavar="RUN", help=RUN)
    else:
        made.add_argument("run", metavar="RUN", nargs="?", default=LATEST, help=f"{RUN} (default)")
    return made


def kept(options: argparse.Namespace) -> Kept:
    """Raises Usage."""
    return kept_command.find(str(config.home_folder(os.environ)), options.run)


def begun(entry: str, options: argparse.Namespace, launch: Launch, *, actors: Sequence[str] = ("ui",)) -> Run:
    """A front of its own, with no more actors than it needs. Raises Usage."""
    found = kept(options)
    front = Meant(run_id=found.run_id, tasks=found.tasks, json=getattr(options, "json", False))
    settings: Settings = session_settings.prepare(options, launch)
    settings = msgspec.structs.replace(settings, front=encoded(front))
    draws = entry.startswith("ui.cli.batches.attach") and os.isatty(2)
    return Run(settings=settings, launch=launch, entry=entry, actors=actors, main_agent=False, draws=draws)
