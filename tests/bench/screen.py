"""Rows of the interactive session: the first frame, a key, Enter, doing nothing, a long answer."""

import time

from tests.bench import processes
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import LAST_WORD, Plan
from tests.bench.terminal import PROMPT, QUIET_S
from ui.screen.terminal.renderer import SYNC_ON

IDLE_S = 10.0
LONG_ANSWER = 80_000
"""Characters: about 20,000 tokens."""


def paint(bench: Bench, runs: int) -> list[Figure]:
    painted, shown, taken_over = [], [], []
    for _ in range(runs):
        with bench.screen() as terminal:
            painted.append((terminal.wait_for(PROMPT) - terminal.began) * 1000)
            terminal.type("x")
            drawn = terminal.wait(lambda: any(row.startswith(f"{PROMPT} x") for row in terminal.rows), "a key")
            shown.append((drawn - terminal.began) * 1000)
            taken_over.append((terminal.wait_for(SYNC_ON) - terminal.began) * 1000)
    return [
        Figure(what="exec to first painted prompt", unit="ms", values=painted, target=30),
        Figure(what="exec to typed text shown", unit="ms", values=shown, target=120),
        Figure(what="exec to the first frame of the screen itself", unit="ms", values=taken_over, target=200),
    ]


def enter(bench: Bench, runs: int) -> list[Figure]:
    values = []
    with bench.screen() as terminal:
        terminal.settle()
        for _ in range(runs):
            bench.service.forget()
            pressed = terminal.submit(Plan().prompt)
            values.append((bench.service.wait_for_request() - pressed) * 1000)
            terminal.quiet()
    return [Figure(what="Enter to model request", unit="ms", values=values, target=15)]


def idle(bench: Bench, runs: int) -> list[Figure]:
    memory, load = [], []
    for _ in range(runs):
        with bench.screen() as terminal:
            terminal.settle()
            terminal.quiet()
            before, began = processes.cpu(processes.tree(terminal.pid)), time.monotonic()
            time.sleep(IDLE_S)
            spent = processes.cpu_s(before, processes.cpu(processes.tree(terminal.pid)))
            load.append(spent / (time.monotonic() - began) * 100)
            memory.append(processes.pss_mb(processes.tree(terminal.pid)))
    return [
        Figure(what="idle, all processes, PSS", unit="MB", values=memory, target=60),
        Figure(what=f"idle for {IDLE_S:g} s, CPU", unit="%", values=load, target=0.0),
    ]


def markdown(bench: Bench, runs: int) -> list[Figure]:
    load, walls = [], []
    for _ in range(runs):
        with bench.screen() as terminal:
            terminal.type(Plan(markdown=LONG_ANSWER).prompt)
            terminal.settle()  # nobody presses Enter at once, and no model answers so
            ui = processes.named(terminal.pid, "ui")
            before = processes.cpu([ui])
            terminal.type("\r")
            drawn = terminal.wait_for(LAST_WORD)
            while terminal.read(2 * QUIET_S):  # the last frame
                pass
            load.append(processes.cpu_s(before, processes.cpu([ui])))
            walls.append(drawn - bench.service.wait(lambda seen: seen.what == "answering")[0].at)
    return [
        Figure(what="20,000 tokens of markdown: CPU of the screen", unit="s", values=load, target=0.3),
        Figure(what="20,000 tokens of markdown: on screen", unit="s", values=walls, target=0.3),
    ]
