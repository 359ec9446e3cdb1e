"""Sessions that grow past the window of their model, end to end: no prompt fails, no word of the user is lost."""

from collections.abc import Iterator
from functools import partial

import pytest

from tests import SOAK
from tests.fakes.in_thread import in_thread
from tests.fakes.small_window import STEP, SmallWindow, open_small_window, words
from tests.system.harness import Event, Place

pytestmark = pytest.mark.slow
TURNS, COMPACTIONS, SUMMARIES = (500, 30, 25) if SOAK else (6, 2, 1)
WINDOW = 32_768
LARGE = "".join(f"{number}: what is written on this line of a large file\n" for number in range(500))
"""About 7,000 tokens."""
PROMPT = "Turn {number}: name-{number} becomes other-{number}."
CONFIG = """model = "local/small"
[providers.local]
api = "{api}"
base_url = "{url}/v1"
"""
KNOWN = f'[models."local/small"]\ncontext = {WINDOW}\n'


CASES = [("openai-chat", True), ("openai-responses", False), ("anthropic-messages", False)]
"""Its window is told in the settings, or has to be learned by being refused."""


@pytest.fixture
def service() -> Iterator[SmallWindow]:
    with in_thread(partial(open_small_window, WINDOW)) as server:
        yield server


@pytest.mark.parametrize(("api", "known"), CASES)
def test_no_prompt_fails_and_every_word_stays(place: Place, service: SmallWindow, api: str, *, known: bool) -> None:
    (place.home / "config.toml").write_text(CONFIG.format(api=api, url=service.url) + KNOWN * known)
    (place.workspace / "large.txt").write_text(LARGE)
    prompts = [PROMPT.format(number=number) for number in range(TURNS)]

    results = [say(place, prompt, go_on=bool(number)) for number, prompt in enumerate(prompts)]

    assert [result["reason"] for result in results] == ["done"] * TURNS
    last = words(service.taken[-1])
    assert [prompt for prompt in prompts if prompt not in last] == []
    assert STEP in last
    assert (service.summaries >= SUMMARIES, service.refused == 0) == (True, known)
    stored = place.entries(results[-1]["session"])
    assert sum(entry["body"]["type"] == "Compacted" for entry in stored) >= COMPACTIONS


def say(place: Place, prompt: str, *, go_on: bool) -> Event:
    """What came of it."""
    finished = place.run("-p", prompt, "--output", "json", "--mode", "auto", *(("-c",) if go_on else ()))
    assert finished.events, finished.err
    return finished.events[-1]
