"""MCP servers on the screen, in tmux: listed and started anew, signed in to, called, and told of when they go."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.fakes import mcp_server
from tests.fakes.in_thread import in_thread
from tests.fakes.mcp_sign_in import SignedIn, signing_in
from tests.system.harness import Place, answer, call, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Open = Callable[..., Tmux]
TOOLS = f"{len(mcp_server.TOOLS) + 1} tools"
"""With the one that has a name alone."""
BROWSER = """#!{python}
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({{}}))
open({page!r}, "wb").write(opener.open(sys.argv[1]).read())
"""


@pytest.fixture
def terminal(place: Place) -> Iterator[Open]:
    opened: list[Tmux] = []

    def open_one(*arguments: str, **more: int) -> Tmux:
        opened.append(Tmux(place, *arguments, **{"width": 100, "height": 30, **more}))  # type: ignore[arg-type]
        opened[-1].wait_for("script.json")
        return opened[-1]

    yield open_one
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


@pytest.fixture
def script(place: Place) -> Path:
    """The program that is the server "fake": it can be taken away."""
    path = place.home.parent / "server"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    path.chmod(0o700)
    configure(place, fake={"command": str(path), "args": [mcp_server.FILE], "start_timeout_s": 100})
    return path


def configure(place: Place, **servers: object) -> None:
    (place.home / "mcp.json").write_text(json.dumps({"mcpServers": servers}))


def enter(tmux: Tmux, line: str) -> None:
    tmux.type(line)
    tmux.wait(lambda: line in tmux.visible)
    tmux.press("Enter")


def choose(tmux: Tmux, key: str, seen: str) -> None:
    """A question takes no keys at first."""
    tmux.press_until(lambda: seen in tmux.visible, key)


def rows(tmux: Tmux, beginning: str) -> list[str]:
    return [row for row in tmux.visible.splitlines() if row.strip().startswith(beginning)]


@pytest.mark.parametrize("width", [40, 100])
def test_a_server_is_looked_at_and_started_anew_and_the_list_lives(
    place: Place, terminal: Open, script: Path, width: int
) -> None:
    tmux = terminal("--model", place.script(answer("Hi.")), width=width)
    enter(tmux, "/mcp")
    tmux.wait(lambda: any("ready" in row for row in rows(tmux, "▸ fake")))
    tmux.kill("mcp:fake")
    tmux.wait_for("mcp:fake was restarted")
    tmux.wait(lambda: any("ready" in row for row in rows(tmux, "▸ fake")))
    choose(tmux, "Enter", "fake: ready")
    decide(tmux, "Escape", "fake: ready")
    tmux.wait(lambda: "1 MCP server" in tmux.visible)
    choose(tmux, "Enter", "fake: ready")
    choose(tmux, "r", "starting fake anew")
    tmux.wait(lambda: f"fake is ready: {TOOLS}" in " ".join(tmux.text.split()))
    assert script.exists()


def test_a_name_that_is_none_leaves_the_line_to_be_mended(place: Place, terminal: Open, script: Path) -> None:
    tmux = terminal("--model", place.script(answer("Hi.")))
    enter(tmux, "/mcp restart fak")
    tmux.wait_for("there is no MCP server fak. Did you mean fake?")
    tmux.wait(lambda: "❯ /mcp restart fak" in tmux.visible)
    tmux.type("e")
    tmux.press("Enter")
    tmux.wait_for(f"the MCP server fake is ready: {TOOLS}")
    assert script.exists()


def test_a_call_has_one_name_wherever_it_is_shown(place: Place, terminal: Open, script: Path) -> None:
    model = place.script(answer("I call.", call("fake___echo", text="hello")), answer("It is done."))
    tmux = terminal("--model", model)
    enter(tmux, "go on")
    tmux.wait_for("Mcp(fake:echo)")
    assert rows(tmux, "fake:echo")
    assert rows(tmux, "○ fake:echo hello")
    choose(tmux, "y", "It is done.")

    tmux.wait_for_turn("It is done.")
    assert rows(tmux, "● fake:echo hello")
    assert "fake___" not in tmux.text
    assert script.exists()


def test_one_that_is_gone_for_good_is_told_once_and_comes_back(place: Place, terminal: Open, script: Path) -> None:
    tmux = terminal("--model", place.script(answer("Hi.")))
    enter(tmux, "/mcp restart fake")
    tmux.wait_for("the MCP server fake is ready")
    aside = script.rename(script.with_suffix(".aside"))

    done = place.run("mcp", "restart")
    tmux.wait_for("start it again: /mcp restart fake")
    aside.rename(script)
    again = place.run("mcp", "restart", "fake")
    tmux.wait_for("the MCP server fake is back")

    assert [one.out for one in (done, again)] == ["fake was restarted in 1 session\n"] * 2
    assert tmux.text.count("The MCP server fake is not there: there is no program") == 1


@pytest.fixture
def hub(place: Place) -> Iterator[SignedIn]:
    with in_thread(signing_in) as http:
        configure(place, hub={"url": http.url, "start_timeout_s": 100})
        yield http


def test_one_signs_in_by_pasting_the_address_and_out_again(place: Place, terminal: Open, hub: SignedIn) -> None:
    tmux = terminal("--model", place.script(answer("Hi.")))
    tmux.wait_for("lets nobody in")
    enter(tmux, "/mcp login hub")
    tmux.wait_for("paste the address that it ended at")
    back = httpx.get(address(tmux, hub), trust_env=False).headers["location"]
    choose(tmux, "p", "esc: back to the choices")
    tmux.type(back)
    tmux.press("Enter")
    tmux.wait_for("signed in to hub")
    enter(tmux, "/mcp logout hub")
    tmux.wait_for("signed out of hub")

    assert hub.token_requests[0]["grant_type"] == "authorization_code"
    assert len(hub.token_requests) == 1


def test_one_signs_in_with_the_browser(place: Place, terminal: Open, hub: SignedIn) -> None:
    page, browser = place.temporary / "page.html", place.temporary / "browser"
    browser.write_text(BROWSER.format(python=sys.executable, page=str(page)))
    browser.chmod(0o700)
    place.environment.update(DISPLAY=":0", BROWSER=f"{browser} %s")
    tmux = terminal("--model", place.script(answer("Hi.")))
    enter(tmux, "/mcp login hub")
    tmux.wait_for("signed in to hub")

    assert "It should open this now:" in tmux.text
    until(lambda: page.exists() and b"Trouper has heard of it" in page.read_bytes())
    assert len(hub.token_requests) == 1


def test_a_sign_in_is_given_up_and_survives_the_death_of_its_actor(place: Place, terminal: Open, hub: SignedIn) -> None:
    tmux = terminal("--model", place.script(answer("Hi.")))
    enter(tmux, "/mcp login hub")
    tmux.wait_for("paste the address that it ended at")
    tmux.press_until(lambda: "given up: there is no sign-in to hub" in tmux.text, "Escape")
    enter(tmux, "/mcp login hub")
    tmux.wait(lambda: "paste the address that it ended at" in tmux.visible)
    tmux.kill("mcp:hub")
    tmux.wait_for("Again: /mcp login hub")
    enter(tmux, "hello")
    tmux.wait_for_turn("Hi.")

    assert hub.token_requests == []


def address(tmux: Tmux, hub: SignedIn) -> str:
    """It goes over several rows, and nothing else is in them."""
    whole = tmux.visible[tmux.visible.index(f"{hub.origin}/authorization") :]
    return "".join(whole.partition("\n\n")[0].split("\n"))
