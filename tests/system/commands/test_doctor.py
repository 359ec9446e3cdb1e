"""`trouper doctor` on this machine: it tries the sandbox anew and leaves with a true exit code."""

import json
import tempfile
from functools import partial

import pytest

from tests.fakes.in_thread import in_thread
from tests.fakes.local_server import open_local_server
from tests.system.harness import Place

pytestmark = pytest.mark.slow
TMP = "/tmp"  # this one is meant
PROTECTIONS = ("workspace", "files", "git", "secrets", "network", "sockets", "processes", "keys", "privileges")
WELL = {f"sandbox: {protection}": "ok" for protection in PROTECTIONS}


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


LISTS = {"GET /v1/models": {"data": [{"id": "one"}]}}


@pytest.mark.parametrize("online", [True, False])
def test_services_and_servers_elsewhere_are_asked_with_online_alone(place: Place, online: bool) -> None:
    with in_thread(partial(open_local_server, LISTS)) as server:
        (place.home / "config.toml").write_text(
            f'[providers.mine]\napi = "openai-chat"\nbase_url = "{server.url}/v1"\n'
            '[providers.gone]\napi = "openai-chat"\nbase_url = "http://127.0.0.1:1/v1"\n'
            '[mcp.far]\nurl = "https://nowhere.invalid/mcp"\nstart_timeout_s = 1\n'
        )
        said = place.run("doctor", "--json", "--model", place.script(), *["--online"] * online)
        checks = {check["name"]: check for check in json.loads(said.out)["checks"]}
        asked = server.asked

    assert checks["mcp: far"]["state"] == ("warning" if online else "ok")
    if online:
        assert (checks["service: mine"]["state"], checks["service: gone"]["state"]) == ("ok", "problem")
        assert {what for what, _ in asked} == {"GET /v1/models"}
    else:
        assert ("service: mine" in checks, asked) == (False, [])
        assert "--online" in checks["mcp: far"]["found"]


def test_each_protection_holds_here(place: Place) -> None:
    assert protections(place) == WELL


def test_its_own_socket_is_not_taken_for_what_a_command_wrote(place: Place) -> None:
    """A command has a /tmp of its own, and there it can write; the doctor's socket is in the real one."""
    with tempfile.TemporaryDirectory(dir=TMP) as workspace:
        assert protections(place, "--cwd", workspace, TMPDIR=TMP) == WELL


def protections(place: Place, *more: str, **environment: str) -> dict[str, str]:
    """Skips where there are none to try."""
    said = place.run("doctor", "--json", "--model", place.script(), *more, **environment)
    checks = {check["name"]: check for check in json.loads(said.out)["checks"]}
    if checks["sandbox"]["found"].split(",")[0] not in ("bubblewrap", "namespaces"):
        pytest.skip("this system has no namespaces to try")
    return {name: check["state"] for name, check in checks.items() if name.startswith("sandbox: ")}


def test_settings_come_with_their_layer(place: Place) -> None:
    (place.home / "config.toml").write_text('effort = "low"\n')

    said = place.run("doctor", "--json", "--mode", "plan", "--model", place.script())
    sources = {one["key"]: one["source"] for one in json.loads(said.out)["config"]}

    assert (sources["effort"], sources["mode"], sources["theme"]) == (f"{place.home}/config.toml", "--mode", "default")
