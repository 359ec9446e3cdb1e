"""/quit: end the session in order."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:  # noqa: ARG001
    actions.leave()


QUIT = Command("quit", "", "end the session; trouper -c goes on with it", run)
