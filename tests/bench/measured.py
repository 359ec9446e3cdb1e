"""A row as it was measured once: its figures and the load beside it; and what all of them come to. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.bench import figures
from tests.bench.figures import Figure


@dataclass(frozen=True, kw_only=True)
class Measured:
    row: str
    busy: int
    """Processes that were kept busy beside it."""
    load: float
    noisy: bool
    figures: list[Figure] = field(default_factory=list)
    not_measured: str = ""
    """Why; "" where it was."""

    def record(self) -> dict[str, object]:
        """For the JSON file."""
        about = {"row": self.row, "busy": self.busy, "load": self.load, "noisy": self.noisy}
        if self.not_measured:
            return {**about, "not_measured": self.not_measured}
        return {**about, "figures": [figures.record(figure) for figure in self.figures]}


def summary(rows: Iterable[Measured]) -> list[str]:
    """The figures that have a mark, by it: a line each."""
    marked: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for figure in row.figures:
            if figure.mark:
                beside = f" beside {row.busy}" if row.busy else ""
                marked[figure.mark].append(f"{row.row}{beside}: {figure.what}, {figure.pick}")
    return [line for mark in sorted(marked) for line in (f"{mark}:", *(f"  {what}" for what in marked[mark]))]
