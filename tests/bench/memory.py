"""Row of the memory that each process does not share: what it imported by itself, and what it wrote to."""

import time
from collections import defaultdict

from tests.bench import processes
from tests.bench.agents.trouper import TOOLS
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import Plan

HELD = Plan(calls=(TOOLS.bash("true"),), rounds=1, hold_last_s=3)
CALM_S = 1.0


def private(bench: Bench, runs: int) -> list[Figure]:
    """Of a headless run that waits for the model after its first command, and of a screen that nobody has used."""
    values: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        process = bench.start_headless(bench.trouper, HELD)
        bench.service.wait(lambda seen: seen.what == "asked" and seen.round == 1)
        time.sleep(CALM_S)
        for name, mb in processes.private_mb(process.pid).items():
            values[f"headless: {name}"].append(mb)
        bench.finish(process)
        with bench.screen() as terminal:
            terminal.settle()
            terminal.quiet()
            for name, mb in processes.private_mb(terminal.pid).items():
                values[f"screen: {name}"].append(mb)
    return [Figure(what=what, unit="MB", values=found) for what, found in values.items()]
