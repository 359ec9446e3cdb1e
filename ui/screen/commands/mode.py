"""/mode, /plan and /ask: what runs unasked, and what is only looked at."""

from ui.common.modes import MODES, real_name
from ui.screen.commands.base import Actions, Command, Misused


def run_mode(actions: Actions, argument: str) -> None:
    for mode in MODES:
        if mode == real_name(argument):
            actions.set_mode(mode)
            return
    what = f"there is no mode {argument}." if argument else "which mode?"
    raise Misused(f"{what} Choose one: {', '.join(MODES)}. Shift+Tab goes to the next.")


def run_plan(actions: Actions, argument: str) -> None:
    if argument:
        raise Misused("/plan takes nothing: say what to plan as your next prompt")
    actions.toggle_plan()


def run_ask(actions: Actions, argument: str) -> None:
    actions.research(argument)


MODE = Command(
    "mode",
    "NAME",
    "what runs unasked: default (asks), accept-edits, plan, auto; shift+tab changes it",
    run_mode,
    completes=("MODE",),
)
PLAN = Command("plan", "", "plan mode on or off: it looks, and changes nothing until you approve a plan", run_plan)
ASK = Command("ask", "[QUESTION]", "research mode: it looks and answers, nothing else; /ask alone leaves it", run_ask)
