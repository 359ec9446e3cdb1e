"""What a turn without calls does not need is neither started nor imported."""

import json
import subprocess
import sys

import pytest

from tests import ROOT
from tests.system.harness import Place, answer, call

pytestmark = pytest.mark.slow
SLOW = {"chunks": 20, "chunk_delay_s": 0.5}
LOOK = answer("I look.", call("read", path="a.txt"))
IMPORTED = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
for module in importlib.import_module("supervisor.tree").MODULES:
    importlib.import_module(module)
print(json.dumps(sorted(sys.modules)))
"""


def test_a_turn_without_calls_starts_no_worker(place: Place) -> None:
    (place.workspace / "a.txt").write_text("one\n")
    first = place.prompt(place.script(LOOK, answer("Done."))).finish()
    assert first.code == 0

    session = place.prompt(place.script(answer("one two three four five six", **SLOW)))
    session.wait_for("text")
    actors = session.actors()

    assert (actors["tools:main"].state, actors["tools:main"].pid) == ("waiting", 0)
    assert actors["gate"].pid != 0


def test_its_first_call_starts_it(place: Place) -> None:
    (place.workspace / "a.txt").write_text("one\n")
    place.prompt(place.script(answer("Done."))).finish()

    finished = place.prompt(place.script(LOOK, answer("Done."))).finish()

    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert [(result["name"], result["failed"]) for result in results] == [("read", False)]


def test_the_zygote_imports_no_tool_and_nothing_that_reads_commands() -> None:
    done = subprocess.run([sys.executable, "-I", "-c", IMPORTED, str(ROOT)], capture_output=True, text=True, check=True)
    imported = json.loads(done.stdout)

    assert [
        name
        for name in imported
        if name.startswith(("actors.tools", "actors.confinement", "actors.gate.bash.shell", "httpx"))
    ] == []
