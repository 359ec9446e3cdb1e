"""/help and /keys: commands and keys."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:  # noqa: ARG001
    actions.show_help()


def run_keys(actions: Actions, argument: str) -> None:  # noqa: ARG001
    actions.show_keys()


HELP = Command("help", "", "commands and keys", run)
KEYS = Command("keys", "", "every key, and the name it has in keys.toml, where you can change it", run_keys)
