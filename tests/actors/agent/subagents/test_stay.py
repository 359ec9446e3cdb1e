"""The end of a turn while agents work in the background, and what becomes of what others have found by then."""

from collections.abc import Iterable

import pytest

from actors.agent.session.history import EndTurn, History
from actors.agent.session.ledger import QUOTED, Subagent
from actors.agent.subagents.stay import stay
from actors.agent.subagents.subagents import BY_USER, Subagents
from actors.messages.subagent import SubagentEnded, SubagentSpawned

DONE = EndTurn("done")
SLOW, GOOD = (
    SubagentSpawned(name=name, session_id=f"s.{number}", call_id="c", kind="explore", prompt="x", background=True)
    for number, name in enumerate(("slow", "good"), 1)
)
FOUND = SubagentEnded(name="good", state="completed", summary="B is there")


class InTheBackground(Subagents):
    """One that works until it is cancelled, or has come to its end just before, and what is noted of others."""

    def __init__(self, *bodies: SubagentSpawned | SubagentEnded, too_late: bool = False) -> None:
        self.ledger = History("s").subagents
        self._too_late = too_late
        for body in bodies:
            self.ledger.note(body)

    async def cancel(self, ones: Iterable[Subagent], why: str = BY_USER) -> None:
        for one in ones:
            state = "completed" if self._too_late else "cancelled"
            self.ledger.note(SubagentEnded(name=one.name, state=state, summary="A is here" if self._too_late else why))


async def test_the_model_is_told_what_had_been_found_and_who_was_cancelled() -> None:
    told = await stay(InTheBackground(SLOW, GOOD, FOUND), History("s"), "cancel", DONE)

    assert isinstance(told, str)
    assert f'Agent "good" has completed. {QUOTED}\n\n> B is there' in told
    assert 'Agent "slow" was cancelled.' in told


async def test_where_nothing_had_been_found_the_turn_ends() -> None:
    assert await stay(InTheBackground(SLOW), History("s"), "cancel", DONE) == DONE


async def test_a_run_that_fails_for_those_left_names_those_that_had_ended() -> None:
    end = await stay(InTheBackground(SLOW, GOOD, FOUND), History("s"), "fail", DONE)

    assert isinstance(end, EndTurn)
    assert end.reason == "failed"
    assert end.text == (
        "these agents still ran in the background when the model stopped, and were cancelled: slow. "
        "These had ended, and the model has not heard of it: good (completed)."
    )


@pytest.mark.parametrize("how", ["cancel", "fail"])
async def test_one_that_came_to_its_end_before_the_cancel_is_told(how: str) -> None:
    told = await stay(InTheBackground(SLOW, too_late=True), History("s"), how, DONE)  # type: ignore[arg-type]

    assert told == f'Agent "slow" has completed. {QUOTED}\n\n> A is here'
