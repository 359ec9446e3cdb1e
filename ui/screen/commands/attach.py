"""/attach: an image or a PDF for the next prompt."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:
    if argument:
        actions.attach(argument)
    else:
        actions.say("which file? /attach FILE; dropping it on the terminal does the same", "warning")


ATTACH = Command("attach", "FILE", "an image or a PDF for the next prompt; dropping it here does the same", run)
