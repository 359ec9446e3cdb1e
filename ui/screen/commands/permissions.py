"""/permissions: the rules in force and where they are written; and taking back what was allowed."""

from ui.screen.commands.base import Actions, Command, Misused


def run(actions: Actions, argument: str) -> None:
    what, _, which = argument.partition(" ")
    if not argument:
        actions.show_rules()
    elif what == "forget" and which.strip():
        actions.forget_rule(which.strip())
    else:
        raise Misused("write /permissions, or /permissions forget NUMBER or RULE")


PERMISSIONS = Command(
    "permissions",
    "[forget N]",
    "the rules in force; forget takes back one that you have allowed",
    run,
    completes=("forget RULE",),
)
