"""/tree, /fork and /rewind: to another place of this session, and on from there."""

from ui.screen.commands.base import Actions, Command, Misused


def run_tree(actions: Actions, argument: str) -> None:
    what, _, text = argument.partition(" ")
    if what == "label":
        actions.label_place(text.strip())
    else:
        actions.go_to(argument)


def run_fork(actions: Actions, argument: str) -> None:
    if argument:
        raise Misused("/fork takes nothing: choose a prompt in its list")
    actions.fork()


def run_rewind(actions: Actions, argument: str) -> None:
    if argument == "undo":
        actions.undo_rewind()
    elif argument:
        raise Misused("write /rewind, or /rewind undo")
    else:
        actions.rewind()


TREE = Command(
    "tree",
    "[N | label TEXT]",
    "all that was said in this session: go on after another prompt",
    run_tree,
    completes=("label TEXT",),
)
FORK = Command("fork", "", "put an earlier prompt differently: the session goes on from before it", run_fork)
REWIND = Command(
    "rewind", "[undo]", "take back what was said, done to files or both since a prompt", run_rewind, completes=("undo",)
)
