"""More states for the stored screens: the user's own commands, lists over the composer, what went wrong."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from actors.messages.conversation import CallStarted, ShellEnded, ShellStarted, Source, Text, ToolResult, TurnEnded
from actors.messages.model import Retrying, TextDelta
from actors.messages.store import SessionSummary
from actors.messages.tool import ToolProgress
from actors.messages.turn import Event, Notice
from tests.ui.screen.samples import ASKED, DIFF, EDIT, FAILURE, INFO, PUSH, TESTS, TODO, answered, entries
from tests.ui.screen.subagents.standing import BEGAN
from ui.screen.completion.candidates import Candidate, Matches, matching, near
from ui.screen.completion.popup import Popup
from ui.screen.completion.sources import Sources
from ui.screen.completion.targets import Target
from ui.screen.composer.vi.modal import Vi
from ui.screen.controls import Controls
from ui.screen.questions.choice_list import age
from ui.screen.session_view import SessionView
from ui.screen.sessions import session_list
from ui.screen.terminal.keys import Key
from ui.screen.terminal.keys import Text as Typed

PEP = Source(url="https://peps.python.org/pep-0327/", title="PEP 327: Decimal Data Type")
PROMPTS = ("run the tests of the cart", "fix the totals\nand the discounts", "why is 世界 two cells wide?")
"""Of earlier sessions."""
FILES = ("src/", "src/cart/", "src/cart/totals.py", "src/cart/tools.py", "tests/cart/test_totals.py", "my notes.txt")
DAY_S = 86400.0
SESSIONS = tuple(
    SessionSummary(
        session_id=f"{number}fa9b2c1", title=title, cwd=cwd, branch=branch, model="p/m", cost_usd=cost, entries=said,
        created_at=0.0, updated_at=BEGAN - days * DAY_S,
    )
    for number, (title, cwd, branch, days, said, cost) in enumerate((
        ("fix rounding in cart totals", "/src/shop", "main", 0.1, 212, 1.84),
        ("rounding: Decimal or int cents?", "/src/shop", "main", 3, 18, 0.11),
        ("round-robin scheduler for jobs", "/src/infrastructure/jobs/scheduler", "jobs", 12, 96, 0.92),
        ("the import of 2019", "/src/shop", "main", 40, 1, 0.0),
    ))
)  # fmt: skip


class Known(Sources):
    """The commands of the table, and files that are known already."""

    def __init__(self) -> None:
        self._known = {}

    def begin(self, target: Target) -> None:
        pass

    def matches(self, target: Target) -> Matches:
        if target.kind == "session":
            known = [Candidate(f"#{one.session_id}", age(BEGAN - one.updated_at), shown=one.title) for one in SESSIONS]
            return Matches(tuple(found := near(target.word, known)), len(found))
        if target.kind != "mention":
            return super().matches(target)
        found = matching(target.word, [Candidate(f"@{name}") for name in FILES], "@")
        return Matches(tuple(found), len(found))


def running_a_command(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """Of the user's own, beside the answer."""
    progress = ToolProgress(call_id="s1", text="collecting\n....\ntests/cart/test_totals.py ....F\n")
    started = ShellStarted(id="s1", command="uv run pytest -q tests/cart", told=True)
    return [INFO, *entries(ASKED, started), TextDelta(text="It comes from"), progress]


def commands_done(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """Of the user's own: one that failed, one that the model is not told of, and one that did not run."""
    denied = 'denied by the rule "Bash(git push:*)"'
    return [
        INFO,
        *entries(
            ShellStarted(id="s1", command="uv run pytest -q", told=True),
            ShellEnded(id="s1", command="uv run pytest -q", told=True, output=FAILURE, failed=True, ms=3200),
            ShellEnded(id="s2", command="git status -s", told=False, output=" M src/cart/totals.py\n", ms=20),
            ShellEnded(id="s3", command="git push", told=True, output=denied, summary=denied, failed=True, denied=True),
        ),
    ]


def popup_of_commands(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    controls.layers.append(Popup(controls.editor, Known()))
    return [INFO]


def popup_of_files(session: SessionView, controls: Controls) -> list[Event]:
    return [*popup_of_commands(session, controls), *entries(ASKED), TextDelta(text="It comes from **two** places:")]


def popup_of_sessions(session: SessionView, controls: Controls) -> list[Event]:
    return popup_of_files(session, controls)


def searching_history(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    for prompt in PROMPTS:
        controls.history.add(prompt)
    return [INFO]


def _list(controls: Controls, *, everywhere: bool) -> None:
    sessions = [one for one in SESSIONS if everywhere or one.cwd == SESSIONS[0].cwd]
    controls.questions.add(session_list.question(sessions, BEGAN, everywhere=everywhere))


def picking(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    _list(controls, everywhere=False)
    return [INFO]


def picking_of_all(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """Of all projects."""
    _list(controls, everywhere=True)
    return [INFO]


def asked_to_delete(session: SessionView, controls: Controls) -> list[Event]:
    """What is marked in the list."""
    return picking(session, controls)


def thought(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """Before a call whose output can be opened, and before an answer."""
    passed = ToolResult(call_id="b", name="Bash", output="....\n42 passed\n", summary="exit 0", ms=3200)
    said = answered("All totals are exact", thinks="they are sums of cents now")
    exact = Text(text=", as PEP 327 has it", sources=(PEP,), cited=True)
    said = replace(said, blocks=(*said.blocks, exact, Text(text=".")))
    return [INFO, *entries(ASKED, answered("", TESTS, thinks="first the tests"), passed, said)]


def checklist(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """All of the agent's steps."""
    noted = ToolResult(call_id="d", name="todo", output="Noted.", summary="1 of 4 done")
    return [INFO, *entries(ASKED, answered("", TODO, TESTS), noted, CallStarted(call_id="b"))]


def refused(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """A call that the user denied, one that failed, one that edited; then the user stopped it all."""
    return [
        INFO,
        *entries(
            ASKED,
            answered("I push it.", PUSH, TESTS, EDIT),
            ToolResult(call_id="g", name="Bash", output="", summary="denied by the user", failed=True, denied=True),
            ToolResult(call_id="b", name="Bash", output=FAILURE, failed=True, summary="exit 1", ms=3200),
            ToolResult(call_id="e", name="Edit", output="", diff=DIFF, ms=12),
            TurnEnded(turn_id="t", reason="interrupted"),
        ),
    ]


def broken(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """A process died, and then the turn failed."""
    why = "anthropic answers 401: invalid x-api-key. Sign in anew: trouper auth login anthropic"
    return [
        INFO,
        *entries(ASKED),
        Notice(text="providers was restarted: killed by signal 9", level="warning"),
        *entries(TurnEnded(turn_id="t", reason="failed", text=why)),
    ]


def waiting_for_a_limit(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """The clock of what is waited for counts down."""
    return [INFO, *entries(ASKED), Retrying(why="anthropic limits the requests (429)", wait_s=BEGAN + 14 + 42)]


def unrestricted(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    return [replace(INFO, mode="auto", sandbox="none", unrestricted=True)]


def normal_mode(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """Of vi, with a command that is not finished."""
    controls.vi = Vi(controls.editor)
    return [INFO, *entries(ASKED, answered("Both totals are exact now."), TurnEnded(turn_id="t", reason="done"))]


STATES: tuple[Callable[[SessionView, Controls], list[Event]], ...] = (
    *(running_a_command, commands_done, popup_of_commands, popup_of_files, popup_of_sessions, picking),
    *(picking_of_all, asked_to_delete, searching_history),
    *(checklist, refused, broken, waiting_for_a_limit, unrestricted, normal_mode, thought),
)
TYPED: dict[str, Sequence[Key | Typed]] = {
    "popup_of_commands": (Typed("/"), Typed("mo"), Key("down")),
    "popup_of_files": (Typed("look at "), Typed("@"), Typed("tot")),
    "popup_of_sessions": (Typed("go on as in "), Typed("#"), Typed("round")),
    "searching_history": (Key("ctrl+r"), Typed("t"), Typed("o"), Key("ctrl+r")),
    "picking": (Typed("round"), Key("down")),
    "picking_of_all": (Key("down"), Key("down")),
    "asked_to_delete": (Key("down"), Key("ctrl+d")),
    "checklist": (Key("ctrl+t"),),
    "normal_mode": (Typed("use Decimal everywhere"), Key("esc"), Typed("2"), Typed("d")),
}
