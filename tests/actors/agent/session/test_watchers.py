"""Watchers over the real mailbox: a slow one slows whoever speaks, and misses nothing."""

import pytest
import trio
from trio.testing import MockClock

from actors.agent.session.watchers import JOIN_S, MOST_QUEUED, Watchers
from actors.mailbox import CREDITS, Mailbox
from actors.messages.base import Message
from actors.messages.model import Retrying, TextDelta
from actors.messages.turn import Notice, Subscribe
from tests.fakes.network import Network, open_network

PLENTY = MOST_QUEUED + CREDITS + 100
"""More events than may be under way to somebody who reads none."""


class Speakers:
    """An agent of which several tasks speak at once."""

    def __init__(self, network: Network) -> None:
        self.watchers = Watchers()
        self.done: list[str] = []
        network.start("agent", self._serve)

    async def _serve(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, lambda request: self.watchers.attend(request, []))

    async def speak(self, name: str) -> None:
        for number in range(PLENTY):
            await self.watchers.emit(Notice(text=f"{name} {number}"))
        self.done.append(name)


def words_of(name: str, heard: list[Message]) -> list[str]:
    return [event.text for event in heard if isinstance(event, Notice) and event.text.startswith(name)]


async def test_all_who_wait_for_a_slow_watcher_go_on_when_it_reads(
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        speakers = Speakers(network)
        async with network.mailbox("screen").stream("agent", Subscribe()) as stream:
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(speakers.speak, "one")
            nursery.start_soon(speakers.speak, "two")
            await trio.testing.wait_all_tasks_blocked()
            done_unread = list(speakers.done)
            with trio.fail_after(1):
                heard = [await anext(stream) for _ in range(2 * PLENTY)]
            await trio.testing.wait_all_tasks_blocked()

    assert done_unread == []
    assert sorted(speakers.done) == ["one", "two"]
    for name in ("one", "two"):
        assert words_of(name, heard) == [f"{name} {number}" for number in range(PLENTY)]


@pytest.mark.parametrize("fast_first", [True, False])
async def test_a_slow_watcher_takes_nothing_from_a_fast_one(fast_first: bool) -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        speakers = Speakers(network)
        fast, slow = network.mailbox("fast"), network.mailbox("slow")
        first, second = (fast, slow) if fast_first else (slow, fast)
        async with first.stream("agent", Subscribe()) as one, second.stream("agent", Subscribe()) as other:
            await trio.testing.wait_all_tasks_blocked()
            reading, waiting = (one, other) if fast_first else (other, one)
            nursery.start_soon(speakers.speak, "one")
            early = [await anext(reading) for _ in range(MOST_QUEUED)]
            late = [await anext(waiting) for _ in range(MOST_QUEUED)]

            assert early == late
            nursery.cancel_scope.cancel()


async def test_who_comes_in_the_middle_of_a_wait_hears_what_is_left_of_it(
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    async with open_network() as network:
        speakers = Speakers(network)
        speakers.watchers.put(TextDelta(text="void"))
        speakers.watchers.put(Retrying(why="HTTP 529.", wait_s=30.0, failed=True))
        await trio.sleep(10)
        async with network.mailbox("late").stream("agent", Subscribe()) as stream:
            heard = await anext(stream)

    assert isinstance(heard, Retrying)
    assert (heard.why, heard.wait_s, heard.failed) == ("HTTP 529.", pytest.approx(20.0, abs=0.5), False)


async def test_a_wait_that_is_over_is_not_told(
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    async with open_network() as network:
        speakers = Speakers(network)
        speakers.watchers.put(Retrying(why="HTTP 529.", wait_s=30.0))
        speakers.watchers.put(TextDelta(text="so"))
        async with network.mailbox("late").stream("agent", Subscribe()) as stream:
            heard = await anext(stream)

    assert heard == TextDelta(text="so")


async def test_text_goes_out_as_often_as_a_screen_is_drawn_and_all_else_at_once(
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    heard: list[tuple[float, str]] = []
    async with open_network() as network, trio.open_nursery() as nursery:
        speakers = Speakers(network)

        async def listen() -> None:
            async with network.mailbox("screen").stream("agent", Subscribe()) as stream:
                async for event in stream:
                    assert isinstance(event, TextDelta | Notice)
                    heard.append((trio.current_time() - began, event.text))

        began = trio.current_time()
        nursery.start_soon(listen)
        await trio.testing.wait_all_tasks_blocked()
        for word in ("a", "b", "c"):  # 10 ms apart
            await speakers.watchers.emit(TextDelta(text=word))
            await trio.sleep(0.01)
        await trio.sleep(JOIN_S)
        await speakers.watchers.emit(TextDelta(text="d"))
        await speakers.watchers.emit(TextDelta(text="e"))
        await speakers.watchers.emit(Notice(text="now"))
        await trio.sleep(JOIN_S / 2)
        told = list(heard)
        speakers.watchers.end()
        nursery.cancel_scope.cancel()

    assert [text for _, text in told] == ["a", "bc", "de", "now"]
    assert told[0][0] == 0.0
    assert told[1][0] == pytest.approx(JOIN_S)
    assert told[2][0] == told[3][0]
