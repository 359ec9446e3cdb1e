"""Stored screens: `python -m tests.ui.golden` writes them anew; look at the diff before you keep it."""

from collections.abc import Callable
from pathlib import Path

from actors.messages.conversation import (
    AssistantMessage,
    Body,
    CallStarted,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    Usage,
    UserMessage,
)
from actors.messages.model import TextDelta
from actors.messages.tool import ApprovalAsked, Preview, ToolProgress
from actors.messages.turn import EntryAdded, Event, SessionInfo
from tests.ui.terminals import PLAIN, Stage
from ui.controls import Controls
from ui.history import History
from ui.keys import Text as Typed
from ui.live import Scene
from ui.model import Model, Sent

FOLDER = Path(__file__).parent.parent / "data" / "screens"
WIDTHS = (40, 80, 120)
HEIGHT = 24
BEGAN = 1_700_000_000.0
NOW = 1000.0

DIFF = """--- a/src/cart/totals.py
+++ b/src/cart/totals.py
@@ -41,3 +41,5 @@ class Total:
     def add(self, line: Line) -> None:
-        self.sum += round(line.price * line.qty, 2)
+        self.sum += line.price * line.qty
+
+        self.sum = self.sum.quantize(CENT)
         self.count += 1
@@ -60,1 +62,1 @@
-old
+new
"""
EDIT = ToolCall(call_id="e", name="Edit", arguments='{"path": "src/cart/totals.py"}')
TESTS = ToolCall(call_id="b", name="Bash", arguments='{"command": "uv run pytest -q tests/cart"}')
PUSH = ToolCall(call_id="g", name="Bash", arguments='{"command": "git push --force-with-lease origin fix/rounding"}')
USAGE = Usage(input_tokens=18000, output_tokens=200, cost_usd=0.14)
FAILURE = "E   assert Decimal('10.01') == Decimal('10.00')\n1 failed, 41 passed in 2.9s"


def answered(text: str, *calls: ToolCall) -> AssistantMessage:
    return AssistantMessage(
        blocks=(Text(text=text), *calls), stop_reason="end_turn", model="anthropic/sonnet", usage=USAGE
    )


def entries(*bodies: Body) -> list[Event]:
    return [
        EntryAdded(entry=Entry(id=f"e{at}", session_id="s", parent="", body=body, at=BEGAN))
        for at, body in enumerate(bodies)
    ]


ASKED = UserMessage(text="The totals are wrong by a cent; find out why.", turn_id="t", prompt_id="p")
INFO = SessionInfo(session_id="s", model="anthropic/sonnet", cwd="/w", mode="default", busy=False)


def idle(model: Model, controls: Controls) -> list[Event]:  # noqa: ARG001
    return [INFO]


def tools(model: Model, controls: Controls) -> list[Event]:  # noqa: ARG001
    return [
        INFO,
        *entries(
            ASKED,
            answered("I run the tests, then change the `add` method.", TESTS, EDIT),
            CallStarted(call_id="b"),
            ToolResult(call_id="b", name="Bash", output=FAILURE, failed=True, summary="exit 1", ms=3200),
            ToolResult(call_id="e", name="Edit", output="", diff=DIFF, ms=12),
            answered("Both totals are **exact** now."),
            TurnEnded(turn_id="t", reason="done"),
        ),
    ]


def streaming(model: Model, controls: Controls) -> list[Event]:
    controls.handle(Typed("use Decimal everywhere, please; and tell me what 世界 means for rounding"), NOW - 10)
    model.sent.append(Sent("q", "and add a test"))
    text = "The error comes from **two** places:\n\n- `Total.add` rounds each line\n- the discount applies to what tha"
    return [INFO, *entries(ASKED), TextDelta(text=text)]


def running(model: Model, controls: Controls) -> list[Event]:  # noqa: ARG001
    progress = ToolProgress(call_id="b", text="collecting\n....\ntests/cart/test_totals.py ....F\n")
    return [INFO, *entries(ASKED, answered("", TESTS), CallStarted(call_id="b")), progress]


def asking(model: Model, controls: Controls) -> list[Event]:  # noqa: ARG001
    title = "git push --force-with-lease origin fix/rounding"
    controls.approvals.add(
        ApprovalAsked(agent="agent:main", call=PUSH, preview=Preview(title=title), risk="uses the network"), NOW - 5
    )
    preview = Preview(title="src/cart/totals.py", detail=DIFF)
    controls.approvals.add(ApprovalAsked(agent="agent:main", call=EDIT, preview=preview, risk="writes a file"), NOW - 5)
    return [INFO, *entries(ASKED, answered("I push it.", PUSH))]


def asking_about_a_diff(model: Model, controls: Controls) -> list[Event]:  # noqa: ARG001
    preview = Preview(title="src/cart/totals.py", detail=DIFF)
    controls.approvals.add(ApprovalAsked(agent="agent:main", call=EDIT, preview=preview, risk="writes a file"), NOW - 5)
    controls.handle(Typed("n"), NOW)
    controls.handle(Typed("use quantize"), NOW)
    return [INFO, *entries(ASKED, answered("", EDIT))]


SCENES: dict[str, Callable[[Model, Controls], list[Event]]] = {
    scene.__name__: scene for scene in (idle, tools, streaming, running, asking, asking_about_a_diff)
}


def draw(name: str, width: int) -> str:
    """The screen after the events, frame by frame; the cursor is marked."""
    model = Model()
    controls = Controls(History([]), lambda: model.busy)
    scene = Scene(model, controls, "~/src/shop (main)", PLAIN, wall=lambda: BEGAN + 14)
    stage = Stage(width, HEIGHT)
    for event in SCENES[name](model, controls):
        model.apply(event)
        stage.frame(model.take(), scene.view(width, HEIGHT, NOW))
    rows = stage.emulator.all_rows
    row, column = stage.emulator.scrolled + stage.emulator.cursor[0], stage.emulator.cursor[1]
    padded = rows[row].ljust(column + 1)
    rows[row] = padded[:column] + "▌" + padded[column + 1 :]
    return "\n".join(row.rstrip() for row in rows) + "\n"


def path(name: str, width: int) -> Path:
    return FOLDER / f"{name}-{width}.txt"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SCENES:
        for width in WIDTHS:
            path(name, width).write_text(draw(name, width))


if __name__ == "__main__":
    main()
