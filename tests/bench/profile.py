"""Where Trouper's time and memory go: imports and memory of each process, envelopes and commits of a round.

Envelopes are those handed to an actor, as `trouper top` counts them; what the supervisor is told is not among them.
"""

import contextlib
import socket
import struct
import subprocess
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from supervisor import tree_client
from tests.bench import processes
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure
from tests.bench.plan import Plan
from tests.bench.screen import type_and_see
from tests.bench.terminal import Terminal

HELD_S = 3.0
MOST_EXPENSIVE = 10
FEW, MORE = 1, 11
"""Rounds; the difference is what one costs."""
CREDENTIALS = struct.Struct("3i")
WAL_HEADER, WAL_FRAME_HEADER = 32, 24
MARK = "import time:"

Imports = dict[int, list[tuple[str, float]]]
"""By process: each module and the milliseconds that it took by itself, in order."""


def profile(bench: Bench, _runs: int) -> list[Figure]:
    return [*imports(bench), *memory(bench), *rounds(bench)]


def imports(bench: Bench) -> list[Figure]:
    """With what measuring itself adds."""
    return [
        *_by_process("headless, until the first request", *_headless(bench)),
        *_by_process("screen, until typed text is shown", *_screen(bench)),
    ]


Seen = tuple[dict[int, str], Imports]
"""Names and imports by process."""


def _headless(bench: Bench) -> Seen:
    with _listening() as (complaints, found):
        bench.service.forget()
        process = subprocess.Popen(
            [*_telling(bench), *bench.trouper.headless, Plan(hold_s=HELD_S).prompt],
            cwd=bench.place.workspace,
            env=bench.trouper.environment,
            stdout=subprocess.DEVNULL,
            stderr=complaints.fileno(),
        )
        complaints.close()
        bench.service.wait_for_request()
        seen = _names(process.pid), _so_far(found)
        bench.finish(process)
    return seen


def _screen(bench: Bench) -> Seen:
    agent = bench.trouper
    argv = [*_telling(bench), *agent.screen]
    with _listening() as (complaints, found):
        terminal = Terminal(
            argv, str(bench.place.workspace), agent.environment, agent.prompt, errors=complaints.fileno()
        )
        complaints.close()
        try:
            type_and_see(terminal)
            return _names(terminal.pid), _so_far(found)
        finally:
            terminal.close()


def _telling(bench: Bench) -> list[str]:
    """What starts it so that each process says on stderr what it imports."""
    python, *rest = bench.trouper.command
    return [python, "-X", "importtime", *rest]


@contextlib.contextmanager
def _listening() -> Iterator[tuple[socket.socket, Imports]]:
    """A socket to be closed when a program has it as its stderr, and what comes there until all of it has ended."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    found: Imports = defaultdict(list)
    listening = threading.Thread(target=_listen, args=(ours, found), daemon=True)
    with ours, theirs:
        listening.start()
        yield theirs, found
        listening.join()


def _listen(end: socket.socket, found: Imports) -> None:
    """Until all have ended: a line for each import, and with it the kernel says whose."""
    while True:
        line, more, _, _ = end.recvmsg(65536, socket.CMSG_SPACE(CREDENTIALS.size))
        if not line:
            return
        pid = next((CREDENTIALS.unpack(data)[0] for _, kind, data in more if kind == socket.SCM_CREDENTIALS), 0)
        if module := read(line.decode(errors="replace")):
            found[pid].append(module)


def _so_far(found: Imports) -> Imports:
    """While more may come."""
    return {pid: [*found[pid]] for pid in [*found]}


def read(line: str) -> tuple[str, float] | None:
    """One of `-X importtime`: the module and its own milliseconds."""
    mark, _, rest = line.partition(MARK)
    own, _, named = rest.partition("|")
    if mark or not own.strip().isdecimal():
        return None  # its heading, or another complaint
    return named.partition("|")[2].strip(), int(own) / 1000


def _by_process(what: str, names: Mapping[int, str], found: Imports) -> Iterator[Figure]:
    for pid, modules in found.items():
        yield from _most_expensive(f"{what}: {names.get(pid, 'one that ended')}", modules)
    yield from _imported_again(what, found)


def _imported_again(what: str, found: Imports) -> Iterator[Figure]:
    """What a process imports although another has: forked later, it would have had it for nothing."""
    times = Counter(module for modules in found.values() for module, _ in modules)
    again = [(module, ms) for modules in found.values() for module, ms in modules if times[module] > 1]
    yield from _most_expensive(f"{what}: in several processes", again)


def _most_expensive(process: str, modules: list[tuple[str, float]]) -> Iterator[Figure]:
    whole = sum(ms for _, ms in modules)
    yield Figure(what=f"{process}: {len(modules)} modules", unit="ms", values=[whole])
    for module, ms in sorted(modules, key=lambda module: -module[1])[:MOST_EXPENSIVE]:
        yield Figure(what=f"    {module}", unit="ms", values=[ms])


def memory(bench: Bench) -> list[Figure]:
    with bench.screen() as terminal:
        terminal.settle()
        names = _names(terminal.pid)
        return [Figure(what=f"PSS of {names[pid]}", unit="MB", values=[processes.pss_mb([pid])]) for pid in names]


def rounds(bench: Bench) -> list[Figure]:
    figures = []
    for name, call in bench.trouper.tools.each().items():
        few, more = (_counted(bench, Plan(calls=(call,), rounds=count, hold_last_s=HELD_S)) for count in (FEW, MORE))
        each = {what: (more[what] - few.get(what, 0)) / (MORE - FEW) for what in more}
        commits = each.pop("commits")
        whole = sum(each.values())
        figures += [
            Figure(what=f"commits of a round with {name}", unit="", values=[commits]),
            Figure(what=f"envelopes of a round with {name}", unit="", values=[whole]),
            *(Figure(what=f"    to {actor}", unit="", values=[count]) for actor, count in each.items() if count),
        ]
    return figures


def _counted(bench: Bench, plan: Plan) -> Mapping[str, int]:
    """Envelopes by receiver, and commits, when all rounds but the last are over."""
    bench.place.tidy()
    process = bench.start_headless(bench.trouper, plan)
    bench.service.wait_for_request(plan.rounds)
    home = bench.place.home / ".trouper"
    trees = [tree for tree in tree_client.running(home) if tree.pid == process.pid]
    if not trees:
        raise CannotMeasure("the session does not say what runs in it")
    counted = {actor.name: actor.messages for actor in trees[0].actors}
    commits = sum(_commits(path.read_bytes()) for path in home.glob("**/*-wal"))
    bench.finish(process)
    return {**counted, "commits": commits}


def _commits(wal: bytes) -> int:
    """A frame that ends a commit says how large the database is after it; stale frames have another salt."""
    if len(wal) < WAL_HEADER:
        return 0
    page = int.from_bytes(wal[8:12], "big")
    heads = (wal[at : at + WAL_FRAME_HEADER] for at in range(WAL_HEADER, len(wal), WAL_FRAME_HEADER + page))
    return sum(head[8:16] == wal[16:24] and any(head[4:8]) for head in heads)


def _names(root: int) -> dict[int, str]:
    """By actor; the supervisor and what it forks them from have no names of their own."""
    names = {root: "supervisor"}
    for pid in processes.tree(root)[1:]:
        with contextlib.suppress(OSError):
            name = Path(f"/proc/{pid}/comm").read_text().strip()
            names[pid] = name.removeprefix("tr:") if name.startswith("tr:") else "zygote"
    return names
