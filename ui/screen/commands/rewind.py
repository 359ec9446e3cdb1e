"""/rewind: back to before a prompt, in the conversation, the files or both."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:
    if argument == "undo":
        actions.undo_rewind()
    elif argument:
        actions.say("write /rewind, or /rewind undo", "warning")
    else:
        actions.rewind()


REWIND = Command("rewind", "[undo]", "take back what was said, done to files or both since a prompt", run)
