"""/cost, /status, /terminal-setup, /tools, /skills, /todo, /diff, /copy, /export: what there is, shown or taken out."""

from collections.abc import Callable

from ui.screen.commands.base import Actions, Command, Misused, Reports


def _shows(name: str, show: Callable[[Reports], None]) -> Callable[[Actions, str], None]:
    def run(actions: Actions, argument: str) -> None:
        if argument:
            raise Misused(f"/{name} takes nothing")
        show(actions.reports)

    return run


def run_diff(actions: Actions, argument: str) -> None:
    if argument == "session":
        actions.reports.changes_of_session()
    elif argument:
        raise Misused("/diff takes nothing, or session")
    else:
        actions.reports.changes()


def run_copy(actions: Actions, argument: str) -> None:
    actions.reports.copy(argument)


def run_export(actions: Actions, argument: str) -> None:
    actions.reports.export(argument)


COST = Command("cost", "", "what the session has used, by model", _shows("cost", lambda reports: reports.cost()))
STATUS = Command(
    "status", "", "version, session, model, sandbox: for a report", _shows("status", lambda reports: reports.status())
)
DOCTOR = Command(
    "doctor",
    "",
    "what this machine and these settings make possible",
    _shows("doctor", lambda reports: reports.doctor()),
)
TERMINAL_SETUP = Command(
    "terminal-setup",
    "",
    "what this terminal needs for Shift+Enter and the clipboard; changes nothing",
    _shows("terminal-setup", lambda reports: reports.terminal_setup()),
)
TOOLS = Command("tools", "", "what the model has to work with now", _shows("tools", lambda reports: reports.tools()))
SKILLS = Command("skills", "", "the skills the model can load", _shows("skills", lambda reports: reports.skills()))
TODO = Command("todo", "", "the steps that the agent has noted", _shows("todo", lambda reports: reports.todo()))
DIFF = Command(
    "diff", "[session]", "what is not committed here, or was changed since the session began", run_diff, ("session",)
)
COPY = Command("copy", "[N]", "the last answer or its block of code N to the clipboard", run_copy)
EXPORT = Command("export", "[FILE]", "this session to FILE.md, .html or .jsonl; writes over nothing", run_export)
