"""Rows of the supervisor alone: an actor's start, and its way back after a kill or a stop."""

import subprocess
import sys

import msgspec

from tests import ROOT
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure

PATIENCE_S = 120.0


def spawn(bench: Bench, runs: int) -> list[Figure]:
    return [
        Figure(what="start until first answer, forked", unit="ms", values=_apart(bench, "fork", runs), target=5),
        Figure(what="start until first answer, fresh interpreter", unit="ms", values=_apart(bench, "exec", runs)),
    ]


def restart(bench: Bench, runs: int) -> list[Figure]:
    took = _apart(bench, "replace", runs)
    stopped = _apart(bench, "freeze", max(runs // 5, 1))
    return [
        Figure(what="killed to replaced and serving again", unit="ms", values=took),
        Figure(what="killed to replaced and serving again", unit="ms", values=took, target=50, pick="p95"),
        Figure(what="stopped (SIGSTOP) with work to replaced and serving", unit="ms", values=stopped, target=2000),
    ]


def _apart(bench: Bench, what: str, count: int) -> list[float]:
    argv = [sys.executable, "-m", "tests.bench.apart", what, str(count), str(bench.place.top / "apart")]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, timeout=PATIENCE_S, env=bench.place.environment())
    if done.returncode:
        raise CannotMeasure(f"it left with code {done.returncode}: {done.stderr.decode()[-200:].strip()}")
    return msgspec.json.decode(done.stdout, type=list[float])
