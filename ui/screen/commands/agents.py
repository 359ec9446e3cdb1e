"""/agents and /jobs: what works beside the conversation; look at one, tell it something, end it."""

from ui.screen.commands.base import Actions, Command, Misused

DO = ("cancel", "merge", "resume", "steer")


def run(actions: Actions, argument: str) -> None:
    what, _, rest = argument.partition(" ")
    name, _, text = rest.strip().partition(" ")
    if not argument:
        actions.choose_agent()
    elif not rest:
        actions.look_at_agent(argument)
    elif what == "steer" and text:
        actions.tell_agent(name, text.strip())
    elif what in DO and what != "steer" and not text:
        actions.do_with_agent(what, name)
    else:
        raise Misused(f"write /agents, /agents NAME, /agents {'|'.join(DO[:3])} NAME or /agents steer NAME TEXT")


def run_jobs(actions: Actions, argument: str) -> None:
    what, _, which = argument.partition(" ")
    if not argument:
        actions.choose_job()
    elif what != "stop":
        actions.do_with_job("look", argument)
    elif which.strip():
        actions.do_with_job("stop", which.strip())
    else:
        raise Misused("write /jobs, /jobs ID or /jobs stop ID")


AGENTS = Command(
    "agents",
    "[[DO] NAME]",
    "the subagents of this session: look at one, or DO: cancel, merge, resume, or steer NAME TEXT",
    run,
    completes=("AGENT", "cancel AGENT", "merge AGENT", "resume AGENT", "steer AGENT TEXT"),
)
JOBS = Command(
    "jobs", "[[stop] ID]", "commands that run in the background: the last output of one, or stop it", run_jobs
)
