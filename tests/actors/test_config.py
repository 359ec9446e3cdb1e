"""Settings from files and environment, and what a workspace may not say."""

import os
from pathlib import Path

import pytest

from actors import config
from actors.config import Permissions, ProviderSettings
from actors.errors import BadConfiguration
from actors.tools import ALL

PROVIDER = """
model = "local/any"
[providers.local]
api = "openai-chat"
base_url = "http://127.0.0.1:8080/v1"
"""


def load(home: Path, workspace: Path, environ: dict[str, str] | None = None) -> config.Settings:
    return config.load(home, workspace, environ or {}, session_id="s", run_id="r")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "w" / ".trouper").mkdir(parents=True)
    return tmp_path / "w"


def test_without_files_there_are_defaults(home: Path, workspace: Path) -> None:
    settings = load(home, workspace)

    assert (settings.model, settings.mode, settings.max_turns) == ("", "default", 40)


def test_environment_beats_workspace_beats_user(home: Path, workspace: Path) -> None:
    (home / "config.toml").write_text(PROVIDER)
    assert load(home, workspace).model == "local/any"
    (workspace / ".trouper" / "config.toml").write_text('model = "local/other"')
    assert load(home, workspace).model == "local/other"
    assert load(home, workspace, {"TROUPER_MODEL": "local/third"}).model == "local/third"


def test_a_provider_is_read(home: Path, workspace: Path) -> None:
    (home / "config.toml").write_text(PROVIDER)

    assert load(home, workspace).providers == {
        "local": ProviderSettings(api="openai-chat", base_url="http://127.0.0.1:8080/v1")
    }


def test_a_workspace_can_only_deny(home: Path, workspace: Path) -> None:
    (home / "config.toml").write_text('[permissions]\nallow = ["Bash"]\n')
    (workspace / ".trouper" / "config.toml").write_text('[permissions]\ndeny = ["Write"]\n')

    assert load(home, workspace).permissions == Permissions(allow=("Bash",), deny=("Write",))


@pytest.mark.parametrize(
    "text",
    [
        PROVIDER.replace("model", "max_turns").replace('"local/any"', "3"),
        'mode = "auto"',
        '[permissions]\nallow = ["Bash"]',
        'model = "scripted:evil.json"',
    ],
)
def test_a_workspace_may_not_widen(home: Path, workspace: Path, text: str) -> None:
    (workspace / ".trouper" / "config.toml").write_text(text)

    with pytest.raises(BadConfiguration, match="a workspace is not trusted to"):
        load(home, workspace)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('modle = "x"', 'unknown key "modle". Did you mean mode or model?'),
        ('[providers.local]\napi = "openai-chat"\nbase_ulr = "x"', "Did you mean base_url"),
        ("model = ", "is not valid TOML"),
        ('[providers.local]\napi = "morse"\nbase_url = "x"', "Invalid enum value 'morse'"),
        ('max_turns = "many"', "Expected `int`, got `str`"),
    ],
)
def test_a_mistake_is_named_with_its_file(home: Path, workspace: Path, text: str, expected: str) -> None:
    (home / "config.toml").write_text(text)

    with pytest.raises(BadConfiguration) as error:
        load(home, workspace)

    assert expected in str(error.value)
    assert str(home / "config.toml") in str(error.value)


def test_an_unreadable_file_is_an_error(home: Path, workspace: Path) -> None:
    (home / "config.toml").mkdir()

    with pytest.raises(BadConfiguration, match="cannot read"):
        load(home, workspace)


def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(home: Path, workspace: Path) -> None:
    os.mkfifo(workspace / ".trouper" / "config.toml")

    with pytest.raises(BadConfiguration, match="not a regular file"):
        load(home, workspace)


def test_a_huge_file_is_not_read_to_its_end(home: Path, workspace: Path) -> None:
    (workspace / ".trouper" / "config.toml").touch()
    os.truncate(workspace / ".trouper" / "config.toml", 1 << 40)

    with pytest.raises(BadConfiguration, match="larger than any config file"):
        load(home, workspace)


def test_the_rules_are_the_tools() -> None:
    assert tuple("".join(map(str.capitalize, tool.name.split("_"))) for tool in ALL) == config.RULES


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("Bsh", 'here: unknown rule "Bsh"; known are: Read, Write, Edit, Bash, Glob, Grep, List, MorphEdit.'),
        ("Bash(echo *)", 'here: the rule "Bash(echo *)" has a pattern in brackets, which is not supported yet'),
        ("", 'unknown rule ""'),
    ],
)
def test_a_rule_that_names_nothing_is_an_error(rule: str, expected: str) -> None:
    with pytest.raises(BadConfiguration) as error:
        config.check_rules(["bash", rule], "here")

    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("home", '[permissions]\nallow = ["Bsh"]'),
        ("home", '[permissions]\ndeny = ["Bsh"]'),
        ("w/.trouper", '[permissions]\ndeny = ["Bsh"]'),
    ],
)
def test_rules_are_checked_in_every_file(home: Path, workspace: Path, where: str, text: str) -> None:
    path = home.parent / where / "config.toml"
    path.write_text(text)

    with pytest.raises(BadConfiguration) as error:
        load(home, workspace)

    assert f'{path}: unknown rule "Bsh"' in str(error.value)
