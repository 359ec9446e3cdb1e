"""Which MCP servers count: three files, one name each, and a workspace's only with the user's word for its content."""

import json
import os
from pathlib import Path

import msgspec
import pytest

from actors.errors import BadConfiguration
from actors.settings import brought, config
from actors.settings.mcp import entries, vouching
from actors.settings.mcp.servers import McpServer, OAuth, digest

ENTRY: dict[str, object] = {"command": "npx", "args": ["-y", "server"]}
OTHER: dict[str, object] = {"url": "https://host/mcp"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def write(path: Path, **servers: object) -> Path:
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


def load(home: Path, workspace: Path) -> config.Settings:
    return config.load(home, workspace, {}, session_id="s", run_id="r")


def left_out(settings: config.Settings) -> dict[str, str]:
    return {one.name: one.why for one in settings.mcp_left_out}


def counting(settings: config.Settings) -> list[str]:
    return [server.name for server in settings.mcp]


def test_the_users_files_count_by_name_and_toml_counts_more(home: Path, workspace: Path) -> None:
    write(home / "mcp.json", b=ENTRY, a=ENTRY, off={**ENTRY, "disabled": True})
    (home / "config.toml").write_text('[mcp.a]\nurl = "https://host/mcp"\nsafe_mode = true\nwrite = ["~/x"]\n')

    settings = load(home, workspace)

    assert [(one.name, one.transport, one.read_only, one.scope) for one in settings.mcp] == [
        ("a", "http", True, "user"),
        ("b", "stdio", False, "user"),
    ]
    assert [one.source for one in settings.mcp] == [str(home / "config.toml"), str(home / "mcp.json")]
    assert sorted((one.name, one.why) for one in settings.mcp_left_out) == [("a", "shadowed"), ("off", "disabled")]
    assert settings.notices == ()


def test_both_names_of_the_table_of_servers_are_read(home: Path, workspace: Path) -> None:
    (home / "mcp.json").write_text(json.dumps({"servers": {"a": {"type": "streamable-http", "url": "http://h/mcp"}}}))

    assert [(one.name, one.transport) for one in load(home, workspace).mcp] == [("a", "http")]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({}, 'it has neither "command" nor "url"'),
        ({"command": "a", "url": "https://h/"}, 'it has "command" and "url", keep one'),
        ({"command": "a", "type": "sse"}, 'transport "sse" does not go with "command"'),
        ({"url": "ftp://h/"}, "url is no address such as https://host/mcp"),
        ({"url": "https://h:99999/"}, "url is no address"),
        (
            {"url": "https://h/", "oauth": {"client_metadata_url": "http://h/a"}},
            "oauth.client_metadata_url is no address",
        ),
        (
            {"url": "https://h/", "oauth": {"client_metadata_url": "https://h/"}},
            "oauth.client_metadata_url is no address",
        ),
        ({"command": "a\x1b[2J"}, "command has the control character 0x1b"),
        ({"command": "a", "args": ["\x00"]}, "args has the control character 0x00"),
        ({"url": "https://h/", "headers": {"A": "b\r\nC: d"}}, "headers.A has the control character 0x0d"),
        ({"url": "https://h/", "headers": {"A B": "c"}}, 'headers: "A B" is no name of a header'),
        ({"command": "a", "env": {"A=B": "c"}}, 'env: "A=B" is no name of a variable'),
        ({"command": "a", "env": {"A": 1}}, "[env] A: it has to be text, not a whole number"),
        ({"command": ["a"]}, "command: it has to be text, not a list"),
        ({"command": "a", "call_timeout_s": -1}, "call_timeout_s: it can be more than 0 to 86,400"),
        ({"command": "a", "args": ["x" * 20_000]}, "it is longer than 16,384 characters"),
        ("text", "it is no table"),
    ],
)
def test_a_mistake_of_a_user_is_an_error_and_of_a_workspace_a_notice(
    home: Path, workspace: Path, entry: object, said: str
) -> None:
    write(workspace / ".mcp.json", bad=entry, good=ENTRY)
    settings = load(home, workspace)
    write(home / "mcp.json", bad=entry)

    with pytest.raises(BadConfiguration) as refused:
        load(home, workspace)

    assert str(refused.value).startswith(f'{home}/mcp.json: the MCP server "bad": {said}')
    assert str(refused.value).endswith("Correct it, or take it out: trouper mcp remove bad")
    assert left_out(settings) == {"bad": "refused", "good": "untrusted"}
    assert [said in notice for notice in settings.notices] == [True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[mcp.a]\ncomand = "x"', 'unknown key "comand" in [mcp.a]. Did you mean command'),
        ('[mcp.a]\nargs = "x"', "[mcp.a] args: it has to be a list, not text"),
        ('[mcp."a b"]\ncommand = "x"', 'the MCP server "a b": a name has letters, digits, - and _'),
        ("[mcp.a]\nenabled = true", 'the MCP server "a": it has neither "command" nor "url"'),
    ],
)
def test_a_mistake_in_toml_names_file_and_key(home: Path, workspace: Path, text: str, said: str) -> None:
    (home / "config.toml").write_text(text)

    with pytest.raises(BadConfiguration) as refused:
        load(home, workspace)

    assert str(refused.value).startswith(f"{home / 'config.toml'}: ")
    assert said in str(refused.value)


@pytest.mark.parametrize("name", ["-b", "--yes", "", "a b", "a/b", "a:b", "ä", "x" * 41, "a\n", "a\x1b[2J"])
def test_a_name_that_could_be_taken_for_something_else_is_refused(home: Path, workspace: Path, name: str) -> None:
    write(workspace / ".mcp.json", **{name: ENTRY, "__proto__": ENTRY, "constructor": ENTRY})

    settings = load(home, workspace)

    assert sorted(left_out(settings).values()) == ["refused", "untrusted", "untrusted"]
    assert [notice.count("\n") for notice in settings.notices] == [0]


def test_a_servers_name_is_one_name(home: Path, workspace: Path) -> None:
    for name in ("__proto__", "constructor"):
        vouching.vouch(home, workspace, name, entries.canonical(ENTRY))
    write(workspace / ".mcp.json", __proto__=ENTRY, constructor=ENTRY)

    assert counting(load(home, workspace)) == ["__proto__", "constructor"]


HOSTILE = {
    "deep": '{"mcpServers": ' + '{"a":' * 900 + "1" + "}" * 901,
    "deeper": '{"mcpServers": ' + "[" * 100_000,
    "huge": json.dumps({"mcpServers": {"a": {"command": "x" * 70_000}}}),
    "many": json.dumps({"mcpServers": {f"s{number}": ENTRY for number in range(51)}}),
    "twice": '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}',
    "twice inside": '{"mcpServers": {"a": {"command": "x", "command": "y"}}}',
    "half a character": '{"mcpServers": {"a": {"command": "\\ud800"}}}',
    "no number": '{"mcpServers": {"a": {"call_timeout_s": NaN, "command": "x"}}}',
    "a long number": '{"mcpServers": {"a": {"command": "x", "b": ' + "1" * 5_000 + "}}}",
    "no table": '{"mcpServers": []}',
    "no object": "[1]",
    "two tables": '{"mcpServers": {}, "servers": {}}',
    "no such table": '{"a": {"command": "x"}}',
    "no JSON": "{\x1b[2J",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_left_out_and_keeps_no_session_from_starting(home: Path, workspace: Path, name: str) -> None:
    (workspace / ".mcp.json").write_text(HOSTILE[name])

    settings = load(home, workspace)

    assert (settings.mcp, settings.mcp_left_out) == ((), ())
    (notice,) = settings.notices
    assert notice.startswith(str(workspace / ".mcp.json"))
    assert notice.endswith(" Until then it does not count.")
    assert len(notice) < 500


def a_link(path: Path) -> None:
    write(path.with_name("elsewhere.json"), a=ENTRY)
    path.symlink_to("elsewhere.json")


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.mkdir()


def bytes_that_are_no_text(path: Path) -> None:
    path.write_bytes(b'{"mcpServers": {"\xff": {}}}')


@pytest.mark.parametrize("make", [a_link, a_pipe, a_folder, bytes_that_are_no_text])
def test_what_is_no_plain_file_is_left_out(home: Path, workspace: Path, make: object) -> None:
    make(workspace / ".mcp.json")  # type: ignore[operator]

    settings = load(home, workspace)

    assert (settings.mcp, settings.mcp_left_out, len(settings.notices)) == ((), (), 1)


def test_what_a_workspaces_server_is_no_judge_of_does_not_count(home: Path, workspace: Path) -> None:
    entry = {**ENTRY, "sandbox": False, "write": ["~"], "safe_mode": True, "plan_tools": ["x"], "comand": "y"}
    write(workspace / ".mcp.json", a=entry)
    vouching.vouch(home, workspace, "a", entries.canonical(entry))

    settings = load(home, workspace)

    (server,) = settings.mcp
    assert (server.sandbox, server.write, server.read_only, server.plan_tools) == (True, (), False, ())
    (notice,) = settings.notices
    assert '"sandbox" may only be said in your own files; "write" may' in notice


def test_what_is_unknown_is_told_and_not_an_error(home: Path, workspace: Path) -> None:
    path = write(home / "mcp.json", a={**ENTRY, "autoApprove": [], "cmd": "x", "comand": "y"})

    settings = load(home, workspace)

    assert counting(settings) == ["a"]
    unheard = '"autoApprove" is not known here; "cmd" is not known here; "comand" is not known here, did you mean'
    assert settings.notices == (f'{path}: of the MCP server "a" this does not count: {unheard} "command"?',)


def test_a_client_is_described_in_the_words_of_others_too(home: Path, workspace: Path) -> None:
    said = {"clientId": "me", "callbackPort": 8080, "scopes": "a b", "authServerMetadataUrl": "https://x"}
    path = write(home / "mcp.json", a={**OTHER, "oauth": said}, b={**OTHER, "oauth": {"client_id": "me"}})

    settings = load(home, workspace)

    assert [one.oauth for one in settings.mcp] == [
        OAuth(client_id="me", redirect_port=8080, scopes=("a", "b")),
        OAuth(client_id="me"),
    ]
    unheard = '"oauth.authServerMetadataUrl" is not known here'
    assert settings.notices == (f'{path}: of the MCP server "a" this does not count: {unheard}',)


def test_a_workspace_cannot_take_the_name_of_a_users_server(home: Path, workspace: Path) -> None:
    write(home / "mcp.json", a=ENTRY, off={**ENTRY, "enabled": False})
    path = write(workspace / ".mcp.json", a=OTHER, off=OTHER)
    for name in ("a", "off"):
        vouching.vouch(home, workspace, name, entries.canonical(OTHER))

    settings = load(home, workspace)

    assert [(one.name, one.scope) for one in settings.mcp] == [("a", "user")]
    assert settings.notices == (f"{path}: left out, because you have servers of these names yourself: a; off",)


def test_trust_is_for_one_server_and_ends_with_a_changed_byte(home: Path, workspace: Path) -> None:
    path = write(workspace / ".mcp.json", a=ENTRY, b=OTHER)
    vouching.vouch(home, workspace, "a", entries.canonical(ENTRY))
    trusted = load(home, workspace)

    path.write_text(json.dumps({"mcpServers": {"b": OTHER, "a": dict(reversed(ENTRY.items()))}}, indent=8))
    the_same = load(home, workspace)
    write(path, a={**ENTRY, "args": ["-y", "serveR"]}, b=OTHER)
    changed = load(home, workspace)
    write(path, a={**ENTRY, "comment": ""}, b=OTHER)
    more = load(home, workspace)

    assert [counting(settings) for settings in (trusted, the_same, changed, more)] == [["a"], ["a"], [], []]
    assert left_out(changed) == {"a": "untrusted", "b": "untrusted"}
    assert [one.reason for one in changed.mcp_left_out] == [
        "It is not as you trusted it: trouper mcp trust",
        "You have not trusted it: trouper mcp trust",
    ]


def test_the_same_server_in_another_folder_is_another_one(home: Path, workspace: Path) -> None:
    write(workspace / ".mcp.json", a=ENTRY)
    vouching.vouch(home, workspace, "a", entries.canonical(ENTRY))
    copy = workspace.with_name("copy")
    copy.mkdir()
    write(copy / ".mcp.json", a=ENTRY)

    assert (counting(load(home, workspace)), counting(load(home, copy))) == (["a"], [])


def test_what_is_left_out_is_asked_about_again_when_it_changes(home: Path, workspace: Path) -> None:
    write(workspace / ".mcp.json", a=ENTRY)
    vouching.vouch(home, workspace, "a", entries.canonical(ENTRY))
    vouching.leave_out(home, workspace, "a", entries.canonical(ENTRY))

    (as_left,) = load(home, workspace).mcp_left_out
    write(workspace / ".mcp.json", a=OTHER)
    (changed,) = load(home, workspace).mcp_left_out

    assert (as_left.why, as_left.is_new, changed.is_new) == ("untrusted", False, True)


def test_a_damaged_record_vouches_for_nothing(home: Path, workspace: Path) -> None:
    write(workspace / ".mcp.json", a=ENTRY)
    vouching.vouch(home, workspace, "a", entries.canonical(ENTRY))
    (record,) = (home / "trust").iterdir()
    record.write_text("{")

    assert left_out(load(home, workspace)) == {"a": "untrusted"}


def test_without_anybody_to_ask_one_notice_names_them_and_the_ways(home: Path, workspace: Path) -> None:
    path = write(workspace / ".mcp.json", a=ENTRY, b=OTHER)
    settings = load(home, workspace)

    told = brought.notices(settings)
    asked = msgspec.structs.replace(settings, interactive=True)

    assert told == (
        f"{path}: not trusted by you as they are, so left out: a; b. Look and decide: trouper mcp trust; "
        "for one run: --trust-mcp",
    )
    assert brought.notices(asked) == ()
    assert [one.name for one in brought.servers_to_ask_about(asked)] == ["a", "b"]


def test_trusted_for_a_run_a_server_counts_by_its_name(home: Path, workspace: Path) -> None:
    write(home / "mcp.json", m=ENTRY)
    write(workspace / ".mcp.json", z=OTHER, a=ENTRY, bad={})
    settings = load(home, workspace)

    trusted = brought.with_servers(settings, {one.path for one in settings.mcp_left_out})

    assert counting(trusted) == ["a", "m", "z"]
    assert left_out(trusted) == {"bad": "refused"}
    assert brought.server_named(trusted, "z") == trusted.mcp[2]
    assert brought.server_named(settings, "z") is None
    assert brought.server_named(settings, "bad") is None


def test_one_that_was_trusted_since_is_known_to_who_starts_it(home: Path, workspace: Path) -> None:
    write(workspace / ".mcp.json", z=OTHER)
    settings = load(home, workspace)
    (one,) = settings.mcp_left_out
    before = brought.server_named(settings, "z")

    vouching.vouch(home, workspace, "z", one.text)

    assert (before, brought.server_named(settings, "z")) == (None, one.server)


def test_most_actors_are_not_told_what_may_be_secret(home: Path, workspace: Path) -> None:
    secret = {"args": ["planted"], "env": {"A": "planted"}, "command": "run"}
    write(home / "mcp.json", a=secret, b={"url": "https://planted@h/", "headers": {"A": "planted"}})
    settings = load(home, workspace)

    told = config.without_secrets(settings)

    assert b"planted" not in msgspec.json.encode(told)
    assert [(one.name, one.transport, one.digest) for one in told.mcp] == [
        (one.name, one.transport, one.digest) for one in settings.mcp
    ]


def test_a_digest_is_of_what_the_server_is_and_not_of_where_it_is_written() -> None:
    server = McpServer(name="a", transport="stdio", command="x", env={"B": "1", "A": "2"}, source="/a", scope="user")
    same = msgspec.structs.replace(
        server, name="b", source="/b", scope="workspace", env={"A": "2", "B": "1"}, call_timeout_s=1, deny=("x",)
    )
    others = [
        msgspec.structs.replace(server, **{key: value})
        for key, value in (("args", ("y",)), ("env", {}), ("cwd", "/"), ("transport", "http"), ("command", "y"))
    ]

    assert digest(same) == digest(server)
    assert len({digest(one) for one in (server, *others)}) == 1 + len(others)
