"""Trouper and the other agents measured in turn, so that what else the machine does meets all of them alike."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.bench.agents.agent import Agent
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure, Pick


@dataclass(frozen=True)
class Line:
    what: str
    unit: str
    target: float | None = None
    pick: Pick = "median"


Sample = Mapping[Line, Sequence[float]]
"""Of one agent; a line that is not in it, that agent has not."""


def side_by_side(bench: Bench, runs: int, lines: Sequence[Line], sample: Callable[[Agent], Sample]) -> list[Figure]:
    """Another agent that cannot be measured is left out from then on, and why is printed; Trouper has to be."""
    taking_part = [bench.trouper, *bench.others]
    taken: dict[str, list[Sample]] = {agent.name: [] for agent in taking_part}
    for _ in range(runs):
        for agent in [*taking_part]:
            try:
                taken[agent.name].append(sample(agent))
            except CannotMeasure as error:
                bench.stop()
                if agent is bench.trouper:
                    raise
                print(f"  without {agent.name}: {error}", flush=True)
                taking_part.remove(agent)
    ours = taken.pop(bench.trouper.name)
    return [_figure(line, ours, taken) for line in lines]


def _figure(line: Line, ours: list[Sample], theirs: Mapping[str, list[Sample]]) -> Figure:
    others = {name: _values(line, samples) for name, samples in theirs.items()}
    return Figure(
        what=line.what,
        unit=line.unit,
        values=_values(line, ours),
        target=line.target,
        pick=line.pick,
        others=others if any(others.values()) else {},
    )


def _values(line: Line, samples: list[Sample]) -> list[float]:
    return [value for sample in samples for value in sample.get(line, ())]
