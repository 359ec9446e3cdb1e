"""/help: commands and keys."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:  # noqa: ARG001
    actions.show_help()


HELP = Command("help", "", "commands and keys", run)
