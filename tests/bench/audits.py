"""Rows of audits: how near the time of their requests they come, and what a larger repository costs in memory."""

import time
from dataclasses import replace
from pathlib import Path

from tests.bench import processes
from tests.bench.agents.agent import Agent
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.system.audit.service import Question, serving

WORKERS, CHUNKS = 8, 160
ANSWER_S = 1.0
IDEAL_S = CHUNKS / WORKERS * ANSWER_S
SMALL, LARGE = 100, 2000
"""Files."""
LINE = "value = run_it(argument)  # what it does\n"
CONTEXT = 12_000
"""Tokens of the model; a chunk has about half of them."""


def asked(bench: Bench, runs: int) -> list[Figure]:
    """Each file is a chunk."""
    walls, peaks = [], []
    for run in range(runs):
        folder = _made(bench, f"asked-{run}", CHUNKS, 11_000)
        with serving(_after_a_second) as service:
            service.configure(_home(bench))
            began = time.monotonic()
            bench.finish(bench.start(*_audit(folder), agent=_agent(bench)))
            walls.append((time.monotonic() - began) / IDEAL_S)
            peaks.append(service.most_at_once)
    what = f"{CHUNKS} chunks, {WORKERS} at once, {ANSWER_S:g} s each"
    return [
        Figure(what=f"{what}, wall of the ideal {IDEAL_S:g} s", unit="x", values=walls, target=1.2),
        Figure(what=f"{what}, most at once", unit="", values=peaks),
    ]


def memory(bench: Bench, runs: int) -> list[Figure]:
    values: dict[int, list[float]] = {SMALL: [], LARGE: []}
    for run in range(runs):
        for files, found in values.items():
            folder = _made(bench, f"memory-{files}-{run}", files, 4_000)
            with serving(lambda _: '{"findings": []}') as service:
                service.configure(_home(bench), context=64_000)
                process = bench.start(*_audit(folder), agent=_agent(bench))
                found.append(processes.peak_pss_mb(process, every_s=0.1))
                bench.finish(process)
    grown = [large - small for small, large in zip(values[SMALL], values[LARGE], strict=True)]
    small, large = f"{SMALL} files", f"{LARGE} files, {LARGE * 4_000 / 1e6:g} MB"
    return [
        Figure(what=f"{small}, peak PSS of all processes", unit="MB", values=values[SMALL]),
        Figure(what=f"{large}, so much more", unit="MB", values=grown, target=20),
    ]


def _after_a_second(_: Question) -> str:
    time.sleep(ANSWER_S)
    return '{"findings": []}'


def _audit(folder: Path) -> tuple[str, ...]:
    return ("audit", "--cwd", str(folder), "--workers", str(WORKERS), "--max-chunks", "1000", "--yes")


def _home(bench: Bench) -> Path:
    """Of its own: the model is another one."""
    home = bench.place.top / "audits"
    home.mkdir(exist_ok=True)
    return home


def _agent(bench: Bench) -> Agent:
    own = {"TROUPER_HOME": str(_home(bench))}
    return replace(bench.trouper, environment={**bench.trouper.environment, **own})


def _made(bench: Bench, name: str, files: int, size: int) -> Path:
    """A repository; size: bytes of each file."""
    folder = bench.place.top / name
    folder.mkdir()
    for number in range(files):
        (folder / f"file_{number:04}.py").write_text(f"# {number}\n{LINE * (size // len(LINE))}")
    return folder
