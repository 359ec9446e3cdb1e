"""The web from end to end: nothing of this machine is reached, who fetches may die, and a search finds."""

import base64
import contextlib
import gzip
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

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


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("web_fetch", '{"url": "URL?q=VALUE"}'),
        ("web_fetch", '{"url": "URL", "headers": {"x-kind": "VALUE"}}'),
        ("web_fetch", '{"url": "URL", "headers": {"VALUE": "x"}}'),
        ("web_search", '{"query": "VALUE"}'),
    ],
    ids=["url", "header", "name of a header", "query"],
)
def test_the_value_of_a_secret_leaves_neither_in_a_request_nor_in_a_query(
    place: Place, listener: socket.socket, search_server: SearchServer, tool: str, arguments: str
) -> None:
    secret = "tok-4f9a81c2d7e6b350"
    (place.workspace / ".env").write_text("DATABASE_PASSWORD=correct-horse-9\n")
    search = f'[search]\nservice = "searxng"\nurl = "{search_server.url}"\n'
    (place.home / "config.toml").write_text(search + '[permissions]\ndeny = ["Read(.env)"]\n')
    url = f"http://127.0.0.1:{port_of(listener)}/"
    allowed = ("--mode", "auto", "--allow", "Web")

    escaped = "".join(f"\\u{ord(letter):04x}" for letter in secret)
    values = {secret: "MY_TOKEN", secret.encode().hex(): "MY_TOKEN", "correct%2Dhorse%2D9": ".env", escaped: "MY_TOKEN"}
    for value, source in values.items():
        carrying = arguments.replace("URL", url).replace("VALUE", value)
        finished = place.run("tools", "call", tool, carrying, *allowed, MY_TOKEN=secret)
        said = finished.out + finished.err

        assert finished.code == 3, said
        assert source in said
        assert value not in said
    assert not was_called(listener)
    assert search_server.asked == []


def test_no_file_of_a_workspace_hides_a_secret_of_the_user_among_its_own(place: Place, listener: socket.socket) -> None:
    many = "\n".join(f"{number:012}abcdefghijklmnopqrst" for number in range(3500))
    for folder in ("a", "b", "c"):
        (place.workspace / folder).mkdir()
        (place.workspace / folder / ".env").write_text(many)
    (place.home / "config.toml").write_text('[permissions]\ndeny = ["Read(**/.env)"]\n')
    (Path(place.environment["HOME"]) / ".netrc").write_text("machine x.example login me password hunter2hunter2\n")
    fetch = {"url": f"http://127.0.0.1:{port_of(listener)}/?q=hunter2hunter2"}

    code, said = call_tool(place, "web_fetch", fetch, "--mode", "auto", "--allow", "Web")

    assert (code, ".netrc" in said) == (3, True), said


def test_in_auto_a_model_fetches_from_a_host_that_was_named_and_is_refused_another(place: Place) -> None:
    named, unnamed = call("web_fetch", url="http://127.0.0.1/a"), call("web_fetch", url="http://127.0.0.2/a")
    script = place.script(answer("", named), answer("", unnamed), answer("Done."))

    finished = place.run("-p", "look at 127.0.0.1", "--output", "stream-json", "--mode", "auto", "--model", script)

    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert [result.get("denied", False) for result in results] == [False, True], finished.err


def test_a_killed_web_worker_is_replaced(place: Place, listener: socket.socket) -> None:
    fifo = Fifo(place.workspace / "fifo")
    fetch = call("web_fetch", url=f"http://127.0.0.1:{port_of(listener)}/")
    wait = call("bash", command="read word < fifo")
    script = place.script(answer("", fetch), answer("", wait), answer("", fetch), answer("Done."))
    session = place.prompt(script, "--allow", "Web")
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
INTERNET, SERVER = (Path(__file__).with_name(name) for name in ("internet.sh", "pages_server.py"))


def has_namespaces() -> bool:
    tried = subprocess.run([*APART, "ip", "link", "set", "lo", "up"], capture_output=True, check=False)
    return tried.returncode == 0


@pytest.fixture
def pages(place: Place) -> Path:
    """What is on the public web server, docs.example.com, and on the others."""
    folder = place.temporary / "pages"
    folder.mkdir()
    (folder / "index.html").write_text("<title>Docs</title><nav>home</nav><h1>Hello</h1><a href=/b>b</a>")
    return folder


@pytest.fixture
def internet(place: Place, pages: Path) -> Callable[..., Finished]:
    """Runs the program with these arguments where there is that server, and names that lead elsewhere."""

    def run(*arguments: str) -> Finished:
        program = [sys.executable, "-P", str(LAUNCHER), *arguments, "--mode", "auto"]
        done = subprocess.run(
            [*APART, "sh", str(INTERNET), sys.executable, str(SERVER), str(pages), *program],
            cwd=place.workspace,
            env=place.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=4 * BOUND_S,  # that is three programs, one after the other
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    return run


def a_fetch(url: str) -> tuple[str, ...]:
    return "tools", "call", "web_fetch", json.dumps({"url": url})


@pytest.mark.skipif(not has_namespaces(), reason="needs user and network namespaces, and ip")
def test_a_page_of_the_public_web_is_fetched(internet: Callable[..., Finished]) -> None:
    finished = internet(*a_fetch("http://docs.example.com/"))

    assert finished.code == 0, finished.err
    assert finished.out.startswith("http://docs.example.com/\nHTTP 200, text/html")
    assert finished.out.endswith("# Docs\n\n# Hello\n\n[b](http://docs.example.com/b)\n")


@pytest.mark.skipif(not has_namespaces(), reason="needs user and network namespaces, and ip")
def test_an_image_of_the_public_web_is_read_by_its_url(pages: Path, internet: Callable[..., Finished]) -> None:
    Image.new("RGB", (30, 20), "red").save(pages / "red.png")

    finished = internet("tools", "call", "read", '{"path": "http://docs.example.com/red.png"}', "--json")

    assert finished.code == 0, finished.err
    (shown,) = finished.events[0]["attachments"]
    assert base64.b64decode(shown["data"]) == (pages / "red.png").read_bytes()


@pytest.mark.skipif(not has_namespaces(), reason="needs user and network namespaces, and ip")
def test_a_bomb_and_a_page_that_is_one_long_line_do_not_end_who_fetches(
    place: Place, pages: Path, internet: Callable[..., Finished]
) -> None:
    (pages / "bomb.html.gz").write_bytes(gzip.compress(b"<p>" + b"boom " * 2**26))
    line = b"<!--x-->" * 250 + b"<b>word</b>" * 2**15
    (pages / "line").write_bytes(line)
    (pages / "line.html").write_bytes(line)
    names = ("bomb.html.gz", "line", "line.html", "")
    fetches = [answer("", call("web_fetch", url=f"http://docs.example.com/{name}")) for name in names]

    finished = internet(
        *("-p", "look at docs.example.com", "--output", "stream-json", "--model"),
        place.script(*fetches, answer("Done.")),
    )

    results = [event for event in finished.events if event["type"] == "tool_result"]
    expected = ("cut: only the first 8 MiB were read", "cut: the first 50,000 of", "**word**", "# Hello")
    assert [text in result["output"] for text, result in zip(expected, results, strict=True)] == [True] * 4
    assert [line["life"] for line in place.log() if line["actor"] == "web" and line["event"] == "started"] == [1]


@pytest.mark.skipif(not has_namespaces(), reason="needs user and network namespaces, and ip")
@pytest.mark.parametrize("name", ["mine.example.com", "own.example.com"])
def test_a_name_that_leads_to_this_machine_is_refused(
    place: Place, internet: Callable[..., Finished], name: str
) -> None:
    """The second one by a public address: only the connection shows that both ends are ours."""
    finished = internet(*a_fetch(f"http://{name}:8080/"))

    assert finished.code == 1
    assert f"{name} is not a public address" in finished.out
    assert "GET" not in (place.temporary / "pages.own").read_text()
