"""`trouper doctor` on this machine: it tries the sandbox anew and leaves with a true exit code."""

import json

import pytest

from tests.system.harness import Place

pytestmark = pytest.mark.slow


def test_it_tells_what_is_there_and_that_work_is_possible(place: Place) -> None:
    model = place.script()
    said = place.run("doctor", "--json", "--mode", "auto", "--model", model)
    states = {check["name"]: check for check in json.loads(said.out)["checks"]}

    assert said.code == 0, said.out
    assert states["model"]["found"].startswith("scripted:")
    assert states["mode"]["found"].startswith("auto: high risk")
    assert {"workspace", "sandbox", "bwrap", "rg", "git", "gh", "config", "symbols"} <= set(states)


def test_without_a_model_it_says_what_to_do(place: Place) -> None:
    said = place.run("doctor")

    assert said.code == 1
    assert "trouper auth" in said.out


def test_a_broken_config_is_one_problem_and_the_rest_is_looked_at(place: Place) -> None:
    (place.home / "config.toml").write_text("sandbox = 3\n")

    said = place.run("doctor", "--json", "--model", place.script())
    checks = {check["name"]: check for check in json.loads(said.out)["checks"]}

    assert said.code == 1
    assert checks["config"]["state"] == "problem"
    assert "config.toml" in checks["config"]["found"]
    assert checks["model"]["state"] == "ok"


def test_what_was_remembered_of_the_sandbox_is_not_believed(place: Place) -> None:
    (place.home / "run").mkdir()
    remembered = place.home / "run" / "sandbox.json"
    remembered.write_text('{"key": [], "why_not": "it was said so"}')

    said = place.run("doctor")

    assert "it was said so" not in said.out
    assert "it was said so" not in remembered.read_text()
