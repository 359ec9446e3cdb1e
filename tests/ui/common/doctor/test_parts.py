"""Looking side by side: what hangs, fails or is gone is a finding, in its place among the others."""

import trio
from trio.testing import MockClock

from actors.errors import failed
from ui.common.doctor.parts import Part, side_by_side
from ui.common.doctor.rows import Row


async def well() -> list[Row]:
    return [Row(name="well", found="yes")]


async def hangs() -> list[Row]:
    await trio.sleep_forever()
    return []


async def refuses() -> list[Row]:
    raise failed("bad_request", "it says no.", "ask again")


async def is_gone() -> list[Row]:
    raise FileNotFoundError(2, "No such file or directory", "/gone")


async def test_each_is_a_row_where_it_belongs(autojump_clock: MockClock) -> None:  # noqa: ARG001
    parts = [Part("slow", hangs, "wait", 3), Part("well", well), Part("no", refuses), Part("gone", is_gone)]

    rows = await side_by_side(parts)

    assert [(row.name, row.state, row.found) for row in rows] == [
        ("slow", "warning", "no answer within 3 s"),
        ("well", "ok", "yes"),
        ("no", "problem", "it says no."),
        ("gone", "warning", "/gone cannot be looked at: No such file or directory"),
    ]
    assert [row.advice for row in rows][:3] == ["wait", "", "ask again"]


async def test_all_that_hang_take_as_long_as_one(autojump_clock: MockClock) -> None:  # noqa: ARG001
    began = trio.current_time()

    await side_by_side([Part(str(number), hangs, "", 5) for number in range(4)])

    assert trio.current_time() - began == 5
