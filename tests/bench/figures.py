"""What a row measures: figures with their target, and whether it was reached. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
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

    @property
    def value(self) -> float:
        return pick(self.values, self.pick)

    @property
    def reached(self) -> bool | None:
        return None if self.target is None else float(shown(self.value)) <= self.target


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


def line(figure: Figure) -> str:
    spread = f"{shown(min(figure.values))} to {shown(max(figure.values))}, n={len(figure.values)}"
    verdict = {True: "reached", False: "MISSED", None: ""}[figure.reached]
    target = "" if figure.target is None else f"{figure.target:g} {figure.unit}"
    value = f"{shown(figure.value)} {figure.unit}"
    return f"  {figure.what:<52} {figure.pick:<6} {value:>10}  {target:>9}  {verdict:<8} ({spread})"


def record(figure: Figure) -> dict[str, object]:
    """For the JSON file."""
    return {
        "what": figure.what,
        "unit": figure.unit,
        "pick": figure.pick,
        "value": figure.value,
        "target": figure.target,
        "reached": figure.reached,
        "values": list(figure.values),
    }
