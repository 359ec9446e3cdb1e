"""A session's name in tmux before the real agent: a mock service is asked for it, and is quick, slow, or refuses."""

import json
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import pytest
import trio

from actors.providers.scripted import Script, ScriptedUsage
from tests.fakes.in_thread import in_thread
from tests.fakes.naming_service import NamingService
from tests.system.harness import BOUND_S, Event, Place, answer, call, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
CONFIG = """
model = "local/test-model"
naming_model = "local/test-model-large"
[providers.local]
api = "openai-chat"
base_url = "{url}/v1"
[models."local/test-model"]
prices = [{{ input = 2, output = 10 }}]
[models."local/test-model-large"]
prices = [{{ input = 1, output = 1 }}]
"""
USED = {"input_tokens": 1000, "output_tokens": 100}
COST = 0.003
"""Of one answer."""
NAME_COST = 0.0011
ANSWERS = [answer("First.", usage=USED), answer("Second.", usage=USED)]
NAME = "\x1b]0;pwned\x07\x1b[31mBlue login\x1b[0m page\nas you wished"
CLEAN = "Blue login page"
Start = Callable[..., tuple[Tmux, NamingService]]


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []
    with in_thread(partial(_serving, NAME)) as service:

        def begin(*answers: Event, held: bool = False, refuses: bool = False) -> tuple[Tmux, NamingService]:
            """held: names wait."""
            service.answer_with(msgspec.convert({"answers": answers or ANSWERS}, Script))
            service.refuses = refuses
            if held:
                service.let_go.clear()
            (place.home / "config.toml").write_text(CONFIG.format(url=service.url))
            opened.append(Tmux(place, width=140))
            return opened[-1], service

        yield begin
        for tmux in opened:
            tmux.close()
        service.let_go.set()
        until(lambda: place.left() == [])


@asynccontextmanager
async def _serving(name: str) -> AsyncIterator[NamingService]:
    service = NamingService(Script(), name, ScriptedUsage(**USED))
    async with trio.open_nursery() as nursery:
        await nursery.start(service.serve)
        yield service
        nursery.cancel_scope.cancel()


def say(tmux: Tmux, text: str, heard: str) -> None:
    tmux.wait_for("· ~/work")
    tmux.type(text)
    tmux.press("Enter")
    tmux.wait_for_turn(heard)


def leave(tmux: Tmux) -> None:
    tmux.press("C-d")
    tmux.check_terminal()


def listed(place: Place) -> Event:
    (one,) = json.loads(place.run("sessions", "list", "--json").out)
    return dict(one)


def kinds(place: Place) -> list[str]:
    return [entry["body"]["type"] for entry in place.entries(listed(place)["session_id"])]


def test_a_session_is_named_after_its_first_prompt(start: Start, place: Place) -> None:
    tmux, service = start()

    say(tmux, "make the login page blue", "First.")
    tmux.wait(lambda: f"· {CLEAN}" in tmux.visible)
    say(tmux, "and now red", "Second.")
    leave(tmux)

    (got,) = service.asked_for_names
    body = json.loads(got.body)
    assert (body["model"], body.get("tools")) == ("test-model-large", None)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"].endswith("\n\nmake the login page blue")
    assert "pwned" not in tmux.text + tmux.title
    one = listed(place)
    assert (one["name"], one["cost_usd"]) == (CLEAN, pytest.approx(2 * COST + NAME_COST))


def test_a_slow_one_holds_up_neither_a_turn_nor_the_end(start: Start, place: Place) -> None:
    tmux, service = start(held=True)

    say(tmux, "make the login page blue", "First.")
    assert service.was_asked.wait(BOUND_S)
    say(tmux, "and now red", "Second.")
    leave(tmux)

    assert not service.let_go.is_set()
    assert listed(place)["name"] == ""


def test_one_that_fails_changes_nothing(start: Start, place: Place) -> None:
    tmux, service = start(refuses=True)

    say(tmux, "make the login page blue", "First.")
    assert service.was_asked.wait(BOUND_S)
    say(tmux, "and now red", "Second.")
    leave(tmux)

    assert len(service.asked_for_names) == 1
    assert "Overloaded" not in tmux.text
    assert "Retrying" not in tmux.text
    one = listed(place)
    assert (one["name"], one["cost_usd"]) == ("", pytest.approx(2 * COST))
    assert kinds(place).count("BrokenTry") == 0
    failures = [event for event in place.log() if event["event"] == "request failed"]
    assert [(event["model"], event["status"]) for event in failures] == [("local/test-model-large", 529)]


def test_the_users_own_name_stays(start: Start, place: Place) -> None:
    tmux, service = start(held=True)
    say(tmux, "make the login page blue", "First.")
    assert service.was_asked.wait(BOUND_S)

    say(tmux, "/name the red one", 'now called "the red one"')
    tmux.wait(lambda: "· the red one" in tmux.visible)
    service.let_go.set()
    until(lambda: "Named" in kinds(place))
    leave(tmux)

    assert listed(place)["name"] == "the red one"
    assert CLEAN not in tmux.text


def test_esc_ends_the_turn_and_not_the_naming(start: Start) -> None:
    tmux, service = start(answer("Looking.", call("list")), answer("Never.", delay_s=1000.0), held=True)
    tmux.wait_for("· ~/work")
    tmux.type("make the login page blue")
    tmux.press("Enter")
    tmux.wait_for("● list")
    assert service.was_asked.wait(BOUND_S)

    tmux.press("Escape")
    tmux.wait(lambda: "interrupted" in tmux.visible)
    service.let_go.set()

    tmux.wait(lambda: f"· {CLEAN}" in tmux.visible)


def test_when_the_agent_is_killed_it_is_not_asked_again(start: Start, place: Place) -> None:
    tmux, service = start(held=True)
    say(tmux, "make the login page blue", "First.")
    assert service.was_asked.wait(BOUND_S)

    tmux.kill("agent:main")
    service.let_go.set()
    say(tmux, "and now red", "Second.")
    leave(tmux)

    assert len(service.asked_for_names) == 1
    assert "Named" not in kinds(place)


def test_without_a_screen_none_is_asked_for(start: Start, place: Place) -> None:
    tmux, service = start()
    tmux.close()

    assert place.run("-p", "make the login page blue").out == "First.\n"

    assert service.asked_for_names == []
    assert listed(place)["name"] == ""
