"""What a summary replaced is found again by the model, in a session of real processes."""

import uuid
from pathlib import Path

import pytest

from actors.messages.conversation import ToolResult
from tests.fakes.driven_session import WRITES
from tests.system.sessions.driver import Driver, driven

pytestmark = pytest.mark.slow
LONG = "word " * 2000


def recall(words: str) -> str:
    return f'{WRITES}\n[{{"name": "recall", "arguments": {{"words": "{words}"}}}}]'


def say(driver: Driver, text: str, **kill: object) -> None:
    driver.do("prompt", text=text, id=uuid.uuid4().hex, **kill)


def recalled(driver: Driver) -> list[ToolResult]:
    return [one for one in driver.last_asked() if isinstance(one, ToolResult) and one.name == "recall"]


def test_a_summed_up_word_is_found_by_the_model_and_once_more_after_kills(tmp_path: Path) -> None:
    with driven(tmp_path) as driver:
        for number in range(6):
            say(driver, f"{LONG}kingfisher-{number}")
        assert driver.do("compact") == {}
        say(driver, recall("kingfisher-2"))
        found = recalled(driver)
        say(driver, recall("kingfisher-4"), kill="store", after=1)
        again = recalled(driver)

    assert [("word kingfisher-2" in one.output, one.failed) for one in found] == [(True, False)]
    assert "word kingfisher-4" in again[-1].output
