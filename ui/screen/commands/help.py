"""/help, /keys and /theme: what the screen is, and how it looks."""

from ui.screen.commands.base import Actions, Command


def run_help(actions: Actions, argument: str) -> None:  # noqa: ARG001
    actions.show_help()


def run_theme(actions: Actions, argument: str) -> None:
    if argument:
        actions.set_theme(argument)
    else:
        actions.offer_themes()


def run_keys(actions: Actions, argument: str) -> None:  # noqa: ARG001
    actions.show_keys()


HELP = Command("help", "", "commands and keys", run_help)
KEYS = Command("keys", "", "every key, and the name it has in keys.toml, where you can change it", run_keys)
THEME = Command("theme", "[NAME]", "the colours of the screen; nothing lets you look at each", run_theme)
