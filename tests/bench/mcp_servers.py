"""Rows of twenty MCP servers: what they cost the start and the first answer, and what memory they take."""

import contextlib
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from actors.messages.mcp import McpTool, ServerIs
from actors.settings.mcp import configured, remembered
from actors.settings.mcp.servers import McpServer
from tests import ROOT
from tests.bench import processes
from tests.bench.bench import Bench
from tests.bench.figures import CannotMeasure, Figure
from tests.bench.plan import Plan
from tests.fakes.in_thread import in_thread
from tests.fakes.mcp_http import serving

SERVERS = 20
PROGRAM = str(ROOT / "tests" / "fakes" / "mcp_server.py")
NOTHING_KNOWN, ALL_KNOWN, NONE = "20 unknown servers", "20 remembered servers", "no server"
KINDS = (NONE, ALL_KNOWN, NOTHING_KNOWN)
TOOLS = tuple(McpTool(name=f"tool{number}", input_schema='{"type":"object"}') for number in range(10))
CALM_S = 1.0
HOLD_S = 1.0
"""Before the first answer, about as a service: meanwhile servers of which nothing is known are started."""
OF_ACTORS = ("actor", "starter", "guardian", "bwrap")
"""Processes of a server that are ours; what it runs itself is its own."""


def start(bench: Bench, runs: int) -> list[Figure]:
    """In turn, so that what else the machine does meets all kinds alike."""
    asked: dict[str, list[float]] = defaultdict(list)
    shown: dict[str, list[float]] = defaultdict(list)
    bench.headless(Plan())  # the first one ever compiles our modules
    for _ in range(runs):
        for kind in KINDS:
            with _servers(bench, kind):
                asked[kind].append(bench.headless(Plan()).asked_s)
            with _servers(bench, kind):
                shown[kind].append(_shown_ms(bench))
    return [
        *(Figure(what=f"{kind}: to first model request", unit="s", values=asked[kind], target=0.22) for kind in KINDS),
        *(Figure(what=f"{kind}: first answer to shown", unit="ms", values=shown[kind], target=10) for kind in KINDS),
    ]


def _shown_ms(bench: Bench) -> float:
    """From the first answer, as the service sends it, to the line that has it."""
    agent = bench.trouper
    bench.service.forget()
    words = [*agent.command, "--output", "stream-json", *agent.headless, Plan(hold_s=HOLD_S).prompt]
    process = subprocess.Popen(
        words, cwd=bench.place.workspace, env=agent.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with process:
        lines = process.stdout or ()
        at = next((time.monotonic() for line in lines if json.loads(line)["type"] == "text"), 0.0)
        for _ in lines:
            continue
    if not at:
        raise CannotMeasure("no answer was shown")
    return (at - bench.service.wait(lambda seen: seen.what == "answering")[0].at) * 1000


def memory(bench: Bench, runs: int) -> list[Figure]:
    whole: dict[str, list[float]] = defaultdict(list)
    each: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        for kind in KINDS:
            with _servers(bench, kind) as servers, _idle(bench, servers if kind == NOTHING_KNOWN else []) as session:
                whole[kind].append(processes.pss_mb(processes.tree(session)))
                if kind == NOTHING_KNOWN:
                    _note_each(session, each)
        with (
            in_thread(serving) as http,
            _servers(bench, NOTHING_KNOWN, http.url) as servers,
            _idle(bench, servers) as session,
        ):
            each["over http: actor"].append(_each(session)["actor"])
    targets = {"all but the server itself": 25, "over http: actor": 22}
    return [
        *(Figure(what=f"idle with {kind}: PSS", unit="MB", values=values) for kind, values in whole.items()),
        *(
            Figure(what=f"each of {SERVERS}: {part}, PSS", unit="MB", values=values, target=targets.get(part))
            for part, values in each.items()
        ),
    ]


def _note_each(session: int, each: dict[str, list[float]]) -> None:
    parts = _each(session)
    for part, mb in parts.items():
        each[part].append(mb)
    each["all but the server itself"].append(sum(mb for part, mb in parts.items() if part in OF_ACTORS))


def _each(session: int) -> dict[str, float]:
    """MB of one of them, by the name of its processes."""
    named: dict[str, list[int]] = defaultdict(list)
    for actor in processes.tree(session):
        if _name(actor).startswith("mcp:"):
            named["actor"].append(actor)
            for pid in processes.tree(actor)[1:]:
                named[_name(pid)].append(pid)
    return {name: processes.pss_mb(pids) / SERVERS for name, pids in named.items()}


def _name(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip().removeprefix("tr:")
    return ""


@contextlib.contextmanager
def _servers(bench: Bench, kind: str, url: str = "") -> Iterator[list[McpServer]]:
    """As many as are configured meanwhile. url: of all, that are no programs then."""
    home = bench.place.home / ".trouper"
    entry = {"url": url} if url else {"command": sys.executable, "args": ["-I", PROGRAM]}
    names = [f"s{number:02}" for number in range(SERVERS if kind != NONE else 0)]
    file = home / "mcp.json"
    file.write_text(json.dumps({"mcpServers": dict.fromkeys(names, entry)}))
    servers = [*configured.read(home, bench.place.workspace, {}).servers]
    if kind == ALL_KNOWN:
        for server in servers:
            known = ServerIs(name=server.name, state="ready", transport=server.transport, tools=TOOLS)
            remembered.remember(home, server, known)
    try:
        yield servers
    finally:
        file.unlink()
        for known_file in (home / remembered.FOLDER).glob("*.json"):
            known_file.unlink()


@contextlib.contextmanager
def _idle(bench: Bench, started: list[McpServer]) -> Iterator[int]:
    """A session that waits for its first answer, once these have told what they have."""
    home = bench.place.home / ".trouper"
    process = bench.start_headless(bench.trouper, Plan(hold_s=60))
    try:
        bench.service.wait_for_request()
        ready = lambda: all(remembered.recall(home, server) for server in started)  # noqa: E731
        processes.wait_until(ready, "not all servers were ready")
        time.sleep(CALM_S)
        yield process.pid
    finally:
        processes.end(process)
