"""Planted keys and tokens are nowhere but where they belong: in what is shown, written, logged or started."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import psutil
import pytest

from tests.fakes.in_thread import in_thread
from tests.fakes.sign_in_server import ACCOUNT, SignInServer, open_sign_in_server
from tests.system.harness import LAUNCHER, Fifo, Finished, Place, answer, call, until
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow
IN_ENVIRONMENT = "sk-planted-environment-0123456789"
IN_A_VARIABLE_OF_ITS_OWN = "planted-own-variable-0123456789"
IN_DOT_ENV = "sk-planted-dotenv-0123456789"
IN_THE_VAULT = "sk-planted-vault-0123456789"
TYPED = "sk-planted-typed-0123456789"
IN_A_HEADER = "planted-header-0123456789"
OTHER = "planted-unrelated-secret-0123456789"
PRINTING = (
    "env; set; cat /proc/self/environ /proc/$PPID/environ /proc/1/environ; "
    "for it in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do cat $it; done; cat ~/.trouper/auth.json home/auth.json; "
    "cat {home}/auth.json; true"
)
CONFIG = """
dotenv = true

[providers.codex]
sign_in_url = "{issuer}"
base_url = "{echo}/v1"

[providers.echo]
api = "openai-chat"
base_url = "{echo}/v1"
headers = {{ x-team-auth = "planted-header-0123456789" }}
api_key_env = "ECHO_PASS"

[providers.messages]
api = "anthropic-messages"
base_url = "{echo}"
api_key_env = "MESSAGES_KEY"

[providers.responses]
api = "openai-responses"
base_url = "{echo}/v1"
api_key_env = "RESPONSES_KEY"

[providers.kept]
api = "openai-chat"
base_url = "{echo}/v1"
api_key_env = "KEPT_KEY"
"""


class Echo(BaseHTTPRequestHandler):
    """Refuses every key, and quotes it in all the places where services do."""

    heard: list[str]

    def do_POST(self) -> None:
        credentials = [self.headers.get(name, "") for name in ("authorization", "x-api-key")]
        self.heard += credentials
        said = f"Incorrect API key provided: {' '.join(credentials)}. {self.headers}"
        body = json.dumps({"error": {"message": said, "type": "authentication_error", "code": said}}).encode()
        self.send_response(401)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("x-request-id", credentials[0])
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        pass


class Echoing:
    def __init__(self, url: str, heard: list[str]) -> None:
        self.url = url
        self.heard = heard


@contextmanager
def echoing() -> Iterator[Echoing]:
    heard: list[str] = []
    handler = type("Handler", (Echo,), {"heard": heard})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield Echoing(f"http://127.0.0.1:{server.server_port}", heard)
        server.shutdown()
        thread.join()


class Planted:
    """A place in which every kind of secret is somewhere, and what may be known of each."""

    def __init__(self, place: Place, issuer: SignInServer, echo: Echoing) -> None:
        self.place = place
        self.issuer = issuer
        self.echo = echo
        self.said: list[bytes] = []
        tokens = issuer.tokens()
        signed_in = {"kind": "sign-in", "issuer": issuer.url, "account_id": ACCOUNT, "expires_at": time.time() + 3600}
        vault = {
            "kept": {"kind": "key", "key": IN_THE_VAULT},
            "codex": {**signed_in, "access": tokens["access_token"], "refresh": tokens["refresh_token"]},
        }
        (place.home / "auth.json").write_text(json.dumps(vault))
        (place.home / "auth.json").chmod(0o600)
        (place.home / "config.toml").write_text(CONFIG.format(issuer=issuer.url, echo=echo.url))
        (place.workspace / ".env").write_text(f"RESPONSES_KEY={IN_DOT_ENV}\n")
        place.environment.update(
            ECHO_PASS=IN_A_VARIABLE_OF_ITS_OWN,
            MESSAGES_KEY=IN_ENVIRONMENT,
            GITHUB_TOKEN=OTHER,
            PYTHON_KEYRING_BACKEND="keyring.backends.null.Keyring",
        )

    def secrets(self) -> list[str]:
        """Also those that were made meanwhile."""
        vault = json.loads((self.place.home / "auth.json").read_text())
        tokens = [entry.get(name, "") for entry in vault.values() for name in ("access", "refresh")]
        made = [f"refresh-{number}-planted" for number in range(1, 10)]
        known = [IN_ENVIRONMENT, IN_A_VARIABLE_OF_ITS_OWN, IN_DOT_ENV, IN_THE_VAULT, IN_A_HEADER, TYPED, OTHER]
        return [*known, *made, *filter(None, tokens)]

    def run(self, *arguments: str, **environment: str) -> Finished:
        done = self.place.run(*arguments, **environment)
        self.said += [done.out.encode(), done.err.encode()]
        return done

    def check(self) -> None:
        """Nowhere: what was said, and every file but those that are meant to hold them."""
        home = self.place.home
        meant = {home / "auth.json", home / "config.toml", self.place.workspace / ".env"}
        top = self.place.home.parent
        written = {str(path): path.read_bytes() for path in top.rglob("*") if path.is_file() and path not in meant}
        for number, said in enumerate(self.said):
            written[f"said {number}"] = said
        assert found_in(written, self.secrets()) == []


def found_in(texts: dict[str, bytes], secrets: Iterable[str]) -> list[str]:
    """Also a telling part of one, and what base64 or JSON would make of it."""
    needles = {part.encode() for secret in secrets for part in (secret, secret[: max(12, len(secret) // 2)])}
    return [f"{needle.decode()} in {where}" for where, text in texts.items() for needle in needles if needle in text]


@pytest.fixture
def planted(place: Place) -> Iterator[Planted]:
    with in_thread(open_sign_in_server) as issuer, echoing() as echo:
        yield Planted(place, issuer, echo)


@pytest.mark.parametrize(
    ("model", "secret"),
    [
        ("echo/m", IN_A_VARIABLE_OF_ITS_OWN),
        ("messages/m", IN_ENVIRONMENT),
        ("responses/m", IN_DOT_ENV),
        ("kept/m", IN_THE_VAULT),
    ],
)
@pytest.mark.parametrize("output", ["text", "json", "stream-json"])
def test_a_refusal_that_quotes_the_key(planted: Planted, model: str, secret: str, output: str) -> None:
    done = planted.run("-p", "hello", "--model", model, "--output", output)

    assert done.code == 1
    assert ("trouper auth set kept" in done.out + done.err) == (secret == IN_THE_VAULT)
    assert any(secret in heard for heard in planted.echo.heard), "the key was used"
    planted.check()


def test_a_refusal_that_quotes_tokens_of_a_sign_in(planted: Planted) -> None:
    before = json.loads((planted.place.home / "auth.json").read_text())["codex"]["access"]

    done = planted.run("-p", "hello", "--model", "codex/gpt-5.5", "--output", "stream-json")

    after = json.loads((planted.place.home / "auth.json").read_text())["codex"]["access"]
    assert done.code == 1
    assert planted.echo.heard[::2] == [f"Bearer {before}", f"Bearer {after}"], "it was renewed once"
    assert planted.issuer.renewals() == 1
    planted.check()


@pytest.mark.parametrize("way", ["fork", "exec"])
def test_tools_that_print_all_they_can_see(planted: Planted, way: str) -> None:
    place = planted.place
    printing = PRINTING.format(home=place.home)
    script = place.script(answer("", call("bash", command=printing)), answer("", call("read", path=str(place.home))))

    planted.run("-p", "go on", "--mode", "auto", "--output", "stream-json", "--model", script, TROUPER_SPAWN=way)
    planted.run("sessions", "list", "--json")

    planted.check()


@pytest.mark.parametrize("way", ["fork", "exec"])
def test_the_list_of_processes_and_what_tools_were_started_with(planted: Planted, way: str) -> None:
    place = planted.place
    place.cold = True  # what a process got is seen in its memory and its environment as exec left it
    fifo = Fifo(place.workspace / "fifo")
    waiting = answer("", call("bash", command=": > reached; read word < fifo"))
    session = place.prompt(place.script(waiting, answer("done")), TROUPER_SPAWN=way)
    try:
        until((place.workspace / "reached").exists)
        named = {process: name for process in session.processes() if (name := _name(process))}
        arguments = {f"{name} {it.pid}": _arguments(it) for it, name in named.items()}
        providers = session.actors()["providers"].pid
        environments = {
            f"environment of {name} {it.pid}": _environment(it.pid)
            for it, name in named.items()
            if (name.startswith("tr:") and it.pid != providers) or name in ("bash", "sh")
        }
    finally:
        fifo.let_go()
        finished = session.finish()
        fifo.close()

    assert finished.code == 0
    assert any("tr:tools" in name for name in environments)
    assert any("bash" in name for name in environments)
    assert found_in({**arguments, **environments}, planted.secrets()) == []
    planted.check()


@pytest.mark.parametrize("way", ["fork", "exec"])
@pytest.mark.parametrize(
    "command", [["-p", "go on", "--output", "json"], ["tools", "call", "bash"]], ids=["-p", "tools"]
)
def test_headers_of_the_config_are_in_the_memory_of_the_providers_alone(
    planted: Planted, command: list[str], way: str
) -> None:
    place = planted.place
    place.cold = True
    fifo = Fifo(place.workspace / "fifo")
    waiting = call("bash", command=": > reached; read word < fifo")
    if command[0] == "tools":
        command = [*command, json.dumps(waiting["arguments"])]
    else:
        command = [*command, "--model", place.script(answer("", waiting), answer("done"))]
    session = place.start(*command, "--mode", "auto", TROUPER_SPAWN=way, TROUPER_CHAOS="ui:kill@time:0")
    try:
        until((place.workspace / "reached").exists)
        pids = {name: actor.pid for name, actor in session.actors().items()}
        others = [it for it in session.processes() if it.pid not in {session.pid, pids.get("providers")}]
        memories = {f"{name} {it.pid}": _memory(it.pid) for it in others if (name := _name(it))}
        known = _memory(pids["providers"]) if "providers" in pids else IN_A_HEADER.encode()
    finally:
        fifo.let_go()
        finished = session.finish()
        fifo.close()

    assert finished.code == 0
    assert {"ui", "gate", "store", "tools:main"} <= set(pids)
    assert IN_A_HEADER.encode() in known
    assert [name for name, memory in memories.items() if IN_A_HEADER.encode() in memory] == []


def _name(process: psutil.Process) -> str:
    """Empty if it has just ended."""
    with suppress(psutil.NoSuchProcess):
        return process.name()
    return ""


def _arguments(process: psutil.Process) -> bytes:
    with suppress(psutil.NoSuchProcess):
        return " ".join(process.cmdline()).encode()
    return b""


def _memory(pid: int) -> bytes:
    """What it has written to; nothing of one that has just ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return _written(pid)
    return b""


def _written(pid: int) -> bytes:
    found = []
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            if "w" in rights:
                start, end = (int(address, 16) for address in span.split("-"))
                try:
                    memory.seek(start)
                    found.append(memory.read(end - start))
                except (OSError, OverflowError):
                    continue  # not to be read: the kernel's own
    return b"".join(found)


def _environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except (PermissionError, FileNotFoundError, ProcessLookupError):
        return b""  # so nobody else of this user can read it either; or it has just ended


@pytest.mark.parametrize("moment", ["providers:kill@message:1", "agent:kill@message:3", "store:kill@message:3"])
def test_a_part_that_dies(planted: Planted, moment: str) -> None:
    planted.run("-p", "hello", "--model", "echo/m", "--output", "stream-json", TROUPER_CHAOS=moment)

    planted.check()


def test_the_screen(planted: Planted) -> None:
    place = planted.place
    argv = [sys.executable, "-P", str(LAUNCHER), "hello", "--model", "echo/m"]
    terminal = PtyTerminal(argv, place.workspace, {**place.environment, "LANG": "C.UTF-8"})
    try:
        terminal.wait_for("401")
        terminal.type("/model messages/m\r")
        _ask_again(terminal)
        terminal.type("\x04")
        terminal.wait_for_end()
    finally:
        terminal.close()
    planted.said.append(terminal.raw)

    planted.check()


def _ask_again(terminal: PtyTerminal) -> None:
    seen: Callable[[], bool] = lambda: terminal.text.count("401") > 1  # noqa: E731
    terminal.type("again\r")
    terminal.wait(seen)


def test_a_key_that_is_set_and_what_is_listed(planted: Planted) -> None:
    place = planted.place
    setting = [sys.executable, "-P", str(LAUNCHER), "auth", "set", "groq"]
    done = subprocess.run(
        setting, input=TYPED.encode(), capture_output=True, cwd=place.workspace, env=place.environment, check=True
    )
    planted.said += [done.stdout, done.stderr]
    for arguments in (("auth", "list"), ("auth", "list", "--json"), ("models", "--json"), ("auth", "logout", "codex")):
        planted.run(*arguments)

    assert TYPED in (place.home / "auth.json").read_text()
    planted.check()


def test_a_damaged_vault(planted: Planted) -> None:
    path = planted.place.home / "auth.json"
    whole = path.read_text()
    path.write_text(whole[:-20])
    done = [planted.run("-p", "hello", "--model", "kept/m"), planted.run("auth", "list")]
    assert path.read_text() == whole[:-20]
    path.write_text(whole)

    assert all(one.code for one in done)
    assert all("damaged" in one.err for one in done)
    planted.check()
