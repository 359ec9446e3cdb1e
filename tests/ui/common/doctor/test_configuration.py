"""Of each setting which layer it comes from; never what may be secret in it."""

from pathlib import Path

import pytest

from actors.settings import config
from actors.settings.config import ProviderSettings, Settings
from actors.settings.permissions import RuleLine
from ui.common.doctor import configuration
from ui.common.doctor.rows import Setting


def settings(home: Path, **more: object) -> Settings:
    return Settings(home=str(home), cwd=str(home), session_id="s", run_id="r", **more)  # type: ignore[arg-type]  # of any of its fields


def layers(made: Settings, environ: dict[str, str] | None = None) -> dict[str, Setting]:
    return {one.key: one for one in configuration.layers(made, environ or {})}


def test_every_key_of_the_config_has_its_layer(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('mode = "plan"\nmodel = "a/b"\n')
    made = config.load(tmp_path, tmp_path, {"TROUPER_MODEL": "c/d"}, "s", "r")

    found = layers(made, {"TROUPER_MODEL": "c/d"})

    assert set(config.UserFile.__struct_fields__) <= set(found)
    assert found["mode"] == Setting(key="mode", value="plan", source=f"{tmp_path}/config.toml")
    assert found["model"] == Setting(key="model", value="c/d", source="TROUPER_MODEL")
    assert found["sandbox"] == Setting(key="sandbox", value="auto", source="default")


@pytest.mark.parametrize(
    ("more", "key", "source"),
    [
        ({"model": "a/b", "chosen": ("model",)}, "model", "--model"),
        ({"mode": "auto", "mode_chosen": True}, "mode", "--mode"),
        ({"sandbox": "none"}, "sandbox", "--no-sandbox"),
        ({"sandbox": "none", "unrestricted": True}, "unrestricted", "--unrestricted"),
        ({"max_turns": 5}, "max_turns", "the workspace's .trouper/config.toml"),
        ({"rules": (RuleLine(verdict="deny", text="Read(.env)", source="--deny"),)}, "permissions", "--deny"),
    ],
)
def test_flags_and_the_workspace_count_more(tmp_path: Path, more: dict[str, object], key: str, source: str) -> None:
    assert layers(settings(tmp_path, **more))[key].source == source


def test_of_what_may_be_secret_there_are_names_alone(tmp_path: Path) -> None:
    secret = "hunter2hunter2"
    made = settings(tmp_path, providers={"mine": ProviderSettings(headers={"x-key": secret})})

    found = configuration.layers(made, {"HTTPS_PROXY": f"http://me:{secret}@proxy.example.com:8080"})

    assert [one for one in found if secret in one.value] == []
    assert {one.key: one.value for one in found}["providers"] == "mine"


def test_rules_are_counted_by_the_file_they_are_in(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.touch()
    lines = [RuleLine(verdict="deny", text="Read(.env)", source=source) for source in (str(file), str(file), "--deny")]

    (row,) = configuration.rows(settings(tmp_path, rules=tuple(lines)), "")

    assert row.found == f"{file} (2 rules), --deny (1 rule)"


def test_a_config_that_cannot_be_used_is_a_problem(tmp_path: Path) -> None:
    (row,) = configuration.rows(settings(tmp_path), "config.toml is not valid TOML.")

    assert (row.state, row.found) == ("problem", "config.toml is not valid TOML.")
