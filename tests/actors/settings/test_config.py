"""Settings from files and environment, and what a workspace may not say."""

import os
from pathlib import Path

import msgspec
import pytest

from actors.errors import BadConfiguration
from actors.gate import own_tools
from actors.settings import config, tool_names, trust
from actors.settings.config import ProviderSettings
from actors.settings.permissions import RuleLine, parse
from actors.settings.workspace_files import ONLY_USERS, WorkspaceFile
from actors.texts.agents import agent_tools
from actors.tools.table import ALL

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


def given(_: Path, path: Path, text: str) -> None:
    path.write_text(text)


def trusted(home: Path, path: Path, text: str) -> None:
    path.write_text(text)
    trust.vouch(home, path, text)


def test_environment_beats_local_beats_team_beats_user(home: Path, workspace: Path) -> None:
    (home / "config.toml").write_text(PROVIDER)
    assert load(home, workspace).model == "local/any"
    trusted(home, workspace / ".trouper" / "config.toml", 'model = "local/teams"')
    assert load(home, workspace).model == "local/teams"
    trusted(home, workspace / ".trouper" / "config.local.toml", 'model = "local/other"')
    assert load(home, workspace).model == "local/other"
    assert load(home, workspace, {"TROUPER_MODEL": "local/third"}).model == "local/third"


@pytest.mark.parametrize(
    ("text", "interactive", "seconds"),
    [
        ("", True, 600.0),
        ("", False, 3600.0),
        ('retry_for = "90s"', True, 90.0),
        ('retry_for = "2h"', False, 7200.0),
        ('retry_for = "0"', False, 0.0),
    ],
)
def test_patience_with_an_outage(home: Path, workspace: Path, text: str, interactive: bool, seconds: float) -> None:
    (home / "config.toml").write_text(text)

    settings = msgspec.structs.replace(load(home, workspace), interactive=interactive)

    assert settings.patience_s == seconds


def test_a_provider_is_read(home: Path, workspace: Path) -> None:
    (home / "config.toml").write_text(PROVIDER)

    assert load(home, workspace).providers == {
        "local": ProviderSettings(api="openai-chat", base_url="http://127.0.0.1:8080/v1")
    }


def test_a_workspace_can_only_ask_and_deny(home: Path, workspace: Path) -> None:
    (home / "config.toml").write_text('[permissions]\nallow = ["Bash"]\n')
    (workspace / ".trouper" / "config.toml").write_text('[permissions]\ndeny = ["Write"]\nask = ["Bash(make:*)"]\n')

    assert load(home, workspace).rules == (
        RuleLine(verdict="allow", text="Bash", source=str(home / "config.toml")),
        RuleLine(verdict="deny", text="Write", source=str(workspace / ".trouper" / "config.toml")),
        RuleLine(verdict="ask", text="Bash(make:*)", source=str(workspace / ".trouper" / "config.toml")),
    )


@pytest.mark.parametrize(
    "text",
    [
        '[providers.local]\napi = "openai-chat"\nbase_url = "http://127.0.0.1:8080/v1"',
        'mode = "auto"',
        'retry_for = "24h"',
        'sandbox = "none"\nunrestricted = true',
        'model = "scripted:evil.json"',
    ],
)
@pytest.mark.parametrize("is_trusted", [True, False])
def test_what_a_workspace_may_not_say_is_left_out_and_named(
    home: Path, workspace: Path, text: str, is_trusted: bool
) -> None:
    path, without = workspace / ".trouper" / "config.toml", load(home, workspace)
    denying = '\n[permissions]\ndeny = ["Write"]\n'
    (trusted if is_trusted else given)(home, path, text + denying)

    settings = load(home, workspace)

    assert settings.rules == (RuleLine(verdict="deny", text="Write", source=str(path)),)
    (notice,) = settings.notices
    assert notice.startswith(f"{path}: this does not count: ")
    assert "may only be set in your own config file: a workspace is not trusted to" in notice
    like_without = {"began": 0.0, "rules": (), "notices": ()}
    assert msgspec.structs.replace(settings, **like_without) == msgspec.structs.replace(without, **like_without)


def test_once_the_user_leaves_the_file_out_nothing_is_said_of_it(home: Path, workspace: Path) -> None:
    path = workspace / ".trouper" / "config.toml"
    given(home, path, 'mode = "auto"')
    trust.leave_out(home, path, 'mode = "auto"')

    assert load(home, workspace).notices == ()


@pytest.mark.parametrize("text", ['[permision]\ndeny = ["Write"]', '[permissions]\ndenny = ["Write"]', "model = "])
def test_what_might_have_forbidden_something_is_an_error_that_says_how_to_go_on(
    home: Path, workspace: Path, text: str
) -> None:
    given(home, workspace / ".trouper" / "config.toml", text)

    with pytest.raises(BadConfiguration, match=r"Correct it, or move (it|the file) away\.$"):
        load(home, workspace)


PARTS = "a" + ".a" * 500
ENDLESS = (f"{PARTS} = 1", f"[{PARTS}]", f" [[{PARTS}]] # =", f'"=".{PARTS} = 1', f"x = {{ {PARTS} = 1 }}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('modle = "x"', 'unknown key "modle". Did you mean mode or model?'),
        ('[providers.local]\napi = "openai-chat"\nbase_ulr = "x"', "Did you mean base_url"),
        ("model = ", "is not valid TOML"),
        *((f"mode = 'auto'\n{text}", "config.toml, line 2: a key of more than 200 parts.") for text in ENDLESS),
        (
            '[providers.a]\napi = "openai-chat"\n[providers.b]\napi = "morse"',
            "[providers.b] api: 'morse' is unknown; it can be anthropic-messages, openai-chat, openai-resp",
        ),
        ('[providers.a]\n[providers.b]\nbase_ulr = "x"', 'unknown key "base_ulr" in [providers.b]. Did you mean'),
        ('[models."a/b"]\ncontext = "x"', '[models."a/b"] context: it has to be a whole number, not text'),
        (
            '[models."a/b"]\nprices = [{ input = -1, output = 1 }]',
            '[models."a/b".prices[0]] input: it can be 0 or more.',
        ),
        ('[models."a/b"]\nprices = [{ inpt = 1, output = 1 }]', 'in [models."a/b".prices[0]]. Did you mean input'),
        ('max_turns = "many"', "max_turns: it has to be a whole number, not text; it can be 1 to 10,000."),
        ("max_turns = -1", "max_turns: it can be 1 to 10,000."),
        ("max_turns = 10001", "max_turns: it can be 1 to 10,000."),
        (
            "[providers.a]\nidle_timeout_s = -5",
            "[providers.a] idle_timeout_s: it can be 0 to 86,400.",
        ),
        ("[providers.a]\nidle_timeout_s = nan", "[providers.a] idle_timeout_s: "),
        ("[providers.a]\nidle_timeout_s = inf", "[providers.a] idle_timeout_s: "),
        ("providers = 1", "providers: it has to be a table, not a whole number."),
        ("[providers]\na = 1", "[providers] a: it has to be a table, not a whole number."),
        ('[providers.mine]\ndialect = "nonsense"', '[providers.mine] has the unknown dialect "nonsense". It can be'),
        ('[permissions]\nalow = ["Bash"]', 'unknown key "alow" in [permissions]. Did you mean allow'),
        ('[permissions]\nallow = ["Bsh"]', 'config.toml: unknown rule "Bsh"; known are: Read(glob), '),
        ('[[hooks.pre_tool]]\ncomand = "x"', 'unknown key "comand" in [hooks.pre_tool[0]]. Did you mean command?'),
        (
            "[[hooks.pre_tool]]\ncommand = 'x'\ntimeout_s = 0",
            "timeout_s: it can be more than 0 to 600.",
        ),
        ('[search]\nservice = "ask"', "[search] service: 'ask' is unknown; it can be "),
        (
            'sandbox = "bwrap"',
            "sandbox: 'bwrap' is unknown; it can be auto, bubblewrap, landlock, namespaces, none.",
        ),
        ('retry_for = "soon"', 'retry_for is "soon"; it can be such as "90s", "10m", "1h" or "0".'),
        ('environment = ["A=b"]', 'environment: "A=b" is no name of a variable, such as "JAVA_HOME".'),
        ("[models.gpt]\ncontext = 1", '[models."gpt"] names no model: write [models."PROVIDER/NAME"].'),
        ('[models."/x"]\ncontext = 1', "names no model"),
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


def test_each_tool_is_in_the_table_of_rules() -> None:
    assert [tool.name for tool in (*ALL, *own_tools.ALL, *agent_tools.ALL)] == list(tool_names.ALL)


@pytest.mark.parametrize("turns", ["0", "10001", "-3"])
def test_a_workspace_has_the_same_limits(home: Path, workspace: Path, turns: str) -> None:
    path = workspace / ".trouper" / "config.toml"
    path.write_text(f"max_turns = {turns}")

    settings = load(home, workspace)

    assert settings.max_turns == 40
    assert settings.notices == (f"{path}: this does not count: max_turns: it can be 1 to 10,000",)


def test_of_a_provider_others_are_told_only_its_variable(home: Path, workspace: Path) -> None:
    text = PROVIDER.replace("http://", "http://user:planted@")
    (home / "config.toml").write_text(f'{text}api_key_env = "VARIABLE"\nheaders = {{ x-auth = "planted" }}\n')
    settings = load(home, workspace)

    told = config.without_secrets(settings)

    assert told.providers == {"local": ProviderSettings(api_key_env="VARIABLE")}
    assert msgspec.structs.replace(told, providers=settings.providers) == settings


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("Bsh", 'here: unknown rule "Bsh"; known are: Read(glob), Write(glob), Bash(command), '),
        ("Edit(src/**)", 'here: the rule "Edit(src/**)" is not one of these forms: Read(glob), '),
        ("Bash(", 'here: the rule "Bash(" is not one of these forms'),
        ("Bash()", 'here: the rule "Bash()" is not one of these forms'),
        ("Bash(rm *)", "with any arguments it is written Bash(rm:*)"),
        ("Read(a**b)", '"**" stands alone between slashes: write src/**/*.py'),
        ("Bash(/data/**.csv)", '"**" stands alone between slashes'),
        ("Web(https://x.com/)", "write a domain without anything around it: docs.python.org, *.example.com"),
        ("", 'unknown rule ""'),
    ],
)
def test_a_rule_that_names_nothing_is_an_error(rule: str, expected: str) -> None:
    with pytest.raises(BadConfiguration) as error:
        parse(rule, "here")

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


def allowed(settings: config.Settings) -> list[str]:
    return [line.text for line in settings.rules if line.verdict == "allow"]


def test_at_home_its_own_config_is_not_taken_for_a_workspaces(tmp_path: Path) -> None:
    (tmp_path / ".trouper").mkdir()
    (tmp_path / ".trouper" / "config.toml").write_text('mode = "auto"\n[permissions]\nallow = ["Edit"]\n')

    settings = load(tmp_path / ".trouper", tmp_path)

    assert (settings.mode, allowed(settings)) == ("auto", ["Edit"])


@pytest.mark.parametrize(("written", "tokens"), [("", 10_000), ("mcp_tools_tokens = 0", 0)])
def test_how_much_the_tools_of_servers_may_take_is_the_users(tmp_path: Path, written: str, tokens: int) -> None:
    (tmp_path / "config.toml").write_text(written)

    assert load(tmp_path, tmp_path).mcp_tools_tokens == tokens


def test_every_key_of_the_users_file_is_known_to_be_the_users() -> None:
    workspaces = set(WorkspaceFile.__struct_fields__)

    assert set(config.UserFile.__struct_fields__) - workspaces == ONLY_USERS
