"""Rows of a headless run: how long it takes to the first request, what a tool call costs, how much memory it needs."""

import subprocess
import sys
import time

from tests.bench import processes
from tests.bench.agents.agent import Agent
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import Call, Plan
from tests.bench.side_by_side import Line, Sample, side_by_side

ROUNDS = 29  # one call again and again ends a turn after 30
HELD_S = 0.5
FLOOR = Line("for scale: Python importing trio, msgspec, httpcore", "s")
ASKED = Line("exec to first model request", "s", 0.22)
ENDED = Line("one text turn, whole process", "s", 0.26)
EACH = {name: Line(f"a round with {name}", "ms") for name in ("read", "write", "bash")}
MEAN = Line("mean of the three", "ms", 10)
PEAK = Line("peak of all processes, PSS", "MB", 80)
AT_ONCE = 8
WALL = Line(f"{AT_ONCE} programs, wall", "s")
ALL_PEAK = Line(f"{AT_ONCE} programs, peak PSS", "MB")
SAMPLE_S = 0.03


def start(bench: Bench, runs: int) -> list[Figure]:
    bench.headless(Plan())  # the first one ever compiles our modules

    def sample(agent: Agent) -> Sample:
        ran = bench.run(agent, Plan())
        floor = [_import_floor_s()] if agent is bench.trouper else []
        return {FLOOR: floor, ASKED: [ran.asked_s], ENDED: [ran.ended_s]}

    return side_by_side(bench, runs, (FLOOR, ASKED, ENDED), sample)


def _import_floor_s() -> float:
    """One interpreter that imports what a session needs and nothing else: what no program here can go below."""
    began = time.monotonic()
    without_asyncio = "import sys; sys.modules['anyio'] = None"
    process = subprocess.Popen([sys.executable, "-I", "-c", f"{without_asyncio}; import trio, msgspec, httpcore"])
    ended = processes.Deaths([process.pid]).wait()
    process.wait()
    return ended - began


def tools(bench: Bench, runs: int) -> list[Figure]:
    def sample(agent: Agent) -> Sample:
        costs = {name: _cost_ms(bench, agent, call) for name, call in agent.tools.each().items()}
        mean = sum(costs.values()) / len(costs)
        return {**{EACH[name]: [cost] for name, cost in costs.items()}, MEAN: [mean]}

    return side_by_side(bench, runs, (*EACH.values(), MEAN), sample)


def _cost_ms(bench: Bench, agent: Agent, call: Call) -> float:
    """From an answer with a call to the request with its result; the first one, which starts workers, left out."""
    bench.place.tidy()
    bench.run(agent, Plan(calls=(call,), rounds=ROUNDS))
    answered = bench.service.wait(lambda seen: seen.what == "answering", ROUNDS)
    rounds = range(1, ROUNDS)
    return sum(bench.service.wait_for_request(at + 1) - answered[at].at for at in rounds) / len(rounds) * 1000


def memory(bench: Bench, runs: int) -> list[Figure]:
    def sample(agent: Agent) -> Sample:
        plan = Plan(calls=(agent.tools.bash(f"sleep {HELD_S}"),), rounds=1, hold_s=HELD_S)
        process = bench.start_headless(agent, plan)
        peak = processes.peak_pss_mb(process)
        bench.finish(process)
        return {PEAK: [peak]}

    return side_by_side(bench, runs, (PEAK,), sample)


def eight(bench: Bench, runs: int) -> list[Figure]:
    def started(agent: Agent) -> list["subprocess.Popen[bytes]"]:
        task = Plan(calls=(agent.tools.bash("true"), agent.tools.each()["read"]), rounds=2)
        return [bench.start_headless(agent, task) for _ in range(AT_ONCE)]

    def sample(agent: Agent) -> Sample:
        began = time.monotonic()
        ended = [bench.end_of(process) for process in started(agent)]
        again = started(agent)  # looking at memory slows them down
        peak = processes.peak_pss_mb(*again, every_s=SAMPLE_S)
        for process in again:
            bench.finish(process)
        return {WALL: [max(ended) - began], ALL_PEAK: [peak]}

    return side_by_side(bench, runs, (WALL, ALL_PEAK), sample)
