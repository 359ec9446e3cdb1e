"""Rows of `trouper -p`: how long it takes to the first request, what a tool call costs, how much memory it needs."""

import subprocess
import sys
import time
from collections.abc import Sequence

from tests.bench import processes
from tests.bench.bench import Bench
from tests.bench.figures import Figure, pick
from tests.bench.place import FILE
from tests.bench.plan import Call, Plan

MANY = 31
"""Rounds of the long session; the short one has 1."""
TOOLS = {
    "read": Call("read", {"path": FILE}),
    "write": Call("write", {"path": "made-#.txt", "content": "round #\n"}),
    "bash": Call("bash", {"command": "true"}),
}
HELD_S = 0.5


def start(bench: Bench, runs: int) -> list[Figure]:
    bench.headless(Plan())  # the first one ever compiles our modules
    ran = [bench.headless(Plan()) for _ in range(runs)]
    floor = [_import_floor_s() for _ in range(runs)]
    return [
        Figure(what="for scale: Python importing trio, msgspec, httpx", unit="s", values=floor),
        Figure(what="exec to first model request", unit="s", values=[run.asked_s for run in ran], target=0.22),
        Figure(what="one text turn, whole process", unit="s", values=[run.ended_s for run in ran], target=0.26),
    ]


def _import_floor_s() -> float:
    """One interpreter that imports what a session needs and nothing else: what no program here can go below."""
    began = time.monotonic()
    without_click = "import sys; sys.modules['httpx._main'] = None"
    process = subprocess.Popen([sys.executable, "-I", "-c", f"{without_click}; import trio, msgspec, httpx"])
    ended = processes.Deaths([process.pid]).wait()
    process.wait()
    return ended - began


def tools(bench: Bench, runs: int) -> list[Figure]:
    costs = {name: _cost_ms(bench, call, runs) for name, call in TOOLS.items()}
    figures = [Figure(what=f"a round with {name}", unit="ms", values=[cost]) for name, cost in costs.items()]
    mean = Figure(what="mean of the three", unit="ms", values=list(costs.values()), target=10, pick="mean")
    return [*figures, mean]


def _cost_ms(bench: Bench, call: Call, runs: int) -> float:
    """Of one round, from the medians of a short and a long session, run in turn."""
    short, long = [], []
    for _ in range(runs):
        short.append(bench.headless(Plan(calls=(call,), rounds=1)).ended_s)
        long.append(bench.headless(Plan(calls=(call,), rounds=MANY)).ended_s)
    return (_median(long) - _median(short)) / (MANY - 1) * 1000


def memory(bench: Bench, runs: int) -> list[Figure]:
    call = Call("bash", {"command": f"sleep {HELD_S}"})
    plan = Plan(calls=(call,), rounds=1, hold_s=HELD_S)
    peaks = []
    for _ in range(runs):
        process = bench.start_headless(plan)
        peaks.append(processes.peak_pss_mb(process))
        bench.finish(process)
    return [Figure(what="peak of all processes, PSS", unit="MB", values=peaks, target=80)]


def _median(values: Sequence[float]) -> float:
    return pick(values, "median")
