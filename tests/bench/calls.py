"""Rows of single tool calls: what gate and sandbox add to one, and whether those of one answer run side by side."""

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate

import msgspec

from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure, pick
from tests.bench.place import FILE, command
from tests.bench.plan import Call, Plan

MANY = 17
SIDE_BY_SIDE = 8
TRUE = Call("bash", {"command": "true"})
READ = Call("read", {"path": FILE})
SEARCH = Call("grep", {"pattern": "nothing-like-#-is-in-there", "path": "generated"})
TARGETS_MS = {"namespaces": 60.0, "bubblewrap": 25.0}
FILES, LINES = 400, 2000


def sandboxed(bench: Bench, runs: int) -> list[Figure]:
    """Of one call among many of one answer that run one after the other: no model and no start is in it."""
    figures = []
    plain = _plain_ms(runs)
    for level, target in TARGETS_MS.items():
        with _level(bench, level):
            costs = [_each_ms(bench, TRUE) - pick(plain, "median") for _ in range(runs)]
            figures.append(Figure(what=f"bash true, {level}, over plain", unit="ms", values=costs, target=target))
            reads = [_each_ms(bench, READ) for _ in range(runs)]
            figures.append(Figure(what=f"read of a small file, {level}", unit="ms", values=reads, target=3))
    return [Figure(what="for scale: plain bash -c true", unit="ms", values=plain), *figures]


def parallel(bench: Bench, runs: int) -> list[Figure]:
    """One after the other: what one adds to an answer, so many times."""
    _generate(bench)
    together = [_answer_s(bench, SEARCH, SIDE_BY_SIDE) * 1000 for _ in range(runs)]
    single = [_answer_s(bench, SEARCH, 1) * 1000 for _ in range(runs)]
    answer = pick([_answer_s(bench, READ, 1) * 1000 for _ in range(runs)], "median")
    apart = [SIDE_BY_SIDE * (one - answer) + answer for one in single]
    ratio = pick(apart, "median") / pick(together, "median")
    return [
        Figure(what="8 greps of one answer", unit="ms", values=together),
        Figure(what="8 greps, one after the other", unit="ms", values=apart),
        Figure(what="times as fast", unit="x", values=[ratio]),
        Figure(what="most under way at once", unit="calls", values=[_most_at_once(bench)], target=SIDE_BY_SIDE),
    ]


def _most_at_once(bench: Bench) -> int:
    """By the run's own record of how long each took, and when it was over."""
    bench.headless(Plan(calls=(SEARCH,), rounds=1, at_once=SIDE_BY_SIDE))
    (latest, *_) = msgspec.json.decode(_said(bench, "sessions", "list", "--json"))
    entries = map(msgspec.json.decode, _said(bench, "sessions", "export", latest["session_id"]).splitlines())
    results = [entry for entry in entries if entry["body"]["type"] == "ToolResult"]
    began = [(entry["at"] - entry["body"]["ms"] / 1000, 1) for entry in results]
    over = [(entry["at"], -1) for entry in results]
    return max(accumulate(change for _at, change in sorted(began + over)))


def _said(bench: Bench, *arguments: str) -> bytes:
    place = bench.place
    return subprocess.check_output(command(*arguments), cwd=place.workspace, env=place.environment())


def _plain_ms(runs: int) -> list[float]:
    return [_ms(lambda: subprocess.run([shutil.which("bash") or "sh", "-c", "true"], check=True)) for _ in range(runs)]


def _ms(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return (time.perf_counter() - began) * 1000


@contextmanager
def _level(bench: Bench, level: str) -> Iterator[None]:
    """Raises CannotMeasure where there is no such level."""
    if level == "bubblewrap" and shutil.which("bwrap") is None:
        raise CannotMeasure("bwrap is not installed")
    config = bench.place.home / ".trouper" / "config.toml"
    usual = config.read_text()
    config.write_text(f'sandbox = "{level}"\n{usual}')
    try:
        yield
    finally:
        config.write_text(usual)


def _each_ms(bench: Bench, call: Call) -> float:
    return (_answer_s(bench, call, MANY) - _answer_s(bench, call, 1)) / (MANY - 1) * 1000


def _answer_s(bench: Bench, call: Call, at_once: int) -> float:
    """From an answer with so many calls to the request with their results."""
    bench.headless(Plan(calls=(call,), rounds=1, at_once=at_once))
    answered = bench.service.wait(lambda seen: seen.what == "answering" and seen.round == 0)[0].at
    return bench.service.wait_for_request(1) - answered


def _generate(bench: Bench) -> None:
    folder = bench.place.workspace / "generated"
    folder.mkdir(exist_ok=True)
    text = "".join(f"{number} some line of text to be looked at\n" for number in range(LINES))
    for number in range(FILES):
        (folder / f"{number}.txt").write_text(text)
