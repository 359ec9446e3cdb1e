"""/jobs: the commands that run in the background; look at what one has printed, or stop it."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:
    what, _, which = argument.partition(" ")
    if not argument:
        actions.choose_job()
    elif what != "stop":
        actions.do_with_job("look", argument)
    elif which.strip():
        actions.do_with_job("stop", which.strip())
    else:
        actions.say("write /jobs, /jobs ID or /jobs stop ID", "warning")


JOBS = Command("jobs", "[[stop] ID]", "commands that run in the background: the last output of one, or stop it", run)
