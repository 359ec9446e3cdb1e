"""Rows of twenty MCP servers: what they cost the start and the first answer, and what memory they take."""

import http.server
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from actors.messages.mcp import McpTool, ServerIs
from actors.settings.mcp import configured, remembered
from actors.settings.mcp.servers import McpServer
from actors.tools.processes.descendants import descendants
from tests import ROOT
from tests.bench import processes
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import Plan
from tests.bench.side_by_side import Line
from tests.fakes.mcp_server import Fake

SERVERS = 20
PROGRAM = str(ROOT / "tests" / "fakes" / "mcp_server.py")
CALM_S = 1.0
HOLD_S = 1.0
"""Before the first answer: about what a service takes to begin, in which unknown servers are started."""
NONE, KNOWN, UNKNOWN = "no server", f"{SERVERS} remembered servers", f"{SERVERS} unknown servers"
ASKED_TARGETS = {NONE: 0.22, KNOWN: 0.22, UNKNOWN: 0.22}
"""As without any: s."""
PARTS = {"actor": 12.0, "guardian": 2.0, "launcher": 4.0, "bubblewrap": 1.0, "server": None}
"""Of one server's processes, and targets in MB; the last one's memory is not ours."""


def start(bench: Bench, runs: int) -> list[Figure]:
    """In turn, so that what else the machine does meets all alike."""
    asked: dict[str, list[float]] = {what: [] for what in ASKED_TARGETS}
    shown: dict[str, list[float]] = {what: [] for what in ASKED_TARGETS}
    bench.headless(Plan())  # the first one ever compiles our modules
    for _ in range(runs):
        for what in ASKED_TARGETS:
            with _configured(bench, what):
                asked[what].append(bench.headless(Plan()).asked_s)
                _forget(bench, what)
                shown[what].append(_shown_ms(bench))
    return [
        *(
            Figure(what=f"{what}: exec to first model request", unit="s", values=values, target=ASKED_TARGETS[what])
            for what, values in asked.items()
        ),
        *(
            Figure(what=f"{what}: first answer sent to shown", unit="ms", values=values, target=10)
            for what, values in shown.items()
        ),
    ]


def _shown_ms(bench: Bench) -> float:
    """From the first delta that the service sends to the line that says it."""
    agent = bench.trouper
    bench.service.forget()
    plan = Plan(hold_s=HOLD_S)
    process = subprocess.Popen(
        [*agent.command, "--output", "stream-json", *agent.headless, plan.prompt],
        cwd=bench.place.workspace,
        env=agent.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    at = 0.0
    for line in process.stdout:
        if json.loads(line)["type"] == "text":
            at = time.monotonic()
            break
    process.stdout.read()
    process.wait()
    return (at - bench.service.wait(lambda seen: seen.what == "answering")[0].at) * 1000


@contextmanager
def _configured(bench: Bench, what: str, transport: str = "stdio", url: str = "") -> Iterator[list[McpServer]]:
    home = bench.place.home / ".trouper"
    file = home / "mcp.json"
    entry = {"command": sys.executable, "args": ["-I", PROGRAM]} if not url else {"url": url}
    count = 0 if what == NONE else SERVERS
    file.write_text(json.dumps({"mcpServers": {f"s{number:02}": entry for number in range(count)}}))
    servers = [*configured.read(home, bench.place.workspace, {}).servers] if count else []
    assert len(servers) == count, servers
    _forget(bench, what)
    if what == KNOWN:
        tools = tuple(McpTool(name=f"tool{n}", description="does", input_schema='{"type":"object"}') for n in range(10))
        for server in servers:
            known = ServerIs(name=server.name, state="ready", transport=server.transport, tools=tools)
            remembered.remember(home, server, known)
    try:
        yield servers
    finally:
        file.unlink()
        _forget(bench, "")


def _forget(bench: Bench, what: str) -> None:
    if what != KNOWN:
        for file in (bench.place.home / ".trouper" / "mcp").glob("*.json"):
            file.unlink()


def memory(bench: Bench, runs: int) -> list[Figure]:
    whole: dict[str, list[float]] = {what: [] for what in (NONE, KNOWN, UNKNOWN)}
    parts: dict[str, list[float]] = {}
    for _ in range(runs):
        for what in whole:
            with _configured(bench, what) as servers, _held(bench) as root:
                if what == UNKNOWN:
                    _all_told(bench, servers)
                time.sleep(CALM_S)
                whole[what].append(processes.pss_mb(processes.tree(root)))
                if what == UNKNOWN:
                    for name, mb in _parts(root).items():
                        parts.setdefault(name, []).append(mb)
        with _serving() as url, _configured(bench, UNKNOWN, url=url) as servers, _held(bench) as root:
            _all_told(bench, servers)
            time.sleep(CALM_S)
            parts.setdefault("over http, actor", []).append(_parts(root)["actor"])
    return [
        *(Figure(what=f"{what}, idle: PSS of all", unit="MB", values=values) for what, values in whole.items()),
        *(
            Figure(what=f"each of {SERVERS}: {name}, PSS", unit="MB", values=values, target=PARTS.get(name))
            for name, values in parts.items()
        ),
    ]


@contextmanager
def _held(bench: Bench) -> Iterator[int]:
    process = bench.start_headless(bench.trouper, Plan(hold_s=60))
    try:
        bench.service.wait_for_request()
        yield process.pid
    finally:
        processes.end(process)


def _all_told(bench: Bench, servers: list[McpServer]) -> None:
    home = bench.place.home / ".trouper"
    processes.wait_until(lambda: all(remembered.recall(home, server) for server in servers), "no server was ready")


def _parts(root: int) -> dict[str, float]:
    kinds: dict[str, list[int]] = {}
    actors = [pid for pid in descendants(root) if _comm(pid).startswith("tr:mcp:")]
    below = {pid for actor in actors for pid in descendants(actor)}
    for pid in below:
        kinds.setdefault(_kind(pid), []).append(pid)
    kinds["actor"] = actors
    kinds["template"] = [
        pid
        for pid in descendants(root)
        if pid not in below and pid not in actors and b"actors.mcp" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    print({kind: len(pids) for kind, pids in kinds.items()})
    return {kind: processes.pss_mb(pids) / SERVERS for kind, pids in kinds.items()}


def _kind(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    if _comm(pid) == "bwrap":
        return "bubblewrap"
    if PROGRAM in words:
        return "server"
    return _comm(pid).removeprefix("tr:")


def _comm(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


class _Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = [one for one in Fake().handle(message)] if message.get("id") is not None else []
        data = json.dumps(said[0]).encode() if said else b""
        self.send_response(200 if said else 202)
        if said:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self.send_response(405)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_DELETE = do_GET

    def log_message(self, *args) -> None:
        pass


@contextmanager
def _serving() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp"
    finally:
        server.shutdown()
        server.server_close()
