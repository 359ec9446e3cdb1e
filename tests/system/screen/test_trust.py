"""The question about what a folder brings, on the real screen: before the first prompt, once, whoever is killed."""

import json
import shutil

import pytest

from actors.settings import trust, workspace_files
from actors.settings.mcp import entries, vouching
from tests.system.harness import Place, answer, call, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
BROUGHT = '[permissions]\nallow = ["Write(a.py)"]\n'
WRITE = (answer("I write.", call("write", path="a.py", content="x")), answer("All done."))


def test_it_survives_screen_and_gate_and_what_is_trusted_is_not_asked_about_again(place: Place) -> None:
    path = workspace_files.local_path(place.workspace)
    path.parent.mkdir()
    path.write_text(BROUGHT)
    tmux = Tmux(place, "--model", place.script(*WRITE), "go on")
    try:
        for killed in ("ui", "gate"):
            tmux.wait_for("Trust this folder?")
            tmux.wait_for("allow Write(a.py)")
            tmux.kill(killed)
            tmux.wait_for(f"{'the screen' if killed == 'ui' else 'gate'} was restarted")
        tmux.wait(lambda: "trust exactly this" in tmux.visible)

        def answered() -> bool:
            """What is typed once the question is gone would be the next prompt."""
            if "trust exactly this" in tmux.visible:
                tmux.press("t")
            return "All done." in tmux.visible

        tmux.wait(answered)
        assert "Allow?" not in tmux.text
        assert (place.workspace / "a.py").read_text() == "x"
        assert trust.record(place.home, path).text == BROUGHT
    finally:
        tmux.close()
    until(lambda: place.left() == [])


def test_a_server_of_the_folder_is_asked_about_once_and_the_terminal_is_not_steered(place: Place) -> None:
    servers = {"one": {"command": "one", "args": ["\x1b[31mred\x1b[2J"]}, "two": {"url": "https://two/mcp"}}
    (place.workspace / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    records = {name: (place.home, place.workspace, name) for name in servers}

    tmux = Tmux(place, "--model", place.script(answer("All done.")), "go on")
    try:
        tmux.wait_for("not trusted so: one. 1 more server after it.")
        tmux.wait_for("run one '\\x1b[31mred\\x1b[2J'")
        decide(tmux, "t", "leave out this one and all that follow")
        decide(tmux, "l", "reach https://two/mcp")
        tmux.wait_for("All done.")
    finally:
        tmux.close()
    until(lambda: place.left() == [])
    assert vouching.record(*records["one"]).vouches_for(entries.canonical(servers["one"]))
    assert vouching.record(*records["two"]).leaves_out(entries.canonical(servers["two"]))

    tmux = Tmux(place, "--model", place.script(answer("All done.")), "go on")
    try:
        tmux.wait_for("All done.")
        assert "Trust this folder?" not in tmux.text
    finally:
        tmux.close()
    until(lambda: place.left() == [])
