"""What is looked at side by side, each for a bounded time: what hangs is a finding, and holds up nothing else."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

import trio

from actors.errors import Failed
from ui.common.doctor.rows import Row

WITHIN_S = 10.0


class Part(NamedTuple):
    name: str
    """Of its rows, or what they begin with."""
    look: Callable[[], Awaitable[Sequence[Row]]]
    """May raise Failed and OSError."""
    slow: str = "a disk or a program does not answer; see dmesg, and whether a network disk is there"
    """What to do when it does not come back."""
    within_s: float = WITHIN_S


def in_thread(look: Callable[[], Sequence[Row]]) -> Callable[[], Awaitable[Sequence[Row]]]:
    """A thread that waits for a disk cannot be ended: it is left, and ends with the process."""
    return partial(trio.to_thread.run_sync, look, abandon_on_cancel=True)


async def side_by_side(parts: Sequence[Part]) -> list[Row]:
    """Their rows, in the order of the parts."""
    found: list[Sequence[Row]] = [()] * len(parts)

    async def look(number: int) -> None:
        found[number] = await _bounded(parts[number])

    async with trio.open_nursery() as nursery:
        for number in range(len(parts)):
            nursery.start_soon(look, number)
    return [row for rows in found for row in rows]


async def _bounded(part: Part) -> Sequence[Row]:
    try:
        with trio.fail_after(part.within_s):
            return await part.look()
    except trio.TooSlowError:
        said = f"no answer within {part.within_s:g} s"
        return [Row(name=part.name, state="warning", found=said, advice=part.slow)]
    except Failed as why:
        return [Row(name=part.name, state="problem", found=why.problem.text, advice=why.problem.hint)]
    except OSError as error:
        said = f"{error.filename or 'it'} cannot be looked at: {error.strerror or error}"
        return [Row(name=part.name, state="warning", found=said, advice="mend what is said, and run this again")]
