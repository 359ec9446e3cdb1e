"""/attach: an image or a PDF for the next prompt."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:
    if argument:
        actions.attach(argument)
    else:
        actions.attach_clipboard()


ATTACH = Command("attach", "[FILE]", "an image or a PDF for the next prompt; alone: the image in the clipboard", run)
