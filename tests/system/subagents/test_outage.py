"""Subagents while their service refuses everybody: none is lost, and nothing is asked twice that was answered."""

from collections import Counter

import msgspec
import pytest

from actors.providers.scripted import Script
from tests.fakes.in_thread import in_thread
from tests.fakes.outages import Outage, open_unsteady_server
from tests.system.harness import Place, answer, call
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow
NAMES = ("one", "two", "three", "four")
SCRIPT = msgspec.convert(
    {
        "answers": [answer("", *(spawn(name, f"task of {name}") for name in NAMES))],
        "end": answer("All have answered."),
        "cases": [
            case(f"task of {name}", answer("", call("list", path=".")), answer(f"{name} is done")) for name in NAMES
        ],
    },
    Script,
)


@pytest.mark.parametrize("fault", ["429", "529"])
def test_all_wait_and_all_go_on(place: Place, fault: str) -> None:
    with in_thread(lambda: open_unsteady_server(SCRIPT, [Outage(fault, after=2, seconds=4.0)])) as service:
        provider = f'providers.local.api = "openai-chat"\nproviders.local.base_url = "{service.server.url}/v1"\n'
        (place.home / "config.toml").write_text(provider)
        finished = place.prompt("local/test-model").finish()
        answered, refused = service.server.answered, len(service.server.asked) - service.server.answered

    result = finished.events[-1]
    session = result["session"]
    kinds = Counter(
        entry["body"]["type"] for number in range(1, 1 + len(NAMES)) for entry in place.entries(f"{session}.{number}")
    )
    assert (finished.code, result["agents"]) == (0, dict.fromkeys(NAMES, "completed")), finished.err
    assert result["answer"] == "All have answered."
    assert answered == 2 + 2 * len(NAMES) == 2 + kinds["AssistantMessage"]
    assert refused > 0
    assert {event.get("agent") for event in finished.events if event["type"] == "retry"} <= {*NAMES, None}
    assert any("agent" in event for event in finished.events if event["type"] == "retry")
    assert kinds["ToolResult"] == len(NAMES)
    assert "error" not in {event["type"] for event in finished.events}
