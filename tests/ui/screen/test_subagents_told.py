"""A subagent that a call begins is told of once: and what a turn waits for is said."""

import msgspec
import pytest
import wcwidth

from actors.messages.conversation import AssistantMessage, Body, Text, ToolCall, ToolResult, TurnEnded, UserMessage
from actors.messages.model import TextDelta
from actors.messages.subagent import SubagentEnded, SubagentIs, SubagentMerged, SubagentsAre, SubagentSpawned
from tests.fakes.agent import approval
from tests.ui.screen.test_session_told import rows, told
from tests.ui.screen.test_session_view import INFO, PLAIN
from ui.screen import status
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.live import Scene
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.surroundings.known import Surroundings
from ui.screen.transcript.subagents import rows as subagent_rows

SPAWN = ToolCall(call_id="c", name="spawn_agent", arguments='{"name": "scout", "prompt": "look"}')
OTHER = msgspec.structs.replace(SPAWN, call_id="d", arguments='{"name": "porter", "prompt": "port"}')
BASH = ToolCall(call_id="e", name="bash", arguments='{"command": "make"}')
MERGE = ToolCall(call_id="f", name="merge_agent", arguments='{"name": "scout"}')
SCOUT = SubagentSpawned(name="scout", session_id="s.1", call_id="c", kind="explore", prompt="look")
PORTER = msgspec.structs.replace(SCOUT, name="porter", session_id="s.2", call_id="d")
FOUND = SubagentEnded(name="scout", state="completed", summary="It is there.")
RESULT = ToolResult(call_id="c", name="spawn_agent", output="It is there.", summary="scout completed")
WORKS = SubagentIs(name="scout", kind="explore", session_id="s.1", state="running")
PARTS = ("agent:sub:s-1", "tools:sub:s-1", "tools:sub:s-1~network", "agent:sub:x-9", "store")
ASKED = UserMessage(text="go on", turn_id="t", prompt_id="p")


def said(*calls: ToolCall) -> AssistantMessage:
    return AssistantMessage(blocks=(Text(text="So."), *calls), stop_reason="end_turn", model="p/m")


def doing(*bodies: Body) -> str:
    return status.doing(told(ASKED, *bodies), asking=False)


def test_a_call_that_began_one_has_no_rows_of_its_own() -> None:
    session = told(ASKED, said(SPAWN), SCOUT, FOUND, RESULT)

    shown = rows(session)

    assert [row.split() for row in shown[-2:]] == [
        ["○", "scout", "explore", "·", "look"],
        ["✔", "scout", "It", "is", "there.", "0s"],
    ]


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(msgspec.structs.replace(RESULT, failed=True, output="there is no such type"), id="began none"),
        pytest.param(msgspec.structs.replace(RESULT, denied=True, failed=True, output="no"), id="denied"),
    ],
)
def test_a_call_that_began_none_says_so(result: ToolResult) -> None:
    assert "spawn_agent" in "\n".join(rows(told(ASKED, said(SPAWN), result)))


def test_what_a_hook_says_of_such_a_call_is_shown() -> None:
    warned = msgspec.structs.replace(RESULT, warning="the hook is slow")

    assert "the hook is slow" in "\n".join(rows(told(ASKED, said(SPAWN), SCOUT, FOUND, warned)))


def test_a_merge_is_told_once_and_a_conflict_by_its_call() -> None:
    merged = SubagentMerged(name="scout", files=("a.txt",))
    done = ToolResult(call_id="f", name="merge_agent", output="a.txt", summary="scout: 1 file merged")
    conflict = msgspec.structs.replace(done, failed=True, summary="scout: 1 conflict")

    assert "merge_agent" not in "\n".join(rows(told(ASKED, said(MERGE), merged, done)))
    assert "1 conflict" in "\n".join(rows(told(ASKED, said(MERGE), conflict)))


@pytest.mark.parametrize(
    ("bodies", "words"),
    [
        pytest.param((said(SPAWN), SCOUT), "Waiting for scout", id="one"),
        pytest.param((said(SPAWN, OTHER), SCOUT, PORTER), "Waiting for 2 agents", id="two"),
        pytest.param((said(SPAWN, OTHER), SCOUT, PORTER, FOUND, RESULT), "Waiting for porter", id="the other"),
        pytest.param((said(SPAWN, BASH), SCOUT), "Running bash", id="and another tool"),
        pytest.param((said(SPAWN),), "Running spawn_agent", id="not begun yet"),
        pytest.param((said(SPAWN), SCOUT, FOUND), "Thinking", id="it has just ended"),
    ],
)
def test_a_turn_that_waits_for_subagents_says_for_which(bodies: tuple[Body, ...], words: str) -> None:
    assert doing(*bodies) == words


def test_a_model_that_has_stopped_does_not_think_while_some_work_in_the_background() -> None:
    behind = msgspec.structs.replace(SCOUT, background=True)
    session = told(ASKED, said(SPAWN), behind, RESULT, said())
    assert status.doing(session, asking=False) == "Waiting for scout"

    session.apply(TextDelta(text="Well: "))

    assert status.doing(session, asking=False) == "Writing"
    assert doing(said(SPAWN), behind, RESULT, said(), ASKED) == "Thinking"
    assert doing(said(SPAWN), behind, RESULT) == "Thinking"
    assert doing(said(), TurnEnded(turn_id="t", reason="done")) == "Thinking"


@pytest.mark.parametrize("why", ["cancelled by the user.", "nobody waits for it."])
def test_how_one_ended_is_said_once(why: str) -> None:
    shown = rows(told(ASKED, said(SPAWN), SCOUT, msgspec.structs.replace(FOUND, state="cancelled", summary=why)))

    assert shown[-1].count("cancelled") == 1


def test_an_actor_of_a_subagent_is_called_by_the_name_of_that() -> None:
    subagents = told(ASKED, said(SPAWN), SCOUT).subagents

    named = [subagents.part(actor) for actor in PARTS]

    assert named == ["the agent scout", *["the worker of the agent scout"] * 2, "agent:sub:x-9", "store"]


def test_the_row_of_one_that_waits_for_an_answer_says_so_and_not_that_it_is_quiet() -> None:
    quiet = msgspec.structs.replace(WORKS, doing="bash make", last_event_at=1.0)

    (asks,) = subagent_rows.rows([subagent_rows.asking(quiet)], 5, 80, PLAIN, 100.0)
    (idle,) = subagent_rows.rows([quiet], 5, 80, PLAIN, 100.0)

    assert "asks you: bash make" in asks
    assert ("quiet" in asks, "quiet" in idle) == (False, True)


def test_where_there_is_room_for_some_those_that_work_have_a_row() -> None:
    waiting = [msgspec.structs.replace(WORKS, name=f"w{number}", state="pending") for number in range(5)]
    first, last = msgspec.structs.replace(WORKS, name="first"), msgspec.structs.replace(WORKS, name="last")

    shown = subagent_rows.rows([waiting[0], first, *waiting[1:], last], 4, 60, PLAIN, 100.0)

    assert [row.split()[1] for row in map(wcwidth.strip_sequences, shown)] == ["w0", "first", "last", "4"]


def test_a_new_life_of_the_screen_knows_that_the_turn_only_waits() -> None:
    session = SessionView()

    session.apply(msgspec.structs.replace(INFO, busy=True, has_spoken=True))
    session.apply(SubagentsAre(subagents=(WORKS,)))

    assert status.doing(session, asking=False) == "Waiting for scout"


def test_what_escape_does_to_agents_is_not_said_while_it_answers_a_question() -> None:
    session = SessionView()
    session.apply(INFO)
    session.apply(SubagentsAre(subagents=(msgspec.structs.replace(WORKS, background=True),)))
    scene = scene_of(session)
    asked = approval(BASH, "make")

    before = bottom(scene)
    number = scene.controls.questions.add(asked)
    during = bottom(scene)
    scene.controls.questions.remove(number)

    assert ["esc cancels 1 agent" in row for row in (before, during, bottom(scene))] == [True, False, True]


def scene_of(session: SessionView) -> Scene:
    shown = Shown(session)
    return Scene(shown, Controls(History([]), lambda: shown.reach), Surroundings("/w"), PLAIN)


def bottom(scene: Scene) -> str:
    return scene.view(100, 30, 0.0).rows[-1]
