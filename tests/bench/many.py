"""Rows of many agents: eight tasks of `trouper batch`, what one agent more costs, and 64 that are answered at once."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from tests import ROOT
from tests.bench import processes
from tests.bench.agents.trouper import TOOLS
from tests.bench.bench import Bench
from tests.bench.crowd import Crowd
from tests.bench.figures import CannotMeasure, Figure
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
CROWD = 64
CROWD_PATIENCE_S = 240.0
MODELLED = {60: (98.0, 313.0, 1.1, 28.0), 20: (62.0, 310.0, 0.4, 70.0)}
"""CPU in percent of a core, MB, and ms of a delta at p50 and p99, by deltas a second: what a model of this took, of 64
forked processes and three that they share; without HTTP, JSON, gate and tool workers."""


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


def crowd(bench: Bench, runs: int) -> list[Figure]:
    """All of it on this machine, the model service too, which is not counted."""
    figures = []
    for per_s, (cpu, pss, usual_ms, late_ms) in MODELLED.items():
        measured = [_crowd(bench, per_s) for _ in range(runs)]
        delays = [delay for each in measured for delay in each.delays_ms]
        what = f"{CROWD} at {per_s} deltas/s"
        figures += [
            Figure(what=f"{what}: CPU of all", unit="%", values=[each.cpu_percent for each in measured], target=cpu),
            Figure(what=f"{what}: PSS of all", unit="MB", values=[each.pss_mb for each in measured], target=pss),
            Figure(what=f"{what}: processes", unit="", values=[each.processes for each in measured]),
            Figure(what=f"{what}: service to front", unit="ms", values=delays, target=usual_ms),
            Figure(what=f"{what}: service to front", unit="ms", values=delays, target=late_ms, pick="p99"),
            Figure(what=f"{what}: received", unit="%", values=[each.received_percent for each in measured]),
        ]
    return figures


def _crowd(bench: Bench, per_s: int) -> Crowd:
    bench.service.forget()
    home = Path(tempfile.mkdtemp(dir=bench.place.top))  # in one that was used already, their sessions would go on
    argv = [sys.executable, "-m", "tests.bench.crowd", bench.service.url, str(CROWD), str(per_s), str(home)]
    environment = bench.place.environment()
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, timeout=CROWD_PATIENCE_S, env=environment)
    if done.returncode:
        raise CannotMeasure(f"it left with code {done.returncode}: {done.stderr.decode()[-200:].strip()}")
    return msgspec.json.decode(done.stdout, type=Crowd)
