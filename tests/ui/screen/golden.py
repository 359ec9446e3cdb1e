"""Stored screens: `python -m tests.ui.screen.golden` writes them anew; look at the diff before you keep it."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from actors.messages.conversation import (
    CallStarted,
    ToolCall,
    ToolResult,
    TurnEnded,
)
from actors.messages.model import TextDelta
from actors.messages.subagent import SubagentsAre
from actors.messages.tool import Choice, ToolProgress, UserAsked
from actors.messages.turn import Event, Notice
from actors.messages.usage import Usage
from tests import ROOT
from tests.fakes.agent import PLAN, approval
from tests.ui.screen.chosen_states import CHOSEN
from tests.ui.screen.chosen_states import KEYS as CHOOSING
from tests.ui.screen.samples import (
    ASKED,
    CHOOSE,
    CLEAN,
    DIFF,
    EDIT,
    FAILURE,
    FIX,
    INFO,
    LEFT,
    MORE,
    PATCH,
    PLAN_TEXT,
    PRESENT,
    PUSH,
    TESTS,
    TODO,
    answered,
    entries,
)
from tests.ui.screen.states import STATES, TYPED
from tests.ui.screen.subagents.standing import BECAME, BEGAN, SCOUT, TESTER, WAITING
from tests.ui.screen.terminals import PLAIN, Stage
from tests.ui.screen.turn_states import AROUND, SURROUNDED, TURNS
from ui.cli.subcommands import demo
from ui.common import harmless
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.live import Scene
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.terminal.keys import Key, Paste
from ui.screen.terminal.keys import Text as Typed
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.themes.built_in import LOOKS
from ui.screen.terminal.told import Told, Understood
from ui.screen.transcript.waiting import Sent

FOLDER = ROOT / "tests" / "data" / "screens"
TITLES = FOLDER / "titles.txt"
WIDTHS = (20, 40, 80, 120)
STYLED, STYLED_WIDTHS = ("dark", "light", "mono"), (40, 80, 120)
"""Themes and widths that are stored with their colours."""
USUAL_WIDTH = 80
SGR = re.compile(r"\x1b\[([\d;]*)m")
HEIGHT = 24
SMALLEST = (20, 6)
"""Columns and rows."""
NOW = 1000.0


def idle(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    return [INFO]


def tools(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    return [
        INFO,
        *entries(
            ASKED,
            answered("I run the tests, then change the `add` method.", TESTS, EDIT),
            CallStarted(call_id="b"),
            ToolResult(call_id="b", name="Bash", output=FAILURE, failed=True, summary="exit 1", warning=LEFT, ms=3200),
            ToolResult(call_id="e", name="Edit", output="", diff=DIFF, ms=12),
            answered("Both totals are **exact** now."),
            TurnEnded(turn_id="t", reason="done"),
        ),
    ]


def streaming(session: SessionView, controls: Controls) -> list[Event]:
    controls.handle(Typed("use Decimal everywhere, please; and tell me what 世界 means for rounding"), NOW - 10)
    session.sent += [Sent("q", "and add a test", waits=True), Sent("r", "then write the changelog", "next", waits=True)]
    text = "The error comes from **two** places:\n\n- `Total.add` rounds each line\n- the discount applies to what tha"
    return [INFO, *entries(ASKED), TextDelta(text=text)]


def queued(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    session.sent += [Sent(text, text, "next", waits=True) for text in ("look", "and 世界", "test it", "tag", "push")]
    return [INFO, *entries(ASKED), TextDelta(text="It comes from **two** places:")]


def running(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    progress = ToolProgress(call_id="b", text="collecting\n....\ntests/cart/test_totals.py ....F\n")
    return [INFO, *entries(ASKED, answered("", TESTS), CallStarted(call_id="b")), progress]


def asking(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    title = "git push --force-with-lease origin fix/rounding"
    controls.questions.add(approval(PUSH, title, "uses the network"))
    controls.questions.add(approval(EDIT, "src/cart/totals.py", "writes a file"))
    return [INFO, *entries(ASKED, answered("I push it.", PUSH))]


def asking_about_a_diff(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    question = approval(EDIT, "edit src/cart/totals.py", "writes a file")
    controls.questions.add(replace(question, detail=DIFF))
    return [INFO, *entries(ASKED, answered("", EDIT))]


def asking_about_a_patch(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    question = approval(MORE, "patch 2 files", "writes files")
    controls.questions.add(replace(question, detail=PATCH, agent="agent:scout"))
    return [INFO, *entries(ASKED, answered("", MORE))]


def asking_with_a_warning(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    question = approval(CLEAN, "rm -r build", "runs in the sandbox")
    warning = "It deletes files for good: asked every time, whatever is allowed."
    kept = tuple(choice for choice in question.choices if choice.id in {"once", "no", "no_because"})
    controls.questions.add(replace(question, warning=warning, choices=kept))
    return [replace(INFO, sandbox="none"), *entries(ASKED, answered("", CLEAN))]


def asking_about_a_plan(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    controls.questions.add(
        UserAsked(
            agent="agent:main",
            kind="plan",
            title="The agent has a plan.",
            detail=PLAN_TEXT,
            risk="approving it writes PLAN.md and leaves plan mode",
            choices=PLAN,
            default="deny",
            escape="deny",
            call=PRESENT,
        )
    )
    return [replace(INFO, mode="plan"), *entries(ASKED, answered("", PRESENT))]


def asking_about_a_script(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    lines = "\n".join(f"echo step {number:02} of the build" for number in range(1, 41))
    controls.questions.add(replace(approval(TESTS, "echo step 01 of the build"), detail=lines))
    return [INFO, *entries(ASKED, answered("", TESTS))]


def scrolled_plan(session: SessionView, controls: Controls) -> list[Event]:
    return asking_about_a_plan(session, controls)


def asking_the_user(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    labels = ("Decimal everywhere", "integer cents", "leave floats, and round at the end of every sum instead")
    controls.questions.add(
        UserAsked(
            agent="agent:main",
            kind="question",
            title="How should the totals be kept? Both ways are exact; cents are faster and less readable.",
            choices=(
                *(Choice(id=f"choice-{at}", key=str(at), label=label) for at, label in enumerate(labels, 1)),
                Choice(id="other", key="o", label="something else", takes_text=True),
                Choice(id="none", key="n", label="no answer"),
            ),
            default="choice-1",
            escape="none",
            call=CHOOSE,
        )
    )
    return [INFO, *entries(ASKED, answered("", CHOOSE))]


def listed(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """The agent's list of steps; what was denied and what failed."""
    remedy = 'denied by the rule "Bash(git push:*)". To allow it: remove that rule from .trouper/config.toml'
    reason = 'denied by the rule "Bash(git push:*)". This is plan mode: use the tools that only look.'
    return [
        INFO,
        *entries(
            ASKED,
            answered("", TODO, PUSH, TESTS),
            ToolResult(call_id="d", name="todo", output="Noted.", summary="1 of 4 done"),
            ToolResult(call_id="g", name="Bash", output=reason, summary=remedy, failed=True, denied=True),
            CallStarted(call_id="b"),
        ),
    ]


def subagents(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """One looks, one is quiet, one waits, and some more; others are over."""
    more = (replace(SCOUT, name=f"more-{number}", state="pending", doing="") for number in range(5))
    said = entries(ASKED, answered("I have it looked at.", TESTS), *BECAME)
    return [INFO, *said, SubagentsAre(subagents=(SCOUT, TESTER, WAITING, *more))]


def background(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    return [
        INFO,
        *entries(ASKED, TurnEnded(turn_id="t", reason="interrupted")),
        SubagentsAre(subagents=(TESTER, replace(SCOUT, background=True))),
    ]


def demonstrated(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """The end of `trouper demo`: its script, and the kill half-way."""
    said = demo.script(0.0)["answers"]
    calls = [
        [ToolCall(call_id=one["name"], name=one["name"], arguments=json.dumps(one["arguments"])) for one in it["calls"]]
        for it in said
    ]
    calls[2] = [replace(calls[2][0], arguments='{"command": "python -m unittest -q"}')]
    read, found, changed, tested = (call.call_id for answer in calls for call in answer)
    answers = [replace(answered(it["text"], *its), usage=Usage()) for it, its in zip(said, calls, strict=True)]
    return [
        replace(INFO, model="scripted:demo", cwd="/shop"),
        *entries(
            replace(ASKED, text=demo.PROMPT),
            answers[0],
            ToolResult(call_id=read, name=read, output="", summary="6 lines", ms=9),
            ToolResult(call_id=found, name=found, output="", summary="6 lines", ms=12),
            answers[1],
            ToolResult(call_id=changed, name=changed, output="", diff=FIX, ms=15),
        ),
        Notice(text="providers was restarted: killed by signal 9"),
        *entries(
            answers[2],
            ToolResult(call_id=tested, name=tested, output="", summary="exit 0, 4 lines", ms=140),
            answers[3],
            TurnEnded(turn_id="t", reason="done"),
        ),
    ]


SCENES: dict[str, Callable[[SessionView, Controls], list[Event]]] = {
    scene.__name__: scene
    for scene in (
        *(idle, tools, streaming, queued, running, listed, subagents, background),
        *(asking, asking_about_a_diff, asking_about_a_patch, asking_with_a_warning),
        *(asking_about_a_plan, scrolled_plan, asking_about_a_script, asking_the_user, demonstrated),
        *STATES,
        *CHOSEN,
        *TURNS,
    )
}
KEYS: dict[str, Sequence[Key | Typed | Paste]] = {
    "asking_about_a_diff": (Typed("f"), Typed("use quantize, and say in the docstring why it is done only once")),
    "scrolled_plan": (Typed(" "), Key("down")),
    "asking_about_a_script": (Typed("y"),),
    **TYPED,
    **CHOOSING,
}
"""What is typed once all of the above is on the screen."""


def set_up(name: str, theme: Theme) -> tuple[Scene, list[Event]]:
    """A scene, and what is heard in it."""
    session = SessionView()
    shown = Shown(session)
    controls = Controls(History([]), lambda: shown.reach)
    scene = Scene(shown, controls, SURROUNDED.get(name, AROUND), theme, wall=lambda: BEGAN + 14)
    return scene, SCENES[name](session, controls)


def draw(name: str, width: int, height: int = HEIGHT, *, utf8: bool = True) -> str:
    """The screen after the events, frame by frame; the cursor is marked."""
    scene, events = set_up(name, PLAIN)
    controls = scene.controls
    stage = Stage(width, height, utf8=utf8)

    def paint() -> None:
        stage.frame(scene.shown.take()[0], scene.view(width, height, NOW))
        controls.questions.painted(NOW - 5)

    paint()
    for event in events:
        scene.session.apply(event)
        paint()
    for key in KEYS.get(name, ()):
        controls.handle(key, NOW)
        paint()
    rows = stage.emulator.all_rows
    row, column = stage.emulator.scrolled + stage.emulator.cursor[0], stage.emulator.cursor[1]
    padded = rows[row].ljust(column + 1)
    rows[row] = padded[:column] + "▌" + padded[column + 1 :]
    return "\n".join(row.rstrip() for row in rows) + "\n"


def painted(name: str, width: int, theme: Theme, height: int = HEIGHT) -> list[str]:
    """The same rows with their colours, which the emulator does not know all of; without the cursor."""
    scene, events = set_up(name, theme)
    controls = scene.controls
    for event in events:
        scene.session.apply(event)
    scene.view(width, height, NOW)
    controls.questions.painted(NOW - 5)
    for key in KEYS.get(name, ()):
        controls.handle(key, NOW)
        scene.view(width, height, NOW)
        controls.questions.painted(NOW - 5)
    view = scene.view(width, height, NOW)
    return [*(row for piece in scene.shown.take()[0] for row in piece.rows(width, theme)), *view.rows]


def worn(look: str) -> Theme:
    theme = Theme(depth="24bit")
    theme.wear(LOOKS[look].dark)
    return theme


def styled(name: str, look: str, width: int) -> str:
    """With what makes the colours written out: ⟨31⟩red⟨⟩."""
    rows = (SGR.sub(r"⟨\1⟩", row).replace("⟨0⟩", "⟨⟩").rstrip() for row in painted(name, width, worn(look)))
    return "\n".join(rows) + "\n"


def path(name: str, width: int) -> Path:
    return FOLDER / f"{name}-{width}.txt"


def styled_path(name: str, look: str, width: int) -> Path:
    return FOLDER / "styled" / f"{name}-{look}-{width}.txt"


def ascii_path(name: str) -> Path:
    return FOLDER / "ascii" / f"{name}.txt"


def in_ascii(name: str) -> str:
    """At 80 columns, on a terminal without UTF-8."""
    return draw(name, USUAL_WIDTH, utf8=False)


def smallest_path(name: str) -> Path:
    return FOLDER / "smallest" / f"{name}.txt"


def smallest(name: str) -> str:
    return draw(name, *SMALLEST)


def titles() -> str:
    """What the terminal is told in each state beside what it shows: its title, and whether something goes on."""
    told = []
    for name in SCENES:
        scene, events = set_up(name, PLAIN)
        for event in events:
            scene.session.apply(event)
        news = Told(Understood(title=True, progress=True)).news(scene.title, goes_on=scene.session.working)
        told.append(f"{name:<24}{harmless.sanitise(news)}\n")
    return "".join(told)


def main() -> None:
    for folder in ("styled", "ascii", "smallest"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
    for name in SCENES:
        ascii_path(name).write_text(in_ascii(name))
        smallest_path(name).write_text(smallest(name))
        for width in WIDTHS:
            path(name, width).write_text(draw(name, width))
        for look in STYLED:
            for width in STYLED_WIDTHS:
                styled_path(name, look, width).write_text(styled(name, look, width))
    TITLES.write_text(titles())


if __name__ == "__main__":
    main()
