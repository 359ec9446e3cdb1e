"""`trouper top`: the live tree of actors of every running session; `--json` or no terminal: printed once."""

import argparse
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import psutil
import trio

from actors.messages.system import Tree
from actors.settings import config
from supervisor import tree_client
from ui.batch.live.display import Display
from ui.cli.actor_table import Seen, fitting, rows
from ui.cli.arguments import Parser
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED
from ui.headless.one_answer import printed
from ui.headless.stdout import STDOUT, say
from ui.screen.terminal.theme import Theme
from ui.start.launch_state import Launch

EVERY_S = 1.0
MEGABYTE = 1024 * 1024
EXAMPLES = """
examples:
  trouper top          live, Ctrl-C ends it; in a pipe or file once
  trouper top --json   once, for scripts
"""


class Meter:
    """CPU and memory of processes, by pid; CPU needs two looks."""

    def __init__(self) -> None:
        self._known: dict[int, psutil.Process] = {}

    def look(self, pid: int) -> tuple[float, float]:
        """CPU in percent of one core since the last look, and unshared memory in MB, of it and what it started.

        pid: 0 for an actor that has no process now.
        """
        if pid == 0:
            return 0.0, 0.0
        try:
            below = [child.pid for child in psutil.Process(pid).children(recursive=True)]
        except psutil.NoSuchProcess:
            return 0.0, 0.0
        looks = [self._look_at(one) for one in (pid, *below)]
        return sum(cpu for cpu, _ in looks), sum(memory for _, memory in looks)

    def _look_at(self, pid: int) -> tuple[float, float]:
        try:
            process = self._known.setdefault(pid, psutil.Process(pid))
            return process.cpu_percent(), process.memory_full_info().uss / MEGABYTE
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            self._known.pop(pid, None)
            return 0.0, 0.0


def main(arguments: Sequence[str], _launch: Launch) -> int:
    """Returns the exit code."""
    options = parser().parse_args(arguments)
    home = config.home_folder(os.environ)
    meter = Meter()
    trees = list(tree_client.running(home))
    if options.json:
        return printed(json_text.pretty([_facts(tree, meter) for tree in trees]))
    if not trees:
        say(f"trouper: no session is running (looked in {home / 'run'}). Start one: trouper")
        return FAILED
    watch, display = Watch(home, meter, trees), Display(os.environ, STDOUT)
    if not display.is_drawn:
        return printed(watch.whole())
    if not trio.run(watch.run, display):
        return printed(watch.whole())  # it stays
    say("no session is running any more")
    return DONE


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper top",
        description="The actors of every running session: CPU, memory, messages, restarts.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--json", action="store_true", help="print once and leave")
    return made


def _facts(tree: Tree, meter: Meter) -> dict[str, object]:
    actors = []
    for actor in tree.actors:
        cpu, memory = meter.look(actor.pid)
        actors.append({**msgspec.to_builtins(actor), "cpu_percent": cpu, "memory_mb": round(memory, 1)})
    return {**msgspec.to_builtins(tree), "actors": actors}


class Watch:
    """All of them, looked at every second; drawn as often as the terminal needs it."""

    def __init__(self, home: Path, meter: Meter, trees: Sequence[Tree]) -> None:
        self._home = home
        self._meter = meter
        self._seen = self._looked_at(trees)

    async def run(self, display: Display) -> bool:
        """Until no session runs any more; False: until Ctrl-C."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(display.run, self._rows)
            nursery.start_soon(_cancel_by_ctrl_c, nursery.cancel_scope)
            while trees := list(tree_client.running(self._home)):
                self._seen = self._looked_at(trees)
                await trio.sleep(EVERY_S)
            nursery.cancel_scope.cancel()
        return not trees

    def whole(self) -> str:
        """As it was seen last, for a pipe or to stay: without styles, and nothing cut."""
        tables = [rows(*seen, time.time()) for seen in self._seen]
        return "\n".join("".join(f"{text}\n" for _, text in table) for table in tables)

    def _rows(self, size: tuple[int, int], worn: Theme) -> list[str]:
        return fitting([rows(*seen, time.time()) for seen in self._seen], *size, worn)

    def _looked_at(self, trees: Sequence[Tree]) -> list[tuple[Tree, list[Seen]]]:
        return [(tree, [Seen(actor, *self._meter.look(actor.pid)) for actor in tree.actors]) for tree in trees]


async def _cancel_by_ctrl_c(scope: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGINT) as signals:
        async for _ in signals:
            scope.cancel()
