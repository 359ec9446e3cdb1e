"""`trouper sessions ACTION`: what the store holds, for people and for programs. The actions are `ui.cli.sessions`."""

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Protocol

import msgspec

from actors.mailbox import Mailbox
from actors.settings.config import Settings
from ui.cli.arguments import Parser, without_common
from ui.cli.sessions import export, importing, listing, rewind, show
from ui.headless import one_answer
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper sessions list                  sessions of this folder, newest first
  trouper sessions list --all --json
  trouper sessions rewind 3fa9           what going back to before its last prompt would change; --yes does it
  trouper sessions show 3fa9             a transcript; the beginning of the id is enough
  trouper sessions export 3fa9 --format html --out session.html
  trouper sessions export 3fa9 --format trouper --out session.trouper
  trouper sessions import                what Claude Code, Codex and pi have of this folder
"""


class Action(Protocol):
    """A module of `ui.cli.sessions`."""

    SUMMARY: str

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def wanted(self, options: argparse.Namespace) -> msgspec.Raw: ...
    async def answer(self, mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int: ...


ACTIONS: dict[str, Action] = {
    "list": listing,
    "show": show,
    "export": export,
    "import": importing,
    "rewind": rewind,
}


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    action: str
    words: msgspec.Raw
    """As the action's `wanted` made them."""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code."""
    options = parser().parse_args(arguments)
    settings = session_settings.prepare(options, launch)
    wanted = Wanted(action=options.action, words=ACTIONS[options.action].wanted(options))
    settings = msgspec.structs.replace(settings, front=encoded(wanted))
    return supervise(
        Run(
            settings=settings,
            launch=launch,
            entry="ui.cli.subcommands.sessions:run",
            actors=("store", "checkpoints", "ui"),
        )
    )


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(ACTIONS[wanted.action].answer, mailbox, settings, wanted.words))


def parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    made = Parser(
        prog="trouper sessions",
        description="List, show, export and import sessions, and take prompts back.",
        epilog=EXAMPLES,
        formatter_class=raw,
    )
    without_common(made)
    below = made.add_subparsers(dest="action", required=True, metavar="|".join(ACTIONS))
    for name, action in ACTIONS.items():
        action.arguments(below.add_parser(name, help=action.SUMMARY))
    return made
