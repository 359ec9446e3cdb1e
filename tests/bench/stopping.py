"""Rows of stopping: how long a running command lives on after Esc, and how long a stuck tool keeps the user waiting."""

import time

from tests.bench import processes
from tests.bench.agents.agent import Agent
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure
from tests.bench.plan import Call, Plan
from tests.bench.side_by_side import Line, Sample, side_by_side
from tests.bench.terminal import Terminal

SLEEP = ("sleep", "300")
PLAIN = Plan(calls=(Call("bash", {"command": "sleep 300"}),), rounds=1)
DAEMON = Plan(calls=(Call("bash", {"command": "(setsid sleep 300 &); sleep 300"}),), rounds=1)
STUCK_S = 0.4
"""After the model's answer began: the call has reached the worker, which hangs."""
HANGS = "tools:hang@message:2"
"""The first message asks for its tools, the second is the call."""
ESC_PATIENCE_S = 5.0
PRESSES = 6
"""In one session."""
ESC = Line("Esc to command dead", "ms", 15)
ESC_P99 = Line("Esc to command dead", "ms", 30, "p99")


def esc(bench: Bench, runs: int) -> list[Figure]:
    def sample(agent: Agent) -> Sample:
        plan = Plan(calls=(agent.tools.bash("sleep 300"),), rounds=1)
        with bench.screen(agent) as terminal:
            terminal.settle()
            took = [_one_esc_ms(terminal, agent, plan, 1) for _ in range(PRESSES)]
        return {ESC: took, ESC_P99: took}

    return side_by_side(bench, runs, (ESC, ESC_P99), sample)


def stop(bench: Bench, runs: int) -> list[Figure]:
    daemon = _esc_ms(bench, DAEMON, 2, runs)
    signalled = [_sigint_ms(bench) for _ in range(max(runs // 3, 1))]
    stuck = [_stuck_ms(bench) for _ in range(max(runs // 6, 1))]
    return [
        Figure(what="Esc to command and its setsid child dead", unit="ms", values=daemon, target=15),
        Figure(what="Esc to command and its setsid child dead", unit="ms", values=daemon, target=30, pick="p99"),
        Figure(what="headless: SIGINT to both dead", unit="ms", values=signalled, target=15),
        Figure(what="headless: SIGINT to both dead", unit="ms", values=signalled, target=30, pick="p99"),
        Figure(what="Esc to interrupted, tool worker stuck", unit="ms", values=stuck, target=250),
    ]


def _esc_ms(bench: Bench, plan: Plan, commands: int, runs: int) -> list[float]:
    with bench.screen() as terminal:
        terminal.settle()
        return [_one_esc_ms(terminal, bench.trouper, plan, commands) for _ in range(runs)]


def _one_esc_ms(terminal: Terminal, agent: Agent, plan: Plan, commands: int) -> float:
    drawn = len(terminal.raw)
    terminal.submit(plan.prompt)
    dying = processes.Deaths(processes.wait_for_commands(terminal.pid, SLEEP, commands))
    pressed = terminal.type("\x1b")
    took = (dying.wait(ESC_PATIENCE_S) - pressed) * 1000
    terminal.wait_for(agent.interrupted, since=drawn)
    terminal.quiet()
    return took


def _sigint_ms(bench: Bench) -> float:
    process = bench.start_headless(bench.trouper, DAEMON)
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
        return (terminal.wait_for(bench.trouper.interrupted, since=drawn) - pressed) * 1000
