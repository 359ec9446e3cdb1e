"""A first start, with nobody who could answer: the choice on the screen, over deaths, wrong keys and Esc."""

import json
import os
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import trio

from tests.actors.providers.talking import HELLO
from tests.fakes.in_thread import in_thread
from tests.fakes.model_server import ModelServer, open_model_server
from tests.fakes.sign_in_server import open_sign_in_server
from tests.system.harness import Place, until
from tests.system.screen.questions import decide, write
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
CHOICE = "There is no model yet."
KEY = "sk-planted-0123456789"
NOBODY_HERE = {"OLLAMA_HOST": "127.0.0.1:1", "NO_PROXY": "*"}
OWN = '[providers.mine]\napi = "openai-chat"\nbase_url = "{url}/v1"\napi_key_env = "MINE_KEY"\n'


@pytest.fixture
def models() -> Iterator[ModelServer]:
    with in_thread(lambda: open_model_server(HELLO)) as server:
        yield server


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*arguments: str, **variables: str) -> Tmux:
        place.environment.update({**NOBODY_HERE, **variables})
        opened.append(Tmux(place, *arguments))
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


@asynccontextmanager
async def serving_at(port: int) -> AsyncIterator[ModelServer]:
    server = ModelServer(HELLO)
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve, port)
        yield server
        nursery.cancel_scope.cancel()


def take(tmux: Tmux, words: str) -> None:
    """The choice of the open list that has these words."""
    tmux.wait(lambda: "type to filter" in tmux.visible)
    tmux.type(words)
    tmux.wait(lambda: " 1 of " in tmux.visible)
    tmux.press_until(lambda: " 1 of " not in tmux.visible, "Enter")


def kept_anywhere(place: Place) -> list[str]:
    """Files of the home, beside the one for keys, in which the key is."""
    files = [path for path in Path(place.home).rglob("*") if path.is_file() and path.name != "auth.json"]
    return [str(path) for path in files if KEY[:12].encode() in path.read_bytes()]


def test_a_key_of_the_environment_is_named_and_the_prompt_goes_on_with_it(
    start: Start, place: Place, models: ModelServer
) -> None:
    (place.home / "config.toml").write_text(f'[providers.groq]\nbase_url = "{models.url}/v1"\n')
    tmux = start("go on", GROQ_API_KEY=KEY)
    tmux.wait_for(CHOICE)
    assert "key in GROQ_API_KEY" in tmux.visible

    take(tmux, "use groq")

    tmux.wait_for("groq/test-model answers from now on")
    tmux.wait(lambda: len(models.asked) > 0 and "esc stops" not in tmux.visible)
    assert KEY not in tmux.text
    assert 'model = "groq/test-model"' in (place.home / "config.toml").read_text()
    assert {got.headers["authorization"] for got in models.asked} == {f"Bearer {KEY}"}
    tmux.close()
    until(lambda: place.left() == [])

    again = start("go on")
    again.wait(lambda: "test-model · " in again.visible)
    assert CHOICE not in again.text


def test_a_pasted_key_is_kept_and_seen_nowhere_else(start: Start, place: Place, models: ModelServer) -> None:
    (place.home / "config.toml").write_text(OWN.format(url=models.url))
    tmux = start("go on")
    take(tmux, "paste an API")
    take(tmux, "mine")
    tmux.wait_for("The API key for mine")
    tmux.press_until(lambda: "••" in tmux.visible, "x")
    tmux.press("C-u")
    tmux.paste("no key at all")
    tmux.press("Enter")
    tmux.wait_for("That cannot be an API key")

    tmux.press_until(lambda: "••" in tmux.visible, "x")
    tmux.press("C-u")
    tmux.paste(KEY)
    tmux.wait(lambda: "•" * len(KEY) in tmux.visible)
    tmux.press("Enter")

    tmux.wait_for("mine/test-model answers from now on")
    tmux.wait(lambda: len(models.asked) > 0 and "esc stops" not in tmux.visible)
    assert {got.headers["authorization"] for got in models.asked} == {f"Bearer {KEY}"}
    assert "sk-planted" not in tmux.text
    assert kept_anywhere(place) == []


def test_a_screen_that_is_killed_over_a_key_asks_again_and_has_kept_nothing_of_it(
    start: Start, place: Place, models: ModelServer
) -> None:
    (place.home / "config.toml").write_text(OWN.format(url=models.url))
    tmux = start("go on")
    take(tmux, "paste an API")
    take(tmux, "mine")
    tmux.wait_for("The API key for mine")
    tmux.press_until(lambda: "••" in tmux.visible, "x")
    tmux.paste(KEY)
    tmux.wait(lambda: "•" * len(KEY) in tmux.visible)

    until(lambda: [json.loads(value)["secret"] for value in place.remembered("draft/")] == [True])

    screen = tmux.pid("ui")
    os.kill(screen, signal.SIGSTOP)
    tmux.type("sk-planted-too")
    os.kill(screen, signal.SIGKILL)

    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: CHOICE in tmux.visible)
    assert "sk-planted" not in tmux.text
    assert kept_anywhere(place) == []
    take(tmux, "paste an API")
    take(tmux, "mine")
    tmux.wait(lambda: "The API key for mine" in tmux.visible)
    tmux.press_until(lambda: "••" in tmux.visible, "x")
    tmux.press("C-u")
    tmux.paste(KEY)
    tmux.press("Enter")
    tmux.wait_for("mine/test-model answers from now on")
    tmux.wait(lambda: len(models.asked) > 0)


def test_one_signs_in_by_a_pasted_address_and_the_prompt_goes_on(
    start: Start, place: Place, models: ModelServer
) -> None:
    with in_thread(open_sign_in_server) as server:
        config = f'[providers.openrouter]\nsign_in_url = "{server.url}"\nbase_url = "{models.url}/v1"\n'
        (place.home / "config.toml").write_text(config)
        tmux = start("go on")
        take(tmux, "sign in codex")
        take(tmux, "openrouter")
        tmux.wait(lambda: "Signing in to openrouter" in tmux.visible)
        rows = tmux.text[tmux.text.index(server.url) :].partition("\n\n")[0].split("\n")
        address = "".join(row.rstrip() for row in rows)
        back = httpx.get(address, trust_env=False).headers["location"]

        write(tmux, "p")
        tmux.paste("http://localhost/elsewhere?code=1")
        tmux.press("Enter")
        tmux.wait_for("not the answer")
        write(tmux, "p")
        tmux.paste(back)
        tmux.press("Enter")

        tmux.wait_for("signed in to openrouter")
        tmux.wait_for("answers from now on")
        tmux.wait(lambda: len(models.asked) > 0 and "esc stops" not in tmux.visible)
    assert {got.headers["authorization"] for got in models.asked} == {"Bearer sk-or-planted"}
    assert "planted" not in tmux.text


def test_a_sign_in_that_is_given_up_leads_back_to_the_choice(start: Start, place: Place) -> None:
    with in_thread(open_sign_in_server) as server:
        (place.home / "config.toml").write_text(f'[providers.openrouter]\nsign_in_url = "{server.url}"\n')
        tmux = start("go on")
        take(tmux, "sign in codex")
        take(tmux, "openrouter")
        tmux.wait(lambda: "Signing in to openrouter" in tmux.visible)

        decide(tmux, "n", "Signing in to openrouter")
        tmux.wait(lambda: CHOICE in tmux.visible)

    assert not (place.home / "auth.json").exists()


def test_a_server_that_is_started_meanwhile_is_found_by_looking_again(start: Start) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    tmux = start("go on", OLLAMA_HOST=f"127.0.0.1:{port}")
    tmux.wait_for(CHOICE)
    assert "use ollama" not in tmux.visible

    with in_thread(lambda: serving_at(port)) as server:
        take(tmux, "look again")
        tmux.wait(lambda: "use ollama/" in tmux.visible)
        take(tmux, "use ollama")

        tmux.wait_for("answers from now on")
        tmux.wait(lambda: len(server.asked) > 0 and "esc stops" not in tmux.visible)


def test_esc_says_how_to_go_on_and_the_prompt_comes_back(start: Start) -> None:
    tmux = start("go on")
    tmux.wait_for(CHOICE)

    tmux.press("Escape")

    tmux.wait_for("your next prompt asks again")
    tmux.wait(lambda: "❯ go on" in tmux.visible)
    tmux.press_until(lambda: CHOICE in tmux.visible, "Enter")


def test_a_prompt_that_was_typed_into_the_choice_is_in_the_composer_after_it(start: Start) -> None:
    tmux = start()
    tmux.wait_for(CHOICE)

    tmux.type("what is this?")
    tmux.wait_for("0 of ")
    tmux.press("Escape")

    tmux.wait(lambda: "❯ what is this?" in tmux.visible and CHOICE not in tmux.visible)


def test_lines_ask_by_numbers_and_show_no_key(start: Start, place: Place, models: ModelServer) -> None:
    (place.home / "config.toml").write_text(OWN.format(url=models.url))
    tmux = start("--plain", "go on")
    for answered, (asked, line) in enumerate((("paste an API key", "paste"), ("anthropic", "mine"))):
        tmux.wait(lambda asked=asked, so_far=answered: asked in tmux.text and tmux.text.count("answer:") > so_far)
        tmux.press_until(lambda n=answered: tmux.text.count("none of the answers") > n, "Enter")
        tmux.type(line)
        tmux.press("Enter")
    tmux.wait_for("The API key for mine")
    tmux.type("no key")
    tmux.press("Enter")
    tmux.wait_for("That cannot be an API key")

    tmux.type(KEY)
    tmux.press("Enter")

    tmux.wait_for("mine/test-model answers from now on")
    tmux.wait(lambda: len(models.asked) > 0)
    assert {got.headers["authorization"] for got in models.asked} == {f"Bearer {KEY}"}
    assert "sk-planted" not in tmux.text
    assert kept_anywhere(place) == []
