"""How much of what coding models do every day is asked about in auto, and how much of that is not wanted."""

from pathlib import Path

from tests.actors.gate.cases import around, run
from tests.actors.gate.rules.everyday import rows
from tests.bench.bench import Bench
from tests.bench.figures import Figure

TARGET_PERCENT = 15.0


def asked(_bench: Bench, _runs: int) -> list[Figure]:
    """Of the table in tests/data/everyday.txt, in the sandbox."""
    context = around(Path("/nowhere/project"), "auto", level="bubblewrap")
    asks = [(run(context, row.command).decision.verdict != "allow", row.wanted[-1] != "allow") for row in rows()]
    share, needless = (
        100.0 * sum(which) / len(asks)
        for which in ((is_asked for is_asked, _ in asks), (is_asked and not wanted for is_asked, wanted in asks))
    )
    return [
        Figure(
            what=f"asked about in auto, of {len(asks)} everyday commands",
            unit="%",
            values=[share],
            target=TARGET_PERCENT,
        ),
        Figure(what="of these asked about without need", unit="%", values=[needless], target=0.0),
    ]
