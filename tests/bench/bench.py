"""What every row is measured with: the model server, the place, and the program started in the ways people do."""

import os
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import msgspec

from tests.bench import processes
from tests.bench.agents import installed, trouper
from tests.bench.agents.agent import Agent
from tests.bench.figures import CannotMeasure
from tests.bench.place import Place
from tests.bench.plan import Plan
from tests.bench.service import Service
from tests.bench.terminal import Terminal

PATIENCE_S = 120.0


@dataclass(frozen=True)
class Ran:
    """One headless run; seconds since its exec."""

    asked_s: float
    ended_s: float


class Bench:
    def __init__(self) -> None:
        self.service = Service()
        self.place = Place(self.service.url)
        self.trouper = trouper.agent(self.place)
        self._complaints = self.place.top / "stderr.txt"
        self._started: list[subprocess.Popen[bytes]] = []

    def stop(self) -> None:
        """Whatever was started and has not ended, as it has to when a measurement failed."""
        for process in self._started:
            if process.poll() is None:
                processes.end(process)
        self._started.clear()

    def close(self) -> None:
        self.stop()
        self.service.close()
        self.place.remove()

    @cached_property
    def others(self) -> list[Agent]:
        """Those that are installed, each after a first run, in which programs make what they keep."""
        return [agent for agent in installed.others(self.place, os.environ) if self._works(agent)]

    def _works(self, agent: Agent) -> bool:
        try:
            self.run(agent, Plan())
        except CannotMeasure as error:
            print(f"without {agent.name}: {error}", flush=True)
            self.stop()
            return False
        return True

    def start(self, *arguments: str, agent: Agent | None = None) -> "subprocess.Popen[bytes]":
        """Trouper where no other is named, in the workspace; what it says on stderr is kept in case it fails."""
        self.service.forget()
        agent = agent or self.trouper
        with self._complaints.open("wb") as complaints:
            process = subprocess.Popen(
                [*agent.command, *arguments],
                cwd=self.place.workspace,
                env=agent.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
            )
        self._started.append(process)
        return process

    def finish(self, process: "subprocess.Popen[bytes]") -> None:
        """Raises CannotMeasure when it did not end well."""
        self.end_of(process)

    def end_of(self, process: "subprocess.Popen[bytes]") -> float:
        """On the monotonic clock; Popen.wait with a limit would look only every 50 ms. Raises CannotMeasure."""
        at = processes.Deaths([process.pid]).wait() if process.poll() is None else time.monotonic()
        if code := process.wait():
            raise CannotMeasure(self._failure(code))
        return at

    def _failure(self, code: int) -> str:
        said = self._complaints.read_text(errors="replace").strip().rpartition("\n")[2]
        return f"the program left with code {code}: {said}"

    def start_headless(self, agent: Agent, plan: Plan) -> "subprocess.Popen[bytes]":
        return self.start(*agent.headless, plan.prompt, agent=agent)

    def headless(self, plan: Plan) -> Ran:
        return self.run(self.trouper, plan)

    def run(self, agent: Agent, plan: Plan) -> Ran:
        """Headless, to its end."""
        began = time.monotonic()
        process = self.start_headless(agent, plan)
        ended = self.end_of(process)
        return Ran(self.service.wait_for_request() - began, ended - began)

    def start_batch(self, plans: Iterable[Plan]) -> "subprocess.Popen[bytes]":
        """As many workers as tasks."""
        tasks = [{"id": f"t{number}", "prompt": plan.prompt} for number, plan in enumerate(plans)]
        file, results = self.place.top / "tasks.jsonl", self.place.top / "results.jsonl"
        file.write_bytes(b"\n".join(map(msgspec.json.encode, tasks)))
        results.unlink(missing_ok=True)
        return self.start("batch", str(file), "--out", str(results), "--workers", str(len(tasks)), "--mode", "auto")

    @contextmanager
    def batch(self, plans: Iterable[Plan]) -> Iterator["subprocess.Popen[bytes]"]:
        """Killed in the end. Raises CannotMeasure when it ended before."""
        process = self.start_batch(plans)
        try:
            yield process
        finally:
            if (code := process.poll()) is not None:
                raise CannotMeasure(self._failure(code))
            processes.end(process)

    @contextmanager
    def screen(self, agent: Agent | None = None, **environment: str) -> Iterator[Terminal]:
        """An interactive session, of Trouper where no other is named, that runs all tools unasked."""
        self.service.forget()
        agent = agent or self.trouper
        argv = [*agent.command, *agent.screen]
        terminal = Terminal(argv, str(self.place.workspace), {**agent.environment, **environment}, agent.prompt)
        try:
            yield terminal
        finally:
            terminal.close()
