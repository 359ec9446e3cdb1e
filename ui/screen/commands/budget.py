"""/budget: what the session and all below it have used, and a higher limit for it."""

import math

from ui.screen.commands.base import Actions, Command

USAGE = "write /budget, or /budget +5 for 5 dollars more"


def run_budget(actions: Actions, argument: str) -> None:
    if not argument:
        actions.show_budget()
    elif (usd := _more(argument)) is None:
        actions.say(USAGE, "warning")
    else:
        actions.raise_budget(usd)


def _more(argument: str) -> float | None:
    if not argument.startswith("+"):
        return None
    try:
        usd = float(argument[1:].strip().removeprefix("$"))
    except ValueError:
        return None
    return usd if 0 < usd < math.inf else None


BUDGET = Command("budget", "[+USD]", "what is spent and what is left; raise the limit of this session", run_budget)
