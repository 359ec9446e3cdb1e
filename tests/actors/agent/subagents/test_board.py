"""Who watches is told how subagents stand, now and then."""

import trio
from trio.testing import MockClock

from actors.agent.session.watchers import Watchers
from actors.agent.subagents.board import Board
from actors.messages.subagent import SubagentIs, SubagentsAre
from actors.messages.turn import Event

ONE = SubagentIs(name="one", kind="explore", session_id="s.1", state="running")


class Heard(Watchers):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[float, Event]] = []

    def put(self, event: Event) -> None:
        self.told.append((trio.current_time(), event))


async def test_however_often_it_changes_it_is_told_a_few_times_a_second(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0
    heard = Heard()
    board = Board(heard, lambda: (ONE,))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(board.run)
        began = trio.current_time()
        for _ in range(900):
            board.changed()
            await trio.sleep(0.001)
        nursery.cancel_scope.cancel()

    assert [round(at - began, 2) for at, _ in heard.told] == [0.0, 0.25, 0.5, 0.75]
    assert heard.told[0][1] == SubagentsAre(subagents=(ONE,))


async def test_nothing_is_told_while_nothing_changes(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0
    heard = Heard()
    board = Board(heard, lambda: (ONE,))

    with trio.move_on_after(10):
        await board.run()

    assert heard.told == []
