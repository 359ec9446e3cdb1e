"""/context, /compact and /budget: what goes to the model, sending it less, and what that may cost."""

import math

from ui.screen.commands.base import Actions, Command, Misused

BUDGET_USAGE = "write /budget, or /budget +5 for 5 dollars more"


def run_context(actions: Actions, argument: str) -> None:
    if argument:
        raise Misused("/context takes nothing")
    actions.show_context()


def run_compact(actions: Actions, argument: str) -> None:
    actions.compact(argument)


def run_budget(actions: Actions, argument: str) -> None:
    if not argument:
        actions.show_budget()
    elif (usd := _more(argument)) is None:
        raise Misused(BUDGET_USAGE)
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


CONTEXT = Command("context", "", "where the model's window goes, in words and numbers", run_context)
COMPACT = Command("compact", "[WISHES]", "send the model a summary of what was said; nothing is deleted", run_compact)
BUDGET = Command("budget", "[+USD]", "what is spent and what is left; raise the limit of this session", run_budget)
