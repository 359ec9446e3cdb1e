"""/resume, /takeover, /new, /clear, /name, /quit: another session of this folder, this one's name, and its end."""

from ui.screen.commands.base import Actions, Command, Misused


def run_resume(actions: Actions, argument: str) -> None:
    actions.resume(argument)


def run_takeover(actions: Actions, argument: str) -> None:
    if argument:
        raise Misused("/takeover takes nothing: it is about the session that you look at")
    actions.take_over()


def run_new(actions: Actions, argument: str) -> None:
    actions.begin_session(argument)


def run_name(actions: Actions, argument: str) -> None:
    if argument:
        actions.name_session(argument)
    else:
        raise Misused("what is it to be called? /name TEXT")


def run_quit(actions: Actions, argument: str) -> None:  # noqa: ARG001
    actions.leave()


RESUME = Command(
    "resume", "[ID or WORDS]", "go on with another session of this folder", run_resume, completes=("SESSION",)
)
TAKEOVER = Command("takeover", "", "have a session that is read-only here handed over", run_takeover)
NEW = Command("new", "[PROMPT]", "a new session; /resume goes back to this one", run_new)
CLEAR = Command("clear", "[PROMPT]", "the same as /new: nothing on the screen or on disk is wiped", run_new)
NAME = Command("name", "TEXT", "what this session is called", run_name)
QUIT = Command("quit", "", "end the session; trouper -c goes on with it", run_quit)
