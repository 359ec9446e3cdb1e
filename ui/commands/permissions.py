"""/permissions: the rules in force and where they are written."""

from ui.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:  # noqa: ARG001
    actions.show_rules()


PERMISSIONS = Command("permissions", "", "the rules in force and their files", run)
