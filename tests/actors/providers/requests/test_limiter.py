"""Whose turn it is on one key: the real line, on a clock that jumps."""

# ruff: noqa: ARG001  # a clock is used by being asked for

from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.providers.endpoint import Endpoint
from actors.providers.faults.backoff import Patience
from actors.providers.faults.fault import Fault, ServiceFailed
from actors.providers.requests.limiter import IN_TURN, QUIET_S, Limiter, Line, Turn

SLOW_DOWN = "HTTP 429: Slow down."
LIMITED = Fault("rate_limited", SLOW_DOWN, "while it lasts")
GONE = Fault("unreachable", "the connection was refused.", "while it lasts")
EIGHT = tuple("abcdefgh")


@dataclass
class Asked:
    """Who asked and when, over one line."""

    line: Line = field(default_factory=Line)
    until_accepted_s: float = 0.0
    answer_s: float = 1.0
    began: list[tuple[str, float]] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    shown: list[tuple[str, str, float]] = field(default_factory=list)
    at_once: int = 0

    async def ask(self, agent: str) -> None:
        async def show(why: str, wait_s: float) -> None:
            self.shown.append((agent, why, wait_s))

        async with self.line.turn(agent, show, Patience(3600.0)) as turn:
            self.began.append((agent, trio.current_time()))
            self.at_once = max(self.at_once, self.line.running)
            await trio.sleep(self.until_accepted_s)
            turn.accepted()
            await trio.sleep(self.answer_s)
        self.answered.append(agent)

    async def all(self, agents: Iterable[str]) -> None:
        async with trio.open_nursery() as nursery:
            for agent in agents:
                nursery.start_soon(self.ask, agent)
                await wait_all_tasks_blocked()


async def unseen(why: str, wait_s: float) -> None:
    del why, wait_s


async def refuse(line: Line, wait_s: float, under_way: int = 1, refused: int = 1) -> None:
    """So many requests are under way at once, and so many of them are told to wait."""
    async with AsyncExitStack() as stack:
        turns: list[Turn] = [
            await stack.enter_async_context(line.turn(f"earlier {number}", unseen, Patience(3600.0)))
            for number in range(under_way)
        ]
        for turn in turns[:refused]:
            turn.failed(LIMITED, wait_s)


async def test_nobody_waits_before_the_first_refusal(autojump_clock: MockClock) -> None:
    asked = Asked()

    await asked.all(EIGHT)

    assert asked.began == [(agent, 0.0) for agent in EIGHT]
    assert asked.shown == []


async def test_when_one_is_told_to_wait_all_do_and_are_told_and_go_in_turn(autojump_clock: MockClock) -> None:
    asked = Asked()
    await refuse(asked.line, 5.0)

    await asked.all(EIGHT)

    assert [agent for agent, _ in asked.began] == list(EIGHT)
    assert asked.began[0] == ("a", 5.0)
    assert sorted(asked.answered) == list(EIGHT)
    assert asked.shown == [(agent, SLOW_DOWN, 5.0) for agent in EIGHT]


async def test_after_a_wait_one_tries_it_out_and_the_others_follow_when_it_was_taken(autojump_clock: MockClock) -> None:
    asked = Asked(until_accepted_s=2.0, answer_s=60.0)
    await refuse(asked.line, 5.0, under_way=8)

    await asked.all("abc")

    assert asked.began == [("a", 5.0), ("b", 7.0), ("c", 7.0)]


async def test_half_as_many_are_asked_at_once_and_with_each_that_is_taken_a_little_more(
    autojump_clock: MockClock,
) -> None:
    asked = Asked(answer_s=60.0)
    await refuse(asked.line, 5.0, under_way=8)

    await asked.all(EIGHT)

    assert [at for _, at in asked.began].count(5.0) == 4
    assert asked.at_once > 4
    assert sorted(asked.answered) == sorted(EIGHT)


async def test_what_was_under_way_already_does_not_halve_it_again(autojump_clock: MockClock) -> None:
    asked = Asked(answer_s=60.0)
    await refuse(asked.line, 5.0, under_way=8, refused=8)

    await asked.all(EIGHT)

    assert [at for _, at in asked.began].count(5.0) == 4


async def test_an_agent_with_many_requests_does_not_keep_the_others_out(autojump_clock: MockClock) -> None:
    asked = Asked()
    await refuse(asked.line, 5.0)

    await asked.all("aaab")

    assert [agent for agent, _ in asked.began] == ["a", "b", "a", "a"]


async def test_a_cancelled_one_leaves_the_others_in_order(autojump_clock: MockClock) -> None:
    asked, impatient = Asked(), trio.CancelScope()
    await refuse(asked.line, 5.0)

    async def give_up() -> None:
        with impatient:
            await asked.ask("b")

    async with trio.open_nursery() as nursery:
        for ask in (lambda: asked.ask("a"), give_up, lambda: asked.ask("c"), lambda: asked.ask("d")):
            nursery.start_soon(ask)
            await wait_all_tasks_blocked()
        impatient.cancel()

    assert [agent for agent, _ in asked.began] == ["a", "c", "d"]


async def test_when_the_one_that_tries_it_out_is_cancelled_the_next_one_does(autojump_clock: MockClock) -> None:
    asked, impatient = Asked(until_accepted_s=20.0), trio.CancelScope()
    await refuse(asked.line, 5.0)

    async with trio.open_nursery() as nursery:

        async def give_up() -> None:
            with impatient:
                await asked.ask("a")

        nursery.start_soon(give_up)
        await wait_all_tasks_blocked()
        nursery.start_soon(asked.ask, "b")
        await trio.sleep(10)
        impatient.cancel()

    assert asked.began == [("a", 5.0), ("b", 10.0)]


async def test_a_longer_wait_is_shown_again_to_those_who_wait(autojump_clock: MockClock) -> None:
    asked = Asked()
    async with (
        trio.open_nursery() as nursery,
        asked.line.turn("first", unseen, Patience(3600.0)) as first,
        asked.line.turn("second", unseen, Patience(3600.0)) as second,
    ):
        first.failed(LIMITED, 5.0)
        nursery.start_soon(asked.ask, "a")
        await trio.sleep(2)
        second.failed(Fault("overloaded", "HTTP 529.", "while it lasts"), 10.0)

    assert asked.shown == [("a", SLOW_DOWN, 5.0), ("a", "HTTP 529.", 10.0)]
    assert asked.began == [("a", 12.0)]


async def test_a_wait_that_is_known_is_not_shown_again(autojump_clock: MockClock) -> None:
    asked = Asked()
    async with asked.line.turn("a", unseen, Patience(3600.0)) as turn:
        wait_s = turn.failed(LIMITED, 5.0)

    async def show(why: str, wait_s: float) -> None:
        raise AssertionError((why, wait_s))

    async with asked.line.turn("a", show, Patience(3600.0), shown_s=wait_s or 0.0):
        assert trio.current_time() == 5.0


async def test_whoever_waits_for_others_is_told_once(autojump_clock: MockClock) -> None:
    asked = Asked(answer_s=3.0)
    await refuse(asked.line, 5.0)
    await trio.sleep(10)

    await asked.all("abc")

    assert asked.shown == [("c", IN_TURN, 0.0)]
    assert [agent for agent, _ in asked.began] == ["a", "b", "c"]


async def test_long_answers_do_not_keep_the_others_out_for_ever(autojump_clock: MockClock) -> None:
    asked = Asked(answer_s=10_000.0)
    await refuse(asked.line, 5.0, under_way=2)

    await asked.all(EIGHT)

    assert asked.began[-1][1] < 8 * (QUIET_S + 5.0)


async def test_a_limit_that_is_used_up_holds_everybody_until_it_is_not(autojump_clock: MockClock) -> None:
    asked = Asked()
    asked.line.hold("its rate limit is used up for the moment.", 5.0)

    await asked.all("ab")

    assert asked.began == [("a", 5.0), ("b", 5.0)]


async def test_in_an_outage_all_wait_and_afterwards_all_go_on_at_once(autojump_clock: MockClock) -> None:
    asked = Asked(answer_s=60.0)
    for _ in range(3):
        async with asked.line.turn("first", unseen, Patience(3600.0)) as turn:
            turn.failed(GONE, 5.0)

    await asked.all(EIGHT)

    assert asked.began == [(agent, 15.0) for agent in EIGHT]


async def test_who_fails_beside_others_that_are_answered_waits_alone(autojump_clock: MockClock) -> None:
    line = Line()
    async with line.turn("a", unseen, Patience(3600.0)) as alone:
        async with line.turn("b", unseen, Patience(3600.0)) as other:
            other.accepted()
        held_s = alone.failed(GONE, 5.0)
    async with line.turn("c", unseen, Patience(3600.0)):
        assert (held_s, trio.current_time()) == (None, 0.0)


async def test_patience_ends_in_the_line_too(autojump_clock: MockClock) -> None:
    line = Line()
    async with line.turn("a", unseen, Patience(3600.0)) as turn:
        turn.failed(GONE, 5.0)
    async with line.turn("a", unseen, Patience(3600.0)):  # it tries it out, and takes its time
        with pytest.raises(ServiceFailed) as failure:
            async with line.turn("b", unseen, Patience(20.0)):
                raise AssertionError

    assert (failure.value.fault, trio.current_time()) == (GONE, 25.0)


async def test_who_waits_for_others_after_the_outage_is_not_sent_away(autojump_clock: MockClock) -> None:
    line = Line()
    async with line.turn("a", unseen, Patience(3600.0)) as turn:
        turn.failed(LIMITED, 5.0)
    async with trio.open_nursery() as nursery:
        begun = trio.Event()

        async def answered() -> None:
            async with line.turn("a", unseen, Patience(3600.0)) as turn:
                begun.set()
                await trio.sleep(5)
                turn.accepted()
                await trio.sleep(25)

        nursery.start_soon(answered)
        await begun.wait()
        for name in "bc":
            nursery.start_soon(Asked(line, answer_s=20.0).ask, name)
        await trio.sleep(6)
        async with line.turn("d", unseen, Patience(0.5)):
            pass


async def test_keys_do_not_wait_for_one_another(autojump_clock: MockClock) -> None:
    limiter = Limiter()
    mine, yours = (
        Endpoint(provider="openai", api="openai-chat", base_url="https://h/v1", key=key) for key in ("mine", "yours")
    )
    await refuse(limiter.line(mine), 5.0)

    asked = Asked(limiter.line(yours))
    await asked.all("a")

    assert asked.began == [("a", 0.0)]


def test_the_same_key_at_the_same_host_is_one_line_whatever_the_provider_is_called() -> None:
    limiter = Limiter()
    one, other = (
        Endpoint(provider=name, api="openai-chat", base_url="https://h/v1", key="k") for name in ("openai", "mine")
    )

    assert limiter.line(one) is limiter.line(other)
