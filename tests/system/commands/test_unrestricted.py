"""--unrestricted from end to end: what it runs, who may say it, and that every result tells."""

import json

import pytest

from tests.system.harness import Place, answer, call

pytestmark = pytest.mark.slow
MEANT = {"TROUPER_UNRESTRICTED": "1"}


def test_it_runs_what_is_else_asked_about_and_every_result_says_so(place: Place) -> None:
    (place.workspace / "src").mkdir()
    (place.workspace / ".git" / "hooks").mkdir(parents=True, exist_ok=True)
    outside = place.home.parent / "outside.txt"
    script = place.script(
        answer("", call("bash", command=f"rm -rf src; f() {{ echo a $TEST_API_KEY; }}; f > {outside}")),
        answer("", call("write", path=".git/hooks/x", content="x"), call("bash", command="id > ../denied")),
        answer("Done."),
    )

    environment = {**MEANT, "TEST_API_KEY": "secret"}
    options = ("--unrestricted", "--deny", "Bash(id:*)", "--output", "stream-json", "--model", script)
    finished = place.run("-p", "go on", *options, **environment)

    first, *_, last = finished.events
    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert (finished.code, first["unrestricted"], last["unrestricted"]) == (0, True, True)
    assert [result["denied"] for result in results] == [False, False, True]
    assert "trouper: unrestricted: everything runs unasked" in finished.err
    assert not (place.workspace / "src").exists()
    assert outside.read_text() == "a\n"
    assert (place.workspace / ".git" / "hooks" / "x").read_text() == "x"


def test_by_the_users_own_file_it_is_the_same_for_single_calls(place: Place) -> None:
    (place.home / "config.toml").write_text("unrestricted = true\n")

    finished = place.run("tools", "call", "bash", '{"command": "rm -rf src; echo ok"}', "--json", **MEANT)

    answered = json.loads(finished.out)
    assert (finished.code, answered["output"], answered["summary"]) == (0, "ok", "exit 0, 1 line · unrestricted")


@pytest.mark.parametrize("file", ["config.toml", "config.local.toml"])
def test_a_workspace_cannot_say_it(place: Place, file: str) -> None:
    folder = place.workspace / ".trouper"
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / file).write_text("unrestricted = true\n")

    finished = place.run("tools", "call", "bash", '{"command": "rm -rf src; echo ok"}', **MEANT)

    assert finished.code == 3
    assert '"unrestricted" may only be set in your own config file: a workspace is not trusted to' in finished.err
