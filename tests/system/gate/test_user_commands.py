"""Commands of the user's for an agent: only the ui may ask, rules hold, and they are where the agent's own are."""

import json

import pytest

from tests.system.harness import Place, answer

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("check", "rules", "said"),
    [
        ("touch ../outside", (), "may not run"),
        ("cat a.secret", ("--deny", "Read(**/*.secret)"), "may not run"),
        ("curl http://127.0.0.1:9", ("--deny", "Bash(curl:*)"), "may not run"),
        ("git push", (), "may not run"),
    ],
)
def test_a_check_is_held_as_the_agent_is(place: Place, check: str, rules: tuple[str, ...], said: str) -> None:
    (place.workspace / "a.secret").write_text("s\n")
    task = {"id": "a", "prompt": "a", "mode": "plan", "check": check}
    (place.workspace / "tasks.jsonl").write_text(json.dumps(task) + "\n")
    finished = place.run("batch", "tasks.jsonl", "--model", place.script(answer("Done.")), *rules)

    (line,) = map(json.loads, (place.workspace / "tasks.results.jsonl").read_text().splitlines())
    assert (finished.code, line["reason"]) == (1, "failed")
    assert said in line["error"]
    assert not (place.workspace.parent / "outside").exists()
