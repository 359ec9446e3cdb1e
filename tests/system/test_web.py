"""The web from end to end: nothing of this machine is reached, who fetches may die, and a search finds."""

import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fakes.in_thread import in_thread
from tests.fakes.search_server import KEY, SearchServer, open_search_server
from tests.system.harness import BOUND_S, LAUNCHER, Fifo, Finished, Place, answer, call, until

pytestmark = pytest.mark.slow
PAGES = [{"url": "https://trio.readthedocs.io/", "title": "Trio", "description": "Structured concurrency"}]


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """On this machine, with a port of its own; whoever connects is still there to be accepted."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


@pytest.fixture
def search_server() -> Iterator[SearchServer]:
    with in_thread(lambda: open_search_server(PAGES)) as server:
        yield server


def port_of(listener: socket.socket) -> int:
    port: int = listener.getsockname()[1]
    return port


def was_called(listener: socket.socket) -> bool:
    with contextlib.suppress(BlockingIOError):
        listener.accept()[0].close()
        return True
    return False


def call_tool(place: Place, name: str, arguments: dict[str, object], *more: str, **environment: str) -> tuple[int, str]:
    finished = place.run("tools", "call", name, json.dumps(arguments), *more, **environment)
    return finished.code, finished.out + finished.err


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "localhost", "[::ffff:127.0.0.1]", "127.0.0.1.nip.io"])
def test_nothing_of_this_machine_is_fetched(place: Place, listener: socket.socket, host: str) -> None:
    url = f"http://{host}:{port_of(listener)}/"

    code, said = call_tool(place, "web_fetch", {"url": url}, "--mode", "auto")

    assert code == 1, said
    assert not was_called(listener)


def test_unasked_nothing_is_fetched(place: Place) -> None:
    code, said = call_tool(place, "web_fetch", {"url": "https://example.com/"})

    assert code == 3
    assert "Web(example.com)" in said


def test_a_killed_web_worker_is_replaced(place: Place, listener: socket.socket) -> None:
    fifo = Fifo(place.workspace / "fifo")
    fetch = call("web_fetch", url=f"http://127.0.0.1:{port_of(listener)}/")
    wait = call("bash", command="read word < fifo")
    session = place.prompt(place.script(answer("", fetch), answer("", wait), answer("", fetch), answer("Done.")))
    session.wait_for("tool_call", name="bash")
    session.kill("web")
    until(lambda: session.restarts().get("web") == 1)
    fifo.let_go()

    finished = session.finish()

    fifo.close()
    results = [event for event in finished.events if event["type"] == "tool_result" and event["name"] == "web_fetch"]
    assert finished.code == 0
    assert ["not a public address" in result["output"] for result in results] == [True, True]
    assert not was_called(listener)


def test_a_search_finds(place: Place, search_server: SearchServer) -> None:
    (place.home / "config.toml").write_text(f'[providers.brave]\nbase_url = "{search_server.url}"\n')

    code, said = call_tool(place, "web_search", {"query": "trio"}, "--mode", "auto", BRAVE_API_KEY=KEY)

    assert code == 0, said
    assert "1. Trio\n   https://trio.readthedocs.io/\n   Structured concurrency" in said
    assert [asked["q"] for asked in search_server.asked] == ["trio"]


def test_a_searxng_server_of_ones_own(place: Place, search_server: SearchServer) -> None:
    (place.home / "config.toml").write_text(f'[search]\nservice = "searxng"\nurl = "{search_server.url}"\n')

    code, said = call_tool(place, "web_search", {"query": "trio"}, "--mode", "auto")

    assert code == 0, said
    assert "https://trio.readthedocs.io/" in said


@pytest.mark.parametrize(
    ("config", "key", "there"),
    [
        ("", {}, False),
        ("", {"TAVILY_API_KEY": KEY}, True),
        ("", {"BRAVE_SEARCH_API_KEY": KEY}, True),
        ('[search]\nservice = "tavily"\n', {"BRAVE_API_KEY": KEY}, False),
        ('[search]\nservice = "searxng"\n', {}, False),
        ('[search]\nurl = "http://127.0.0.1:8888"\n', {}, True),
    ],
)
def test_it_is_offered_where_somebody_searches(place: Place, config: str, key: dict[str, str], there: bool) -> None:
    (place.home / "config.toml").write_text(config)

    tools = json.loads(place.run("tools", "list", "--json", "--mode", "auto", **key).out)

    assert ("web_search" in [tool["name"] for tool in tools]) is there


def test_a_key_may_be_kept(place: Place, search_server: SearchServer) -> None:
    (place.home / "config.toml").write_text(f'[providers.tavily]\nbase_url = "{search_server.url}"\n')
    kept = {"tavily": {"kind": "key", "key": KEY}}
    (place.home / "auth.json").write_text(json.dumps(kept))
    (place.home / "auth.json").chmod(0o600)

    listed = place.run("auth", "list")
    code, said = call_tool(place, "web_search", {"query": "trio"}, "--mode", "auto")

    assert "tavily" in listed.out
    assert KEY not in listed.out + listed.err + said
    assert code == 0, said


APART = ("unshare", "--user", "--map-root-user", "--net", "--mount")
INTERNET = Path(__file__).with_name("internet.sh")


def has_namespaces() -> bool:
    tried = subprocess.run([*APART, "ip", "link", "set", "lo", "up"], capture_output=True, check=False)
    return tried.returncode == 0


@pytest.fixture
def internet(place: Place) -> Callable[[str], Finished]:
    """Fetches a URL where there is a public web server, docs.example.com, and names that lead elsewhere."""
    folder = place.temporary / "pages"
    folder.mkdir()
    (folder / "index.html").write_text("<title>Docs</title><nav>home</nav><h1>Hello</h1><a href=/b>b</a>")
    fetch = [sys.executable, "-P", str(LAUNCHER), "tools", "call", "web_fetch"]

    def fetched(url: str) -> Finished:
        command = [*APART, "sh", str(INTERNET), sys.executable, str(folder), *fetch, json.dumps({"url": url})]
        done = subprocess.run(
            [*command, "--mode", "auto"],
            cwd=place.workspace,
            env=place.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=BOUND_S,
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    return fetched


@pytest.mark.skipif(not has_namespaces(), reason="needs user and network namespaces, and ip")
def test_a_page_of_the_public_web_is_fetched(internet: Callable[[str], Finished]) -> None:
    finished = internet("http://docs.example.com/")

    assert finished.code == 0, finished.err
    assert finished.out.startswith("http://docs.example.com/\nHTTP 200, text/html")
    assert finished.out.endswith("# Docs\n\n# Hello\n\n[b](http://docs.example.com/b)\n")


@pytest.mark.skipif(not has_namespaces(), reason="needs user and network namespaces, and ip")
@pytest.mark.parametrize("name", ["mine.example.com", "own.example.com"])
def test_a_name_that_leads_to_this_machine_is_refused(
    place: Place, internet: Callable[[str], Finished], name: str
) -> None:
    """The second one by a public address: only the connection shows that both ends are ours."""
    finished = internet(f"http://{name}:8080/")

    assert finished.code == 1
    assert f"{name} is not a public address" in finished.out
    assert "GET" not in (place.temporary / "pages.own").read_text()
