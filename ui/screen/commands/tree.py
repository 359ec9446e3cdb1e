"""/tree and /fork: to another place of this session, and on from there."""

from ui.screen.commands.base import Actions, Command


def run_tree(actions: Actions, argument: str) -> None:
    what, _, text = argument.partition(" ")
    if what == "label":
        actions.label_place(text.strip())
    else:
        actions.go_to(argument)


def run_fork(actions: Actions, argument: str) -> None:
    if argument:
        actions.say("/fork takes nothing: choose a prompt in its list", "warning")
    else:
        actions.fork()


TREE = Command("tree", "[N | label TEXT]", "all that was said in this session: go on after another prompt", run_tree)
FORK = Command("fork", "", "put an earlier prompt differently: the session goes on from before it", run_fork)
