"""/context and /compact: how full the model's window is, and sending it less."""

from ui.screen.commands.base import Actions, Command


def run_context(actions: Actions, argument: str) -> None:
    if argument:
        actions.say("/context takes nothing", "warning")
    else:
        actions.show_context()


def run_compact(actions: Actions, argument: str) -> None:
    actions.compact(argument)


CONTEXT = Command("context", "", "where the model's window goes, in words and numbers", run_context)
COMPACT = Command("compact", "[WISHES]", "send the model a summary of what was said; nothing is deleted", run_compact)
