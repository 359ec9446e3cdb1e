"""`trouper top`: the live tree of actors of every running session; `--json` or no terminal: printed once."""

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import psutil

from actors.messages.system import Tree
from actors.settings import config
from supervisor import tree_client
from ui.cli.arguments import Parser
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import one_line
from ui.headless.one_answer import printed
from ui.headless.stdout import STDOUT, say
from ui.start.launch_state import Launch

if TYPE_CHECKING:
    from rich.table import Table

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
    if not os.isatty(STDOUT):
        return printed(_once(trees, meter))
    _watch(home, meter)
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


def _once(trees: Sequence[Tree], meter: Meter) -> str:
    from rich.console import Console

    console = Console()
    with console.capture() as shown:
        console.print(*(_table(tree, meter) for tree in trees))
    return shown.get()


def _watch(home: Path, meter: Meter) -> None:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    try:
        with Live(console=Console(), auto_refresh=False) as live:
            while trees := list(tree_client.running(home)):
                live.update(Group(*(_table(tree, meter) for tree in trees)), refresh=True)
                time.sleep(EVERY_S)
            live.update(Text("no session is running any more"), refresh=True)
    except KeyboardInterrupt:
        return


def _table(tree: Tree, meter: Meter) -> "Table":
    from rich.table import Table
    from rich.text import Text

    age = time.strftime("%H:%M:%S", time.gmtime(time.time() - tree.started_at))
    title = one_line(f"session {tree.session_id[:8]}  {tree.cwd}  supervisor {tree.pid}  up {age}")
    table = Table(title=Text(title), title_justify="left", expand=False)
    for heading in ("actor", "pid", "state", "CPU %", "MB", "messages", "queue", "restarts", "last error"):
        table.add_column(heading, justify="left" if heading in {"actor", "state", "last error"} else "right")
    for actor in tree.actors:
        cpu, memory = meter.look(actor.pid)
        cells = (actor.name, actor.pid, actor.state, f"{cpu:.1f}", f"{memory:.1f}", actor.messages, actor.queue)
        table.add_row(*(Text(one_line(str(cell))) for cell in (*cells, actor.restarts, actor.last_error)))
    return table
