"""Measure the rows of the performance table and print each figure beside its target; all of it as JSON too."""

import argparse
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec

from tests.bench import busy, figures, machine
from tests.bench.agents.installed import HOW_TO_GET_THEM
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure
from tests.bench.measured import Measured, summary
from tests.bench.rows import ALL, BY_NAME, Row

RESULTS = Path(__file__).parent / "results"
BUSY = 2
"""Processes."""


def main() -> None:
    options = _options()
    here = machine.here()
    print(f"{here}; load {machine.load():.2f}")
    chosen = [BY_NAME[name] for name in options.rows] or ALL
    with closing(Bench()) as bench:
        if any(row.compared for row in chosen):
            print(_company(bench))
        measured = [found for row in chosen for found in _passes(bench, row, options.runs or row.runs)]
    print("", *summary(measured), sep="\n")
    at = time.strftime("%Y-%m-%dT%H-%M-%S")
    file = options.json or RESULTS / f"{at}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = {"at": at, "machine": here.record(), "rows": [row.record() for row in measured]}
    file.write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=1))
    print(f"\nwritten to {file}")


def _passes(bench: Bench, row: Row, runs: int) -> Iterator[Measured]:
    """Beside other agents once more with others at work."""
    yield _measure(bench, row, runs, 0)
    if row.compared and bench.others:
        yield _measure(bench, row, runs, BUSY)


def _measure(bench: Bench, row: Row, runs: int, beside: int) -> Measured:
    """Prints it too."""
    load = machine.load()
    measured = Measured(row=row.name, busy=beside, load=load, noisy=not beside and machine.is_noisy(load))
    noise = f"  [noisy: load {load:.1f}]" if measured.noisy else ""
    company = f", {beside} busy processes beside it" if beside else ""
    print(f"\n{row.name}: {row.what}{company}{noise}", flush=True)
    try:
        with busy.beside(beside):
            found = row.measure(bench, runs)
    except (CannotMeasure, OSError, subprocess.SubprocessError) as error:
        print(f"  not measured: {error}", flush=True)
        return replace(measured, not_measured=str(error))
    for figure in found:
        print(figures.line(figure), flush=True)
    return replace(measured, figures=found)


def _company(bench: Bench) -> str:
    if names := [agent.name for agent in bench.others]:
        return f"beside {', '.join(names)}, in turn"
    return f"no other agent is on the PATH or in the folder BENCH_PEERS; to get them: {HOW_TO_GET_THEM}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Speed and memory of the real program, targets beside figures."
    )
    names = ", ".join(f"{row.name} ({row.what})" for row in ALL)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"default: all of {names}".replace("%", "%%"))
    parser.add_argument("--runs", type=int, metavar="N", help="instead of each row's own number")
    parser.add_argument("--json", type=Path, metavar="FILE", help="default: a new file in tests/bench/results")
    options = parser.parse_args()
    if unknown := set(options.rows) - BY_NAME.keys():
        parser.error(f"no row is named {', '.join(sorted(unknown))}; there are {', '.join(BY_NAME)}")
    return options


if __name__ == "__main__":
    main()
