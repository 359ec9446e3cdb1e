"""What a turn without calls starts, imports and copies, process by process: counts, the same on every machine."""

import json
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.messages.mcp import McpTool, ServerIs
from actors.settings.mcp import configured, remembered
from tests.system.harness import Place, Session, answer
from tests.system.imports import Imports
from tests.system.services.servers import serving

pytestmark = pytest.mark.slow
ACTORS = ("store", "providers", "gate", "agent:main", "ui")
SLOW = answer("one two three four five six", chunks=20, chunk_delay_s=1.5)
HEAVY = (
    *("httpx", "httpcore", "click", "rich", "pygments", "markdown_it", "tree_sitter", "sqlite3"),
    *("PIL", "psutil", "keyring", "markdownify", "bs4", "tomlkit", "truststore", "asyncio", "unittest", "html"),
    *("actors.tools", "actors.confinement", "actors.gate.bash.shell", "ui.screen"),
)
"""Packages of which each costs 0.4 MB or more, in every process that imports them."""
MOST_IMPORTED = {
    "supervisor": 365,
    "zygote": 510,
    "store": 510,
    "gate": 520,
    "agent:main": 510,
    "ui": 510,
    "providers": 550,
}
"""Modules, also those that are inherited: 330, 450, 458 each and 478 when this was written, on Python 3.11."""
MOST_PRIVATE = {"supervisor": 14, "zygote": 7, "store": 9, "gate": 9, "agent:main": 9, "ui": 8, "providers": 22}
"""MB that a process does not share: 9.1, 4.6, 6.0, 6.0, 6.2, 5.4 and 14.8 when this was written, on Python 3.11."""
KIB_PER_MB = 1024
HERE = Path("/proc/self/smaps_rollup")


@pytest.fixture
def server() -> Iterator[str]:
    with serving() as serve:
        yield serve({"answers": [SLOW]})


def answering(place: Place, server: str) -> Session:
    """In the middle of the first answer; what is remembered from session to session was made by one before."""
    assert place.prompt(place.script(answer("Done."))).finish().code == 0
    config = json.dumps(f"{server}/v1")
    (place.home / "config.toml").write_text(f'[providers.local]\napi = "openai-chat"\nbase_url = {config}\n')
    arguments = ("-p", "go on", "--mode", "auto", "--output", "stream-json", "--model", "local/test-model")
    session = place.start(*arguments)
    session.wait_for("text")
    return session


def pids(session: Session) -> dict[str, int]:
    actors = {name: state.pid for name, state in session.actors().items() if state.pid}
    return {"supervisor": session.pid, "zygote": session.zygote(), **actors}


def private_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty:")) / KIB_PER_MB


def test_a_turn_without_calls_has_a_process_for_each_actor_and_two_more(place: Place, server: str) -> None:
    session = answering(place, server)

    assert sorted(pids(session)) == sorted([*ACTORS, "supervisor", "zygote"])
    assert {process.pid for process in session.processes()} == set(pids(session).values())


def test_who_needs_it_not_imports_nothing_heavy(place: Place, server: str, tmp_path: Path) -> None:
    imports = Imports(place, tmp_path)

    session = answering(place, server)

    found = {name: " ".join(imports.among(pid, HEAVY)) for name, pid in pids(session).items()}
    forked = dict.fromkeys(("zygote", "store", "gate", "agent:main", "ui"), "sqlite3")
    assert found == {**forked, "supervisor": "", "providers": "httpcore"}
    counts = {name: len(imports.of(pid)) for name, pid in pids(session).items()}
    assert {name: count for name, count in counts.items() if count > MOST_IMPORTED[name]} == {}


@pytest.mark.skipif(not HERE.exists(), reason="only Linux tells what a process shares")
@pytest.mark.skipif(resource.getpagesize() != 4096, reason="a larger page is copied as a whole")
def test_most_of_the_memory_of_an_actor_is_shared(place: Place, server: str) -> None:
    place.cold = True
    session = answering(place, server)

    private = {name: round(private_mb(pid), 1) for name, pid in pids(session).items()}

    assert {name: mb for name, mb in private.items() if mb > MOST_PRIVATE[name]} == {}


def test_for_twenty_servers_that_are_remembered_nothing_is_started(place: Place, server: str) -> None:
    entries = {f"s{number}": {"command": "false"} for number in range(20)}
    (place.home / "mcp.json").write_text(json.dumps({"mcpServers": entries}))
    for one in configured.read(place.home, place.workspace, {}).servers:
        known = ServerIs(name=one.name, state="ready", transport="stdio", tools=(McpTool(name="look"),))
        remembered.remember(place.home, one, known)
    session = answering(place, server)

    assert sorted(pids(session)) == sorted([*ACTORS, "supervisor", "zygote"])
    assert {process.pid for process in session.processes()} == set(pids(session).values())
