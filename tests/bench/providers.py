"""Rows of the providers actor: the first byte on the wire, the CPU of deltas, many streams at once."""

import subprocess
import sys
import time

import msgspec

from tests import ROOT
from tests.bench import processes
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure
from tests.bench.formats import PROVIDERS
from tests.bench.plan import Plan
from tests.bench.streams import Streamed

DELTAS = 1000
PER_S = 500
CALM_S = 0.4
SINGLE = Plan(deltas=DELTAS, per_s=PER_S, hold_s=2 * CALM_S, hold_end_s=2 * CALM_S)
AT_ONCE = Plan(deltas=DELTAS, hold_s=2 * CALM_S, hold_end_s=2 * CALM_S)
STREAMS = 64
PATIENCE_S = 60.0


def first_byte(bench: Bench, runs: int) -> list[Figure]:
    bench.headless(Plan())  # the first one ever compiles our modules
    return [
        Figure(
            what=f"exec to first byte at the service, {api}",
            unit="s",
            values=_first_byte_s(bench, it, runs),
            target=0.22,
        )
        for api, it in PROVIDERS.items()
    ]


def _first_byte_s(bench: Bench, provider: str, runs: int) -> list[float]:
    values = []
    for _ in range(runs):
        began = time.monotonic()
        process = bench.start("-p", Plan().prompt, "--model", f"{provider}/instant")
        bench.finish(process)
        values.append(bench.service.wait_for_request() - began)
    return values


def deltas(bench: Bench, runs: int) -> list[Figure]:
    """Deltas that come one by one cost a wake-up each; those that come in one piece only their parsing."""
    figures = []
    for api, name in PROVIDERS.items():
        single = [_cpu_ms(bench, name, SINGLE) for _ in range(runs)]
        figures.append(Figure(what=f"CPU of 1,000 deltas at {PER_S}/s, {api}", unit="ms", values=single))
        at_once = [_cpu_ms(bench, name, AT_ONCE)]
        figures.append(Figure(what=f"CPU of 1,000 deltas in one piece, {api}", unit="ms", values=at_once))
    return figures


def _cpu_ms(bench: Bench, provider: str, plan: Plan) -> float:
    """Of the providers process, from before the first byte of the answer until after its last delta."""
    process = bench.start("-p", plan.prompt, "--model", f"{provider}/instant")
    bench.service.wait(lambda seen: seen.what == "asked")
    time.sleep(CALM_S)
    pid = processes.named(process.pid, "providers")
    before = processes.cpu([pid])
    bench.service.wait(lambda seen: seen.what == "said")
    time.sleep(CALM_S)
    spent = processes.cpu_s(before, processes.cpu([pid])) * 1000
    bench.finish(process)
    return spent


def streams(bench: Bench, runs: int) -> list[Figure]:
    """64 askers in one process, so that what is measured is not 64 agents in want of a core."""
    measured = [_streamed(bench) for _ in range(runs)]
    delays = [delay for each in measured for delay in each.delays_ms]
    what = f"{STREAMS} streams at {Streamed.PER_S} deltas/s"
    return [
        Figure(what=f"{what}: CPU of providers", unit="%", values=[each.cpu_percent for each in measured]),
        Figure(what=f"{what}: PSS of providers", unit="MB", values=[each.pss_mb for each in measured]),
        Figure(what=f"{what}: delta sent to received", unit="ms", values=delays),
        Figure(what=f"{what}: delta sent to received", unit="ms", values=delays, pick="p99"),
        Figure(what=f"{what}: received, of those sent", unit="%", values=[each.received_percent for each in measured]),
    ]


def _streamed(bench: Bench) -> Streamed:
    bench.service.forget()
    home = bench.place.top / "streams"
    argv = [sys.executable, "-m", "tests.bench.streams", bench.service.url, str(STREAMS), str(home)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, timeout=PATIENCE_S, env=bench.place.environment())
    if done.returncode:
        raise CannotMeasure(f"it left with code {done.returncode}: {done.stderr.decode()[-200:].strip()}")
    return msgspec.json.decode(done.stdout, type=Streamed)
