"""Rows of the interactive session: the first frame, typed text, Enter, doing nothing, a long answer."""

import time

from tests.bench import processes
from tests.bench.agents.agent import Agent
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import LAST_WORD, Plan
from tests.bench.side_by_side import Line, Sample, side_by_side
from tests.bench.terminal import QUIET_S, Terminal
from ui.screen.terminal.renderer import SYNC_ON

IDLE_S = 10.0
LONG_ANSWER = 80_000
"""Characters: about 20,000 tokens."""
TYPED = "zxq"
PRESSES = 5
"""In one session."""
PAINTED = Line("exec to first painted prompt", "ms", 30)
SHOWN = Line("exec to typed text shown", "ms", 120)
TAKEN_OVER = Line("exec to the first frame of the screen itself", "ms", 200)
ENTER = Line("Enter to model request", "ms", 15)
MEMORY = Line("idle, all processes, PSS", "MB", 60)
LOAD = Line(f"idle for {IDLE_S:g} s, CPU", "%", 0.0)
OWN_CPU = Line("20,000 tokens of markdown: CPU of the screen", "s", 0.3)
ALL_CPU = Line("20,000 tokens of markdown: CPU of all processes", "s")
ON_SCREEN = Line("20,000 tokens of markdown: on screen", "s", 0.3)


def paint(bench: Bench, runs: int) -> list[Figure]:
    def sample(agent: Agent) -> Sample:
        with bench.screen(agent) as terminal:
            painted = terminal.wait_for(terminal.prompt)
            shown = type_and_see(terminal)
            at = {PAINTED: painted, SHOWN: shown}
            if agent is bench.trouper:
                at[TAKEN_OVER] = terminal.wait_for(SYNC_ON)
            return {line: [(moment - terminal.began) * 1000] for line, moment in at.items()}

    return side_by_side(bench, runs, (PAINTED, SHOWN, TAKEN_OVER), sample)


def type_and_see(terminal: Terminal) -> float:
    """When it is shown; it is typed when there is a prompt."""
    terminal.wait_for(terminal.prompt)
    terminal.type(TYPED)
    return terminal.wait(lambda: any(TYPED in row for row in terminal.rows), "what was typed")


def enter(bench: Bench, runs: int) -> list[Figure]:
    def sample(agent: Agent) -> Sample:
        took = []
        with bench.screen(agent) as terminal:
            terminal.settle()
            for _ in range(PRESSES):
                bench.service.forget()
                pressed = terminal.submit(Plan().prompt)
                took.append((bench.service.wait_for_request() - pressed) * 1000)
                terminal.quiet()
        return {ENTER: took}

    return side_by_side(bench, runs, (ENTER,), sample)


def idle(bench: Bench, runs: int) -> list[Figure]:
    def sample(agent: Agent) -> Sample:
        with bench.screen(agent) as terminal:
            terminal.settle()
            terminal.quiet()
            before, began = processes.cpu(processes.tree(terminal.pid)), time.monotonic()
            time.sleep(IDLE_S)
            spent = processes.cpu_s(before, processes.cpu(processes.tree(terminal.pid)))
            load = spent / (time.monotonic() - began) * 100
            return {MEMORY: [processes.pss_mb(processes.tree(terminal.pid))], LOAD: [load]}

    return side_by_side(bench, runs, (MEMORY, LOAD), sample)


def markdown(bench: Bench, runs: int) -> list[Figure]:
    def sample(agent: Agent) -> Sample:
        with bench.screen(agent) as terminal:
            terminal.settle()
            terminal.type(Plan(markdown=LONG_ANSWER).prompt)
            terminal.settle()  # nobody presses Enter at once
            screen = [processes.named(terminal.pid, "ui")] if agent is bench.trouper else []
            whole = processes.tree(terminal.pid)
            before, before_whole = processes.cpu(screen), processes.cpu(whole)
            terminal.type("\r")
            drawn = terminal.wait_for(LAST_WORD)
            while terminal.read(2 * QUIET_S):  # the last frame
                pass
            answering = bench.service.wait(lambda seen: seen.what == "answering")[0].at
            return {
                OWN_CPU: [processes.cpu_s(before, processes.cpu(screen))] if screen else [],
                ALL_CPU: [processes.cpu_s(before_whole, processes.cpu(whole))],
                ON_SCREEN: [drawn - answering],
            }

    return side_by_side(bench, runs, (OWN_CPU, ALL_CPU, ON_SCREEN), sample)
