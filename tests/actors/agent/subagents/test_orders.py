"""What is asked of a subagent from outside: the same as by the screen, but nobody is woken by mistake."""

import pytest

from actors.agent.session.ledger import Ledger
from actors.agent.subagents.orders import BRIEF, Order, from_outside
from actors.agent.subagents.subagents import Subagents
from actors.common.doors.words import Ordered
from actors.errors import Failed
from actors.messages.base import Done, Message
from actors.messages.subagent import (
    CancelSubagent,
    SteerSubagent,
    SubagentEnded,
    SubagentEntry,
    SubagentPrompted,
    SubagentSpawned,
)

SPAWNED = SubagentSpawned(name="scout", session_id="s1.1", call_id="c", kind="explore", prompt="look")
SAID = SubagentPrompted(name="scout", prompt_id="p1", text="only in src")
ENDED = SubagentEnded(name="scout", state="completed", summary="x" * 10_000)


class Ended(Subagents):
    """One that has ended, after what was said to it."""

    def __init__(self, *entries: SubagentEntry) -> None:
        self.ledger = Ledger("s1")
        for entry in entries:
            self.ledger.note(entry)
        self._begun, self._lives = True, {}
        self.orders: list[Order] = []

    async def carry_out(self, wanted: Order) -> Message:
        self.orders.append(wanted)
        return Done()


def steer(text: str, prompt_id: str = "p2", *, goes_on: bool = False) -> Ordered:
    order = SteerSubagent(name="scout", prompt_id=prompt_id, text=text)
    return Ordered(session_id="s1", order=order, goes_on=goes_on)


async def test_one_that_has_ended_goes_on_only_when_that_is_meant() -> None:
    ended = Ended(SPAWNED, ENDED)

    with pytest.raises(Failed, match=r"has ended \(completed\)\. To go on with it: trouper agents resume s1\.1"):
        await from_outside(ended, steer("and in lib"), ended.carry_out)
    before = list(ended.orders)
    await from_outside(ended, steer("and in lib", goes_on=True), ended.carry_out)

    assert (before, ended.orders) == ([], [steer("and in lib").order])


async def test_what_was_said_before_it_ended_is_no_mistake_when_it_is_said_again() -> None:
    """Whoever said it may have lost the answer with an earlier life of the parent."""
    ended = Ended(SPAWNED, SAID, ENDED)

    stands = await from_outside(ended, steer("only in src", "p1"), ended.carry_out)

    assert (stands.state, len(stands.summary)) == ("completed", BRIEF)


@pytest.mark.parametrize("text", ["", " \n\t"])
async def test_nothing_is_not_said(text: str) -> None:
    ended = Ended(SPAWNED)

    with pytest.raises(Failed, match="there is nothing to tell it"):
        await from_outside(ended, steer(text), ended.carry_out)

    assert ended.orders == []


async def test_who_is_not_there_is_told_with_who_is() -> None:
    ended = Ended(SPAWNED)

    with pytest.raises(Failed, match=r'there is no agent "porter"\. There are: scout\.'):
        await from_outside(ended, Ordered(session_id="s1", order=CancelSubagent(name="porter")), ended.carry_out)
