"""`trouper mcp login`, as it is typed: with a browser, with one on another machine, given up; and logout."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
import trio

from tests.fakes.in_thread import in_thread
from tests.fakes.mcp_sign_in import SignedIn, signing_in, visited
from tests.system import conformance_client
from tests.system.harness import LAUNCHER, Place

pytestmark = pytest.mark.slow
SSH = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}


@pytest.fixture
def server(place: Place) -> Iterator[SignedIn]:
    with in_thread(signing_in) as server:
        (place.home / "mcp.json").write_text(json.dumps({"mcpServers": {"fake": {"url": server.url}}}))
        yield server


def kept(place: Place) -> Path:
    return place.home / "mcp-sign-ins" / "fake.json"


def address(lines: IO[str]) -> str:
    """The one to sign in at, when it is printed."""
    return next(line.strip() for line in lines if line.strip().startswith("http"))


def test_the_browser_that_is_named_is_sent_there_also_without_a_display(place: Place, server: SignedIn) -> None:
    browser = place.home / "browser"
    browser.write_text(f'#!/bin/sh\nexec {sys.executable} {conformance_client.__file__} --browser "$1"\n')
    browser.chmod(0o700)

    refused = place.run("mcp", "call", "fake", "echo", **SSH)
    done = place.run("mcp", "login", "fake", **{**SSH, "BROWSER": str(browser)})
    called = place.run("mcp", "call", "fake", "echo", '{"a": 1}', **SSH)
    out = place.run("mcp", "logout", "fake")
    after = place.run("mcp", "call", "fake", "echo", **SSH)

    assert (refused.code, done.code, called.code, out.code, after.code) == (1, 0, 0, 0, 1)
    assert "Sign in: /mcp login fake, or `trouper mcp login fake`" in refused.err
    assert f"{server.url.removesuffix('/mcp')}/authorization?" in done.out + done.err
    assert done.out.endswith("signed in to fake\n")
    assert json.loads(called.out)["content"] == [{"type": "text", "text": '{"a": 1}'}]
    assert out.out == "signed out of fake\n"
    assert list(kept(place).parent.iterdir()) == []


def test_where_the_browser_is_elsewhere_the_address_is_printed_and_its_end_pasted(
    place: Place, server: SignedIn
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", str(LAUNCHER), "mcp", "login", "fake"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=place.workspace,
        env={**place.environment, **SSH},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    url = address(process.stdout)
    process.stdin.write("http://127.0.0.1/callback?code=stolen&state=guessed\n")
    process.stdin.write(trio.run(visited, url) + "\n")
    process.stdin.flush()
    said = process.stdout.read()
    process.stdin.close()

    assert process.wait() == 0, said
    assert "Nobody is signing in to fake, or that is not where it ends." in said
    assert said.endswith("signed in to fake\n")
    assert kept(place).stat().st_mode & 0o777 == 0o600
    assert len(server.token_requests) == 1
    process.stdout.close()
