"""Rows of a screen at work: keys while an answer streams, what it costs to draw, and the way back after a kill."""

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench import processes
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import LAST_WORD, Plan
from tests.bench.terminal import Terminal

LONG_ANSWER = 80_000
"""Characters: about 20,000 tokens."""
STREAM_S = 20.0
"""So long the long answer streams where keys are typed."""
READ_PER_S = 200
"""Deltas of one token each, about what a fast model writes."""
WATCHED_S = 15.0
KEYS = 40
BETWEEN_KEYS_S = 0.25
FULL_REDRAW = re.compile(rb"\x1b\[[023]?J|\x1b\[\?1049h")


def typed_while_streaming(bench: Bench, runs: int) -> list[Figure]:
    took: list[float] = []
    redraws: list[float] = []
    memory: list[float] = []
    for _ in range(runs):
        with _streaming(bench, Plan(markdown=LONG_ANSWER, per_s=LONG_ANSWER / 4 / STREAM_S)) as terminal:
            took += _keys(terminal)
            terminal.wait_for(LAST_WORD)
            terminal.quiet()
            redraws.append(len(FULL_REDRAW.findall(terminal.raw)))
            memory.append(processes.pss_mb([processes.named(terminal.pid, "ui")]))
    return [
        Figure(what="key to echo while 20,000 tokens stream", unit="ms", values=took),
        Figure(what="key to echo while 20,000 tokens stream", unit="ms", values=took, target=5, pick="p99"),
        Figure(what="full redraws while they stream", unit="", values=redraws, target=0),
        Figure(what="PSS of the screen after them", unit="MB", values=memory, target=35),
    ]


def _keys(terminal: Terminal) -> list[float]:
    """Milliseconds from each to the frame that has it: the row that is typed into is written anew as a whole."""
    took = []
    for count in range(1, KEYS + 1):
        deadline = time.monotonic() + BETWEEN_KEYS_S
        while (left := deadline - time.monotonic()) > 0:
            terminal.read(left)
        since, pressed = len(terminal.raw), terminal.type("z")
        took.append((terminal.wait_for("z" * count, since=since) - pressed) * 1000)
    return took


def drawing(bench: Bench, runs: int) -> list[Figure]:
    """CPU of the screen's process alone, in per cent of one core."""
    writing, waiting, finished = [], [], []
    for _ in range(runs):
        tokens = int(READ_PER_S * (WATCHED_S + 5))
        with _streaming(bench, Plan(markdown=tokens * 4, per_s=READ_PER_S)) as terminal:
            writing.append(_cpu_percent(terminal))
            terminal.wait_for(LAST_WORD)
            terminal.quiet()
            finished.append(_cpu_percent(terminal))
        with _streaming(bench, Plan(hold_s=WATCHED_S + 10)) as terminal:
            waiting.append(_cpu_percent(terminal))
    return [
        Figure(what=f"an answer of {READ_PER_S} tokens/s: CPU of the screen", unit="%", values=writing, target=4),
        Figure(what="a spinner and nothing else: CPU of the screen", unit="%", values=waiting, target=1.5),
        Figure(what="a finished screen: CPU of the screen", unit="%", values=finished, target=0.0),
    ]


def killed(bench: Bench, runs: int) -> list[Figure]:
    """From SIGKILL to a key that was typed right after it and is shown, with the draft from before."""
    took = []
    for _ in range(runs):
        with bench.screen() as terminal:
            terminal.settle()
            terminal.type("draft")
            terminal.wait(lambda: "❯ draft" in terminal.rows, "the draft")
            terminal.read(1.0)
            at = time.monotonic()
            os.kill(processes.named(terminal.pid, "ui"), signal.SIGKILL)
            terminal.type("x")
            back = terminal.wait(lambda: any(row in {"❯ draftx", "❯ xdraft"} for row in terminal.rows), "the key")
            took.append((back - at) * 1000)
    return [Figure(what="screen killed to a key shown behind the draft", unit="ms", values=took, target=500)]


@contextmanager
def _streaming(bench: Bench, plan: Plan) -> Iterator[Terminal]:
    """The plan's prompt is sent, and the service has it."""
    with bench.screen() as terminal:
        terminal.settle()
        terminal.type(plan.prompt)
        terminal.settle()  # nobody presses Enter at once
        bench.service.forget()
        terminal.type("\r")
        bench.service.wait_for_request()
        yield terminal


def _cpu_percent(terminal: Terminal) -> float:
    screen = [processes.named(terminal.pid, "ui")]
    before, began = processes.cpu(screen), time.monotonic()
    while (left := began + WATCHED_S - time.monotonic()) > 0:
        terminal.read(left)
    return processes.cpu_s(before, processes.cpu(screen)) / (time.monotonic() - began) * 100
