"""The row of Esc: how long a running command lives on, and how long a stuck tool keeps the user waiting."""

import time

from tests.bench import processes
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure
from tests.bench.plan import Call, Plan
from tests.bench.terminal import Terminal

SLEEP = ("sleep", "300")
PLAIN = Plan(calls=(Call("bash", {"command": "sleep 300"}),), rounds=1)
DAEMON = Plan(calls=(Call("bash", {"command": "(setsid sleep 300 &); sleep 300"}),), rounds=1)
STUCK_S = 0.4
"""After the model's answer began: the call has reached the worker, which hangs."""
HANGS = "tools:hang@message:2"
"""The first message asks for its tools, the second is the call."""
STOPPED = "interrupted"


def esc(bench: Bench, runs: int) -> list[Figure]:
    plain, daemon = _esc_ms(bench, PLAIN, 1, runs), _esc_ms(bench, DAEMON, 2, runs)
    signalled = [_sigint_ms(bench) for _ in range(max(runs // 3, 1))]
    stuck = [_stuck_ms(bench) for _ in range(max(runs // 6, 1))]
    return [
        Figure(what="Esc to command dead", unit="ms", values=plain, target=15),
        Figure(what="Esc to command dead", unit="ms", values=plain, target=30, pick="p99"),
        Figure(what="Esc to command and its setsid child dead", unit="ms", values=daemon, target=15),
        Figure(what="Esc to command and its setsid child dead", unit="ms", values=daemon, target=30, pick="p99"),
        Figure(what="headless: SIGINT to both dead", unit="ms", values=signalled, target=15),
        Figure(what="headless: SIGINT to both dead", unit="ms", values=signalled, target=30, pick="p99"),
        Figure(what="Esc to interrupted, tool worker stuck", unit="ms", values=stuck, target=250),
    ]


def _esc_ms(bench: Bench, plan: Plan, commands: int, runs: int) -> list[float]:
    with bench.screen() as terminal:
        terminal.settle()
        return [_one_esc_ms(terminal, plan, commands) for _ in range(runs)]


def _one_esc_ms(terminal: Terminal, plan: Plan, commands: int) -> float:
    drawn = len(terminal.raw)
    terminal.submit(plan.prompt)
    dying = processes.Deaths(processes.wait_for_commands(terminal.pid, SLEEP, commands))
    pressed = terminal.type("\x1b")
    took = (dying.wait() - pressed) * 1000
    terminal.wait_for(STOPPED, since=drawn)
    terminal.quiet()
    return took


def _sigint_ms(bench: Bench) -> float:
    process = bench.start_headless(DAEMON)
    dying = processes.Deaths(processes.wait_for_commands(process.pid, SLEEP, 2))
    began = time.monotonic()
    process.send_signal(2)
    took = (dying.wait() - began) * 1000
    process.wait()
    return took


def _stuck_ms(bench: Bench) -> float:
    with bench.screen(TROUPER_CHAOS=HANGS) as terminal:
        terminal.settle()
        terminal.submit(PLAIN.prompt)
        bench.service.wait(lambda seen: seen.what == "answering")
        time.sleep(STUCK_S)
        if processes.commands(terminal.pid, SLEEP):
            raise CannotMeasure(f"the worker is not stuck: the call is not its message {HANGS[-1]} any more")
        drawn = len(terminal.raw)
        pressed = terminal.type("\x1b")
        return (terminal.wait_for(STOPPED, since=drawn) - pressed) * 1000
