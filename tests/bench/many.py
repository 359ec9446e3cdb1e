"""Rows of `trouper batch`: eight tasks at once, and what one agent more costs."""

import time

from tests.bench import processes
from tests.bench.agents.trouper import TOOLS
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import Plan

WORKERS = 8
TRUE = TOOLS.bash("true")
TASK = Plan(calls=(TRUE, TOOLS.each()["read"]), rounds=2)
SAMPLE_S = 0.03
FEW, MORE = 1, 17
"""Agents; the difference is what one costs."""
HELD = Plan(calls=(TRUE,), rounds=1, hold_last_s=60)
DELTAS_PER_S = 60
STREAMING = Plan(calls=(TRUE,), rounds=1, per_s=DELTAS_PER_S, deltas=60 * DELTAS_PER_S)
CALM_S = 1.0
WATCHED_S = 4.0


def batch(bench: Bench, runs: int) -> list[Figure]:
    walls, peaks = [], []
    for _ in range(runs):
        began = time.monotonic()
        bench.finish(bench.start_batch([TASK] * WORKERS))
        walls.append(time.monotonic() - began)
        process = bench.start_batch([TASK] * WORKERS)  # once more: looking at memory slows it down
        peaks.append(processes.peak_pss_mb(process, every_s=SAMPLE_S))
        bench.finish(process)
    return [
        Figure(what=f"{WORKERS} runs, wall", unit="s", values=walls, target=1.2),
        Figure(what=f"{WORKERS} runs, peak PSS", unit="MB", values=peaks, target=150),
    ]


def agents(bench: Bench, runs: int) -> list[Figure]:
    memory, load = [], []
    for _ in range(runs):
        memory.append((_held_mb(bench, MORE) - _held_mb(bench, FEW)) / (MORE - FEW))
        load.append((_streaming_cpu(bench, MORE) - _streaming_cpu(bench, FEW)) / (MORE - FEW) * 100)
    return [
        Figure(what="each further agent with its tool worker, PSS", unit="MB", values=memory, target=10),
        Figure(what=f"CPU of each at {DELTAS_PER_S} deltas/s, all processes", unit="%", values=load),
    ]


def _held_mb(bench: Bench, count: int) -> float:
    """While all of them wait for the model, each after a command."""
    with bench.batch([HELD] * count) as process:
        bench.service.wait(lambda seen: seen.what == "asked" and seen.round == 1, count)
        time.sleep(CALM_S)
        return processes.pss_mb(processes.tree(process.pid))


def _streaming_cpu(bench: Bench, count: int) -> float:
    """Seconds on a core in one second, while all of them are being answered."""
    with bench.batch([STREAMING] * count) as process:
        bench.service.wait(lambda seen: seen.what == "answering" and seen.round == 1, count)
        time.sleep(CALM_S)
        before, began = processes.cpu(processes.tree(process.pid)), time.monotonic()
        time.sleep(WATCHED_S)
        spent = processes.cpu_s(before, processes.cpu(processes.tree(process.pid)))
        return spent / (time.monotonic() - began)
