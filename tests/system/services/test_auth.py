"""`trouper auth`, as it is typed: on a terminal, in a pipe, with a browser, given up, killed."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests import ROOT
from tests.fakes.in_thread import in_thread
from tests.fakes.model_server import open_model_server
from tests.fakes.sign_in_server import SignInServer, open_sign_in_server
from tests.system.harness import LAUNCHER, Finished, Place, kill, until
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow
KEY = "sk-planted-0123456789"
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
BROWSER = """#!{python}
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({{}}))
open({page!r}, "wb").write(opener.open(sys.argv[1]).read())
"""


@pytest.fixture(autouse=True)
def _no_keyring(place: Place) -> None:
    place.environment.update(NO_KEYRING)


@pytest.fixture
def server(place: Place) -> Iterator[SignInServer]:
    with in_thread(open_sign_in_server) as server:
        lines = [f'[providers.{name}]\nsign_in_url = "{server.url}"\n' for name in ("codex", "copilot", "openrouter")]
        (place.home / "config.toml").write_text("".join(lines))
        server.interval_s = 0
        yield server


def auth(place: Place, *arguments: str, typed: str = "", **environment: str) -> Finished:
    done = subprocess.run(
        [sys.executable, "-P", str(LAUNCHER), "auth", *arguments],
        input=typed.encode(),
        capture_output=True,
        cwd=place.workspace,
        env={**place.environment, **environment},
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def terminal(place: Place) -> Iterator["Terminal"]:
    terminal = Terminal(place)
    yield terminal
    terminal.close()


class Terminal:
    """`trouper auth` on a terminal."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._opened: list[PtyTerminal] = []

    def run(self, *arguments: str, **environment: str) -> PtyTerminal:
        argv = [sys.executable, "-P", str(LAUNCHER), "auth", *arguments]
        opened = PtyTerminal(argv, self._place.workspace, {**self._place.environment, **environment})
        self._opened.append(opened)
        return opened

    def close(self) -> None:
        for opened in self._opened:
            opened.close()


def kept(place: Place) -> dict[str, dict[str, object]]:
    path = place.home / "auth.json"
    found: dict[str, dict[str, object]] = json.loads(path.read_text()) if path.exists() else {}
    return found


@pytest.mark.parametrize("way", ["fork", "exec"])
def test_a_key_from_a_pipe_is_kept_for_this_user_alone(place: Place, way: str) -> None:
    done = auth(place, "set", "openai", typed=f"{KEY}\n", TROUPER_SPAWN=way)
    listed = auth(place, "list", "--json", TROUPER_SPAWN=way)

    path = place.home / "auth.json"
    assert (done.code, done.err) == (0, "")
    assert done.out == f"the key for openai is in {path}\n"
    assert kept(place) == {"openai": {"kind": "key", "key": KEY}}
    assert path.stat().st_mode & 0o777 == 0o600
    assert [(row["provider"], row["place"]) for row in json.loads(listed.out)] == [("openai", str(path))]
    assert "planted" not in listed.out


def test_a_key_goes_into_the_keyring_where_there_is_one_and_is_used_from_there(place: Place) -> None:
    from tests.actors.providers.talking import HELLO

    vault = place.temporary / "keyring.json"
    del place.environment["PYTHON_KEYRING_BACKEND"]
    place.environment.pop("XDG_CONFIG_HOME", None)
    place.environment.update(FAKE_KEYRING=str(vault), NO_PROXY="*")
    chosen = Path(place.environment["HOME"]) / ".config" / "python_keyring" / "keyringrc.cfg"
    chosen.parent.mkdir(parents=True)
    chosen.write_text(f"[backend]\ndefault-keyring=tests.fakes.keyrings.FileKeyring\nkeyring-path={ROOT}\n")
    with in_thread(lambda: open_model_server(HELLO)) as models:
        (place.home / "config.toml").write_text(
            f'[providers.mine]\napi = "openai-chat"\nbase_url = "{models.url}/v1"\napi_key_env = "MINE_KEY"\n'
        )
        done = auth(place, "set", "mine", typed=KEY)
        asked = place.run("-p", "hello", "--model", "mine/test-model", "--max-turns", "1")
        listed = auth(place, "list")
        gone = auth(place, "logout", "mine")

        keys = {got.headers.get("authorization") for got in models.requests}

    assert "the keyring" in done.out
    assert keys == {f"Bearer {KEY}"}, asked.err
    assert "mine" in listed.out
    assert gone.out == "mine is forgotten\n"
    assert json.loads(vault.read_text()) == {}
    assert kept(place) == {}


def test_a_key_that_is_typed_is_not_shown(place: Place, terminal: Terminal) -> None:
    run = terminal.run("set", "openai")
    run.wait_for("API key for openai:")
    run.type(f"{KEY}\r")

    assert run.wait_for_end() == 0
    assert b"planted" not in run.raw
    assert run.attributes() == run.before
    assert kept(place) == {"openai": {"kind": "key", "key": KEY}}


def test_ctrl_c_at_the_question_keeps_nothing(place: Place, terminal: Terminal) -> None:
    run = terminal.run("set", "openai")
    run.wait_for("API key for openai:")
    run.type("\x03")

    assert run.wait_for_end() == 130
    assert run.attributes() == run.before
    assert kept(place) == {}


@pytest.mark.parametrize(
    ("arguments", "typed", "words"),
    [
        (("set", "openai"), "", "no key was given"),
        (("set", "openai", "-"), "two words", "that cannot be an API key"),
        (("set", "openai", KEY), "", "invalid choice"),
        (("set", "antropic"), "", 'no provider is named "antropic". Did you mean anthropic?'),
        (("login", "anthropic"), "", "trouper auth set anthropic"),
        (("login", "codx"), "", 'no provider is named "codx". Did you mean codex?'),
        (("forget",), "", "invalid choice"),
    ],
    ids=[
        "nothing",
        "odd",
        "as an argument",
        "no such name",
        "no such sign-in",
        "no such name there",
        "no such command",
    ],
)
def test_wrong_usage(place: Place, arguments: tuple[str, ...], typed: str, words: str) -> None:
    done = auth(place, *arguments, typed=typed)

    assert done.code == 2
    assert words in done.err
    assert kept(place) == {}


def test_what_is_piped_in_is_no_address_where_there_is_a_code(place: Place) -> None:
    done = auth(place, "login", "openrouter", "--device", typed="something\n")

    assert done.code == 1
    assert done.err.splitlines() == [
        "trouper: openrouter has no sign-in by code. "
        "Sign in without --device, and paste the address your browser ends at."
    ]


def test_signing_in_by_code_and_out(place: Place, server: SignInServer) -> None:
    server.approved = True
    done = auth(place, "login", "codex", "--device")
    listed = auth(place, "list")
    out = auth(place, "logout", "codex")

    assert (done.code, done.out) == (0, "signed in to codex as me@example.com (plus)\n")
    assert "not document for other programs" in done.err
    assert f"{server.url}/codex/device" in done.err
    assert "ABCD-1234" in done.err
    assert "me@example.com" in listed.out
    assert out.out == "codex is forgotten\n"
    assert server.ended
    assert kept(place) == {}


def test_signing_in_with_a_browser_that_outlives_us(place: Place, server: SignInServer) -> None:
    page, script = place.temporary / "page.html", place.temporary / "browser"
    script.write_text(BROWSER.format(python=sys.executable, page=str(page)))
    script.chmod(0o700)

    done = auth(place, "login", "codex", DISPLAY=":0", BROWSER=f"{script} %s", OPENAI_API_KEY=KEY)

    assert (done.code, done.out) == (0, "signed in to codex as me@example.com (plus)\n"), done.err
    assert "/oauth/authorize?" in done.err
    until(lambda: page.exists() and b"You are signed in" in page.read_bytes())
    assert kept(place)["codex"]["issuer"] == server.url
    until(lambda: not list((place.home / "run").iterdir()))
    until(lambda: place.left() == [])


def test_an_address_may_be_pasted_and_is_not_shown(place: Place, terminal: Terminal, server: SignInServer) -> None:
    run = terminal.run("login", "openrouter")
    run.wait(lambda: b"code_challenge_method=S256" in run.raw)
    run.wait_for("Esc gives up.")
    url = next(word for word in run.raw.decode().split() if word.startswith(server.url))
    back = httpx.get(url, trust_env=False).headers["location"]
    run.type("http://localhost/elsewhere?code=1\n")
    run.wait_for("not the answer")
    run.type(f"{back}\n")

    assert run.wait_for_end() == 0
    assert "code=code-" not in run.text
    assert run.attributes() == run.before
    assert kept(place) == {"openrouter": {"kind": "key", "key": "sk-or-planted"}}


@pytest.mark.parametrize("key", ["\x1b", "\x03"], ids=["Esc", "Ctrl-C"])
def test_given_up_nothing_is_kept(place: Place, terminal: Terminal, server: SignInServer, key: str) -> None:
    server.interval_s = 1
    run = terminal.run("login", "codex", "--device")
    run.wait_for("ABCD-1234")
    run.type(key)

    assert run.wait_for_end() == 130
    assert run.attributes() == run.before
    assert kept(place) == {}


def test_a_killed_front_leaves_the_terminal_in_order(place: Place, terminal: Terminal, server: SignInServer) -> None:
    server.interval_s = 1
    run = terminal.run("login", "codex", "--device")
    run.wait_for("ABCD-1234")
    (front,) = (actor.pid for actor in place.tree().actors if actor.name == "ui")
    kill(front)
    run.wait(lambda: run.text.count("ABCD-1234") == 2)
    run.type("\x1b")

    assert run.wait_for_end() == 130
    assert run.attributes() == run.before
    assert kept(place) == {}


def test_the_service_may_say_no(place: Place, server: SignInServer) -> None:
    server.deny = {"error": "access_denied", "error_description": "Ask\x1b[31m your administrator"}
    page, script = place.temporary / "page.html", place.temporary / "browser"
    script.write_text(BROWSER.format(python=sys.executable, page=str(page)))
    script.chmod(0o700)

    done = auth(place, "login", "codex", DISPLAY=":0", BROWSER=f"{script} %s")

    assert done.code == 1
    assert "The service refused the sign-in: Ask" in done.err
    assert "\x1b" not in done.err
    assert kept(place) == {}
    until(lambda: place.left() == [])  # the browser, too


def test_a_workspace_cannot_turn_its_dot_env_on(place: Place) -> None:
    (place.workspace / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    (place.workspace / ".trouper").mkdir()
    (place.workspace / ".trouper" / "config.toml").write_text("dotenv = true\n")
    left_out = auth(place, "list")
    (place.workspace / ".trouper" / "config.toml").unlink()
    silent = auth(place, "list")
    (place.home / "config.toml").write_text("dotenv = true\n")
    found = auth(place, "list")

    assert (left_out.code, left_out.out) == (silent.code, silent.out) == (0, "")
    assert found.out.split()[:2] == ["openai", "key"]
    assert "OPENAI_API_KEY in .env" in found.out


def test_a_sign_in_address_is_never_in_the_clear(place: Place) -> None:
    (place.home / "config.toml").write_text('[providers.codex]\nsign_in_url = "http://issuer.example"\n')

    done = auth(place, "list")

    assert done.code == 2
    assert "sign_in_url" in done.err


def test_the_help_has_examples(place: Place) -> None:
    done = auth(place, "--help")

    assert done.code == 0
    assert "trouper auth login codex --device" in done.out
