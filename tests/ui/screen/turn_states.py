"""More states for the stored screens: of a turn, and of what stands in the status line."""

import json
from collections.abc import Callable

from msgspec.structs import replace

from actors.messages.conversation import ToolResult, TurnEnded
from actors.messages.model import TextDelta, ThinkingDelta
from actors.messages.subagent import SubagentsAre
from actors.messages.tool import PLAN_APPROVED
from actors.messages.turn import Event
from actors.messages.usage import Usage
from tests.ui.screen.samples import ASKED, INFO, PLAN_TEXT, PRESENT, answered, entries
from tests.ui.screen.subagents.standing import BEGAN, SCOUT
from ui.screen.controls import Controls
from ui.screen.session_view import SessionView
from ui.screen.surroundings.known import Surroundings

WINDOWS = {"anthropic/sonnet": 200_000}
AROUND = Surroundings("~/src/shop", "main*", WINDOWS)


def restarted(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """A part of the program has died a moment ago, in a turn."""
    return [INFO, *entries(ASKED), TextDelta(text="It comes from **two** places:")]


def thinking(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    return [INFO, *entries(ASKED), ThinkingDelta(text="Where are the totals added up?")]


def nearly_full(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """The model's window; with an effort that was chosen, jobs, and an agent in the background."""
    session.jobs = 2
    full = replace(answered("Both totals are **exact** now."), usage=Usage(input_tokens=171_000, cost_usd=4.2))
    return [
        replace(INFO, effort="high"),
        *entries(ASKED, full, TurnEnded(turn_id="t", reason="done")),
        SubagentsAre(subagents=(replace(SCOUT, background=True),)),
    ]


def plan_approved(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """It stays in the scrollback."""
    plan = replace(PRESENT, arguments=json.dumps({"plan": PLAN_TEXT}))
    approved = ToolResult(call_id="p", name="present_plan", output="approved", summary=PLAN_APPROVED, ms=120)
    return [INFO, *entries(ASKED, answered("", plan), approved)]


def named(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """In plan mode, on a sandbox that holds little, with a name that has room beside it."""
    session.called = "rounding in the cart"
    return [replace(INFO, mode="plan", sandbox="landlock")]


TURNS: tuple[Callable[[SessionView, Controls], list[Event]], ...] = (
    restarted, thinking, nearly_full, plan_approved, named
)  # fmt: skip
SURROUNDED = {
    "restarted": Surroundings("~/src/shop", "main*", WINDOWS, "providers restarted, resuming", BEGAN + 18),
}
"""What is around a state where it is not AROUND."""
