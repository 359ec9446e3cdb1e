"""/mode: who is asked before something is changed or run."""

from typing import get_args

from actors.messages.tool import Mode
from ui.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:
    for mode in get_args(Mode):
        if mode == argument:
            actions.set_mode(mode)
            return
    what = f"there is no mode {argument}" if argument else "which mode?"
    actions.say(f"{what} Choose one: {', '.join(get_args(Mode))}. Shift+Tab goes to the next.", "warning")


MODE = Command("mode", "NAME", "default (asks), accept-edits, auto or plan; shift+tab goes through them", run)
