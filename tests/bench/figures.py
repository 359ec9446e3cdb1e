"""What a row measures: figures with their target, and whether it was reached. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Pick = Literal["median", "mean", "p95", "p99"]


class CannotMeasure(Exception):
    """Why a row has no figures here; for whoever reads the table."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    what: str
    unit: str
    values: Sequence[float]
    target: float | None = None
    """None: the performance table sets none."""
    pick: Pick = "median"
    others: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """What was measured of other agents, by name; nothing where they cannot do it."""

    @property
    def value(self) -> float:
        return pick(self.values, self.pick)

    @property
    def reached(self) -> bool | None:
        return None if self.target is None else _rounded(self.value) <= self.target

    @property
    def of_others(self) -> dict[str, float]:
        return {name: pick(values, self.pick) for name, values in self.others.items() if values}

    @property
    def mark(self) -> str:
        """How it stands against its target and the best of the others, by what is shown of them."""
        of_others = self.of_others
        best = min(of_others, key=of_others.__getitem__, default="")
        if best and _rounded(self.value) > _rounded(of_others[best]):
            return f"at target, behind {best}" if self.reached else f"behind {best}"
        if self.reached:
            return "at target"
        if best:
            return "below the best other"
        return "" if self.reached is None else "MISSED"


def pick(values: Sequence[float], how: Pick) -> float:
    if how == "mean":
        return sum(values) / len(values)
    return percentile(values, {"median": 50, "p95": 95, "p99": 99}[how])


def percentile(values: Sequence[float], percent: float) -> float:
    """Between the neighbours, as most tools do."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * percent / 100
    below, above = ordered[math.floor(at)], ordered[math.ceil(at)]
    return below + (above - below) * (at - math.floor(at))


def shown(value: float) -> str:
    """To three digits or so."""
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _rounded(value: float) -> float:
    return float(shown(value))


def line(figure: Figure) -> str:
    spread = f"{shown(min(figure.values))} to {shown(max(figure.values))}, n={len(figure.values)}"
    target = "" if figure.target is None else f"{figure.target:g} {figure.unit}"
    value = f"{shown(figure.value)} {figure.unit}"
    others = [f"{name} {_of(figure, name):>6}" for name in figure.others]
    whole = f"  {figure.what:<52} {figure.pick:<6} {value:>10}  {target:>9}  {figure.mark:<9}"
    return "  ".join((whole, *others, f"({spread})"))


def _of(figure: Figure, other: str) -> str:
    value = figure.of_others.get(other)
    return "-" if value is None else shown(value)


def record(figure: Figure) -> dict[str, object]:
    """For the JSON file."""
    return {
        "what": figure.what,
        "unit": figure.unit,
        "pick": figure.pick,
        "value": figure.value,
        "target": figure.target,
        "reached": figure.reached,
        "mark": figure.mark,
        "values": list(figure.values),
        "others": {name: list(values) for name, values in figure.others.items()},
    }
