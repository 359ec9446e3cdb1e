"""`morph_edit` from end to end: offered only with a key, asked about, merged by a server, written or refused."""

import json
from collections.abc import Iterator

import pytest

from tests.system.harness import Event, Finished, Place, answer, call
from tests.system.services.servers import Serve, serving

pytestmark = pytest.mark.slow
BEFORE = "def divide(a, b):\n    return a / b\n"
AFTER = "def divide(a, b):\n    assert b\n    return a / b\n"
SKETCH = "    assert b\n    # ... existing code ..."
ARGUMENTS = {"path": "calc.py", "instructions": "I add a check", "code_edit": SKETCH}
KEY = "mk-planted-key"


@pytest.fixture
def serve() -> Iterator[Serve]:
    with serving() as serve:
        yield serve


def merge(place: Place, url: str, *more: str) -> Finished:
    (place.workspace / "calc.py").write_text(BEFORE)
    model = place.script(answer("", call("morph_edit", **ARGUMENTS)), answer("Done."))
    arguments = ("-p", "add a check", "--model", model, "--output", "stream-json", *more)
    return place.run(*arguments, MORPH_API_KEY=KEY, MORPH_BASE_URL=f"{url}/v1")


def served(text: str, **more: object) -> Event:
    return {"end": answer(text, **more)}


def result_of(finished: Finished) -> Event:
    return next(event for event in finished.events if event["type"] == "tool_result")


def test_without_a_key_there_is_no_such_tool(place: Place) -> None:
    without = place.run("tools", "list", "--json")
    with_key = place.run("tools", "list", "--json", MORPH_API_KEY=KEY)

    names = [[tool["name"] for tool in json.loads(finished.out)] for finished in (without, with_key)]
    assert set(names[1]) - set(names[0]) == {"morph_edit"}


def test_an_edit_is_merged_and_written(place: Place, serve: Serve) -> None:
    finished = merge(place, serve(served(f"\n{AFTER}\n")), "--allow", "MorphEdit")

    assert finished.code == 0
    assert (place.workspace / "calc.py").read_text() == AFTER
    assert "+    assert b" in result_of(finished)["output"]
    assert KEY not in finished.out + finished.err


def test_unasked_it_is_refused(place: Place, serve: Serve) -> None:
    finished = merge(place, serve(served(AFTER)))

    assert finished.code == 3
    assert "--allow 'Write(calc.py)'" in finished.err
    assert (place.workspace / "calc.py").read_text() == BEFORE


@pytest.mark.parametrize(
    ("server", "why"),
    [
        (served(AFTER, cut=True), "its answer was cut off"),
        (served(AFTER.rstrip("\n")), "its last line end is lost"),
        (served(""), "it is empty"),
        (served("", error={"code": "unauthorized", "text": "no such key"}), "no such key"),
    ],
    ids=["cut", "torn", "empty", "refused"],
)
def test_what_cannot_be_used_leaves_the_file(place: Place, serve: Serve, server: Event, why: str) -> None:
    finished = merge(place, serve(server), "--mode", "accept-edits")

    result = result_of(finished)
    assert (finished.code, result["failed"]) == (0, True)
    assert why in result["output"]
    assert result["output"].endswith("The file is untouched; use edit instead.")
    assert (place.workspace / "calc.py").read_text() == BEFORE


def test_one_tool_call_without_a_model(place: Place, serve: Serve) -> None:
    (place.workspace / "calc.py").write_text(BEFORE)
    url = serve(served(AFTER))

    finished = place.run(
        "tools", "call", "morph_edit", json.dumps(ARGUMENTS), "--allow", "MorphEdit",
        MORPH_API_KEY=KEY, MORPH_BASE_URL=f"{url}/v1",
    )  # fmt: skip

    assert finished.code == 0
    assert (place.workspace / "calc.py").read_text() == AFTER
