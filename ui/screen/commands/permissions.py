"""/permissions: the rules in force and where they are written; and taking back what was allowed."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:
    what, _, which = argument.partition(" ")
    if not argument:
        actions.show_rules()
    elif what == "forget" and which.strip():
        actions.forget_rule(which.strip())
    else:
        actions.say("write /permissions, or /permissions forget NUMBER or RULE", "warning")


PERMISSIONS = Command(
    "permissions",
    "[forget N]",
    "the rules in force; forget takes back one that you have allowed",
    run,
    completes=("forget RULE",),
)
