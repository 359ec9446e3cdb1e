"""Sessions that grow past the window of their model, end to end: no prompt fails, no word of the user is lost.

Each begins on the screen, where a plan is denied and another approved, and goes on without one, a process a prompt.
"""

import re
import shutil
import time
from collections.abc import Iterator, Sequence
from functools import partial

import pytest

from tests import SOAK
from tests.fakes import overflows
from tests.fakes.in_thread import in_thread
from tests.fakes.model_formats import SIGNATURE
from tests.fakes.small_window import PLAN, SmallWindow, open_small_window, words
from tests.system.harness import Event, Place, until
from tests.system.screen.test_plan import answer_plan, write_feedback
from tests.system.screen.tmux import Tmux
from tests.system.sessions.requests import unpaired

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
TURNS, COMPACTIONS, SUMMARIES = (500, 30, 25) if SOAK else (8, 3, 2)
SWITCHES = 30 if SOAK else 6
"""Turns with another service every second time."""
WINDOW = 32_768
LARGE = "".join(f"{number}: what is written on this line of a large file\n" for number in range(500))
"""About 7,000 tokens."""
APIS = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic-messages": "/v1/messages",
}
CONFIG = 'model = "{api}/small"\n'
PROVIDER = """[providers.{api}]
api = "{api}"
base_url = "{url}/v1"
"""
KNOWN = '[models."{api}/small"]\ncontext = {window}\n'
FIRST = "Plan first: nothing below src/old may ever be touched."
DENIED = "No, not at once: in steps, and the tests come first."


@pytest.fixture
def service() -> Iterator[SmallWindow]:
    with in_thread(partial(open_small_window, WINDOW)) as server:
        yield server


def prompt(number: int) -> str:
    if number % 5 == 4:
        return f"No, not other-{number - 1}: name-{number - 1} becomes right-{number - 1}."
    return f"Turn {number}: name-{number} becomes other-{number}."


@pytest.mark.parametrize("api", APIS)
def test_no_prompt_fails_and_every_word_stays(place: Place, service: SmallWindow, api: str) -> None:
    """The window has to be learned by being refused."""
    configure(place, service, api, known=False)
    plan_first(place)
    service.taken.clear()
    lost, began = [], time.monotonic()

    said = [FIRST, DENIED]
    results = []
    for number in range(TURNS):
        said.append(prompt(number))
        results.append(say(place, said[-1]))
        lost += missing(service, said)

    compactions = compacted(place, results[-1])
    report = (
        f"{api}: {TURNS} turns, {compactions} compactions, {service.summaries} summaries, {service.refused} refused"
    )
    print(f"{report}, {time.monotonic() - began:.0f} s")  # shown by `just soak`
    assert [result["reason"] for result in results if result["reason"] != "done"] == []
    assert lost == []
    assert (compactions >= COMPACTIONS, service.summaries >= SUMMARIES) == (True, True), report
    assert service.refused >= (len(overflows.ALL[APIS[api]]) if SOAK else 1)


def test_another_service_goes_on_with_what_was_compacted(place: Place, service: SmallWindow) -> None:
    """Their windows are known, so none has to refuse."""
    configure(place, service, *APIS, known=True)
    plan_first(place)
    service.taken.clear()
    said, lost, foreign = [FIRST, DENIED], [], []

    for number in range(SWITCHES):
        api = [*APIS][number // 2 % len(APIS)]
        said.append(prompt(number))
        result = say(place, said[-1], "--model", f"{api}/small")
        assert result["reason"] == "done", result
        assert {got.path for got, _ in service.taken} == {APIS[api]}
        if number % 2 == 0:
            foreign += [got for got, _ in service.taken[:1] if SIGNATURE in words(got)]
        lost += missing(service, said)

    assert lost == []
    assert foreign == []
    assert service.refused == 0
    assert compacted(place, result) >= 2


def configure(place: Place, service: SmallWindow, *apis: str, known: bool) -> None:
    parts = [CONFIG.format(api=apis[0])]
    for api in apis:
        parts += [PROVIDER.format(api=api, url=service.url), KNOWN.format(api=api, window=WINDOW) * known]
    (place.home / "config.toml").write_text("".join(parts))
    (place.workspace / "large.txt").write_text(LARGE)


def plan_first(place: Place) -> None:
    """One plan is denied, in words, the next one approved."""
    tmux = Tmux(place, "--mode", "plan", width=100, height=30)
    try:
        tmux.wait_for(" plan: read-only ")
        tmux.type(FIRST)
        tmux.press("Enter")
        write_feedback(tmux)
        tmux.type(DENIED)
        tmux.press("Enter")
        tmux.wait(lambda: "plan denied" in tmux.text and "Approve this plan?" in tmux.visible)
        answer_plan(tmux, "1")
        tmux.wait_for_turn("I have read it")
    finally:
        tmux.close()
        until(lambda: place.left() == [])


def say(place: Place, text: str, *more: str) -> Event:
    """What came of it; the session goes on in a new process."""
    finished = place.run("-c", "-p", text, "--output", "json", "--mode", "auto", *more)
    assert finished.events, finished.err
    return finished.events[-1]


def missing(service: SmallWindow, said: Sequence[str]) -> list[str]:
    """Of each request since it was asked last: what is not in it, word for word and in order, or is wrong with it."""
    found: list[str] = []
    for got, steps in service.taken:
        told, at = words(got), 0
        for text in said:
            place = told.find(text, at)
            found += [f"{len(said)}: {text}"] if place < 0 else []
            at = max(place, at)
        kept = [re.sub(r"\s+", " ", PLAN).strip(), *steps]
        found += [f"{len(said)}: {text[:40]}" for text in kept if text not in told]
        found += unpaired(got.path, got.body)
    service.taken.clear()
    return found


def compacted(place: Place, result: Event) -> int:
    return sum(entry["body"]["type"] == "Compacted" for entry in place.entries(result["session"]))
