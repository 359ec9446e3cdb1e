"""Services that sum up by themselves, end to end: what they made goes back as it was, and no other model needs it."""

from collections.abc import Iterator
from functools import partial

import msgspec
import pytest

from tests.fakes.in_thread import in_thread
from tests.fakes.own_compaction import USED, OwnCompaction, open_own_compaction
from tests.fakes.small_window import SUMMARY, words
from tests.system.harness import Event, Place, Session, until

pytestmark = pytest.mark.slow
WINDOW, LARGER = 32_768, 200_000
"""Of the model that is summed up; of the service and its other model."""
LARGE = "".join(f"{number}: what is written on this line of a large file\n" for number in range(500))
PROMPT = "Turn {number}: name-{number} becomes other-{number}."
CONFIG = """model = "local/small"
[providers.local]
api = "{api}"
dialect = "{dialect}"
base_url = "{url}/v1"
[models."local/small"]
context = {window}
prices = [{{input = 1.0, output = 10.0}}]
[models."local/other"]
context = {larger}
"""
OPENAI, ANTHROPIC = ("openai-responses", "openai"), ("anthropic-messages", "anthropic")
BOTH = pytest.mark.parametrize("speaks", [OPENAI, ANTHROPIC])
TURNS = 6
IN_WORDS = " ".join(SUMMARY.split())


@pytest.fixture
def service() -> Iterator[OwnCompaction]:
    with in_thread(partial(open_own_compaction, LARGER)) as server:
        yield server
        server.go_on.set()


def test_what_the_service_made_goes_back_as_it_was(place: Place, service: OwnCompaction) -> None:
    told(place, service, OPENAI)

    results = turns(place, TURNS)

    assert {result["reason"] for result in results} == {"done"}
    assert (len(service.made) >= 2, service.refused) == (True, 0)
    assert first_item(service) == service.made[-1]["encrypted_content"]
    assert unsaid(service, TURNS) == []
    assert IN_WORDS not in words(service.taken[-1].got)
    compacted = compactions(place, results)
    assert all("## Goal" in one["carried"]["summary"] for one in compacted)
    assert all("only it can read" in one["told"] for one in compacted)


def test_a_readable_summary_is_the_summary(place: Place, service: OwnCompaction) -> None:
    told(place, service, ANTHROPIC)

    results = turns(place, TURNS)

    assert {result["reason"] for result in results} == {"done"}
    assert (len(service.made) >= 2, service.summaries, service.refused) == (True, 0, 0)
    assert service.made[-1]["content"].splitlines()[1] in words(service.taken[-1].got)
    assert unsaid(service, TURNS) == []
    compacted = compactions(place, results)
    assert [one for one in compacted if "sealed" in one] == []
    cost = (USED["input_tokens"] * 1.0 + USED["output_tokens"] * 10.0) / 1e6
    assert [one["usage"]["cost_usd"] for one in compacted] == pytest.approx([cost] * len(compacted))
    assert compacted[0]["usage"]["input_tokens"] == USED["input_tokens"]


@BOTH
def test_a_service_that_does_not_know_it_is_asked_for_a_summary(
    place: Place, service: OwnCompaction, speaks: tuple[str, str]
) -> None:
    service.missing = True
    told(place, service, speaks)

    results = turns(place, TURNS)

    assert {result["reason"] for result in results} == {"done"}
    assert (len(service.compactions) >= 1, service.summaries >= 1, service.made) == (True, True, [])
    assert unsaid(service, TURNS) == []


def test_another_model_goes_on_with_the_words_and_the_first_one_with_its_own(
    place: Place, service: OwnCompaction
) -> None:
    told(place, service, OPENAI)
    turns(place, TURNS)

    other = say(place, "And now, other model?", "-c", "--model", "local/other")
    by_other = service.taken[-1].got
    again = say(place, "And you again?", "-c", "--model", "local/small")

    assert (other["reason"], again["reason"]) == ("done", "done")
    assert b'"compaction"' not in by_other.body
    assert IN_WORDS in words(by_other)
    assert [prompt for prompt in prompts(TURNS) if prompt not in words(by_other)] == []
    assert first_item(service).startswith("sealed-")


def test_what_the_service_cannot_read_any_more_is_said_in_words(place: Place, service: OwnCompaction) -> None:
    told(place, service, OPENAI)
    turns(place, TURNS)
    service.forgets = len(service.made)

    result = say(place, "Do you still know?", "-c", "--model", "local/small")

    assert (result["reason"], service.forgotten) == ("done", 1)
    assert unsaid(service, TURNS) == []


@BOTH
@pytest.mark.parametrize("actor", ["agent:main", "store", "providers"])
def test_a_death_while_the_service_sums_up_loses_nothing(
    place: Place, service: OwnCompaction, speaks: tuple[str, str], actor: str
) -> None:
    told(place, service, speaks)
    service.go_on.clear()
    first, *later = prompts(TURNS)
    session = place.start("-p", first, *HOW)
    while later and not sums_up(service, session):
        session = place.start("-p", later.pop(0), "-c", *HOW)
    session.kill(actor)
    service.go_on.set()

    finished = session.finish()
    after = say(place, "And now?", "-c")

    assert [finished.events[-1]["reason"], after["reason"]] == ["done", "done"], finished.err
    assert unsaid(service, TURNS - len(later)) == []
    assert len(compactions(place, [after])) >= 1


def sums_up(service: OwnCompaction, session: Session) -> bool:
    """Or the session has ended without."""
    until(lambda: bool(service.compactions) or not session.running)
    return bool(service.compactions)


HOW = ("--output", "json", "--mode", "auto")


def told(place: Place, service: OwnCompaction, speaks: tuple[str, str]) -> None:
    api, dialect = speaks
    config = CONFIG.format(api=api, dialect=dialect, url=service.url, window=WINDOW, larger=LARGER)
    (place.home / "config.toml").write_text(config)
    (place.workspace / "large.txt").write_text(LARGE)


def prompts(count: int) -> list[str]:
    return [PROMPT.format(number=number) for number in range(count)]


def turns(place: Place, count: int) -> list[Event]:
    return [say(place, prompt, *(("-c",) if number else ())) for number, prompt in enumerate(prompts(count))]


def say(place: Place, prompt: str, *more: str) -> Event:
    """What came of it."""
    finished = place.run("-p", prompt, *HOW, *more)
    assert finished.events, finished.err
    return finished.events[-1]


def unsaid(service: OwnCompaction, count: int) -> list[str]:
    """Prompts that are not in the latest request."""
    last = words(service.taken[-1].got)
    return [prompt for prompt in prompts(count) if prompt not in last]


def first_item(service: OwnCompaction) -> str:
    item: str = msgspec.json.decode(service.taken[-1].got.body)["input"][0]["encrypted_content"]
    return item


def compactions(place: Place, results: list[Event]) -> list[Event]:
    """Those with a summary."""
    bodies = [entry["body"] for entry in place.entries(results[-1]["session"])]
    return [body for body in bodies if body["type"] == "Compacted" and body["kept_from"]]
