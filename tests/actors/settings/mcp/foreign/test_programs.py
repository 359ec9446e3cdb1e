"""What other programs have configured becomes ours; what has no word here is told, and a mistake is of one server."""

import json
from pathlib import Path

import pytest

from actors.settings.mcp.foreign import programs
from actors.settings.mcp.foreign.programs import Found
from actors.settings.mcp.json_files import without_comments
from actors.settings.mcp.servers import OAuth

CLAUDE = {
    "numStartups": 7,
    "mcpServers": {
        "github": {
            "type": "http",
            "url": "https://h/mcp",
            "headers": {"Authorization": "Bearer ${TOKEN}"},
            "oauth": {"clientId": "me", "callbackPort": 8080, "scopes": "a b", "authServerMetadataUrl": "https://x"},
        },
        "fs": {"command": "npx", "args": ["${HOME}"], "env": {"A": "1"}, "timeout": 1500, "alwaysLoad": True},
        "both": {"command": "everywhere"},
        "ws": {"type": "ws", "url": "wss://h"},
    },
    "projects": {
        "/work": {"mcpServers": {"both": {"command": "here"}}, "disabledMcpServers": ["fs"], "history": ["x"]},
        "/other": {"mcpServers": {"hidden": {"command": "x"}}},
    },
}
CODEX = """
model = "x"
[mcp_servers.local]
command = "npx"
args = ["-y", "s"]
cwd = "/x"
env = { A = "1" }
env_vars = ["B", "C"]
startup_timeout_ms = 2500
tool_timeout_sec = 60
enabled = false
enabled_tools = ["t"]
disabled_tools = ["u"]
required = true

[mcp_servers.remote]
url = "https://h/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { X-A = "a" }
env_http_headers = { X-B = "VAR" }
scopes = ["s"]
startup_timeout_sec = 12.5
oauth_resource = "https://r"
tools.search.approval_mode = "approve"

[mcp_servers.odd]
command = "x"
env_vars = [{ name = "A" }]
"""
CURSOR = """{
  // my servers
  "mcpServers": {
    "My Server!": { "command": "python", "args": ["${workspaceFolder}/s.py", "// no comment"], "envFile": ".env", },
    "auth": { "url": "https://h/mcp", "auth": {"CLIENT_ID": "me", "CLIENT_SECRET": "planted", "scopes": ["a"]} },
  }, /* end */
}"""
VSCODE = """{
  "inputs": [{ "type": "promptString", "id": "api-key", "password": true }],
  "servers": {
    "one": { "type": "stdio", "command": "npx", "env": { "K": "${input:api-key}" }, "cwd": "${workspaceFolder}" },
    "two": { "type": "http", "url": "https://h/mcp", "headers": { "A": "Bearer ${input:api-key}" }, "dev": {} }
  }
}"""


def found(tmp_path: Path, program: str, file: str, text: str, cwd: Path = Path("/work")) -> Found:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text)
    (one,) = programs.found(program, tmp_path, {}, cwd)
    return one


def test_claude_code(tmp_path: Path) -> None:
    servers = {one.name: one for one in found(tmp_path, "claude-code", ".claude.json", json.dumps(CLAUDE)).servers}

    assert list(servers) == ["github", "fs", "both", "ws"]
    github, fs = servers["github"], servers["fs"]
    assert github.read.server is not None
    assert github.read.server.oauth == OAuth(client_id="me", redirect_port=8080, scopes=("a", "b"))
    assert github.lost == ('of its sign-in "authServerMetadataUrl" is not known here',)
    assert fs.entry == {
        "command": "npx", "args": ["${HOME}"], "env": {"A": "1"}, "call_timeout_s": 1.5, "enabled": False,
    }  # fmt: skip
    assert fs.lost == ("alwaysLoad has no meaning here",)
    assert servers["both"].entry == {"command": "here"}
    assert (
        servers["ws"].read.why_not
        == "type: 'ws' is unknown; it can be http, sse, stdio, streamable-http, streamableHttp"
    )


def test_codex(tmp_path: Path) -> None:
    local, remote, odd = found(tmp_path, "codex", ".codex/config.toml", CODEX).servers

    assert local.entry == {
        "command": "npx", "args": ["-y", "s"], "cwd": "/x", "env": {"A": "1", "B": "${B:-}", "C": "${C:-}"},
        "start_timeout_s": 2.5, "call_timeout_s": 60, "enabled": False, "allow": ["t"], "deny": ["u"],
    }  # fmt: skip
    assert local.lost == ("no server is required here (required): a session begins without it",)
    assert remote.entry == {
        "url": "https://h/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-A": "a", "X-B": "${VAR}"},
        "oauth": {"scopes": ["s"]}, "start_timeout_s": 12.5,
    }  # fmt: skip
    assert remote.lost == (
        '"oauth_resource" is not known here',
        "what it asks about follows from your rules here: see trouper permissions --help",
    )
    assert [one.read.server is not None for one in (local, remote, odd)] == [True, True, True]
    assert odd.lost == ('"env_vars" is not what it should be: Expected `str`, got `object` - at `$[0]`',)


def test_cursor(tmp_path: Path) -> None:
    named, auth = found(tmp_path, "cursor", ".cursor/mcp.json", CURSOR).servers

    assert named.name == "My-Server"
    assert named.entry == {"command": "python", "args": ["${workspaceFolder}/s.py", "// no comment"]}
    assert named.lost == (
        'it is called "My-Server" here',
        "a file of variables (envFile) is not read here: set them where you start trouper",
    )
    assert auth.entry == {"url": "https://h/mcp", "oauth": {"client_id": "me", "scopes": ["a"]}}
    assert auth.lost == ('of its sign-in "CLIENT_SECRET" is not known here',)


def test_what_an_editor_asks_for_becomes_a_variable(tmp_path: Path) -> None:
    one, two = found(tmp_path, "vscode", "w/.vscode/mcp.json", VSCODE, tmp_path / "w").servers

    assert one.entry == {"type": "stdio", "command": "npx", "env": {"K": "${API_KEY}"}, "cwd": "${workspaceFolder}"}
    assert two.entry["headers"] == {"A": "Bearer ${API_KEY}"}
    told = "what VS Code asks for (api-key) is the variable API_KEY here"
    assert (one.lost, two.lost) == ((told,), ("dev has no meaning here", told))


@pytest.mark.parametrize(
    ("program", "file", "text"),
    [
        ("claude-code", ".claude.json", "{"),
        ("claude-code", ".claude.json", '{"mcpServers": []}'),
        ("claude-code", ".claude.json", '{"mcpServers": ' + "[" * 100_000),
        ("codex", ".codex/config.toml", "["),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"a": {}, "a": {}}}'),
        ("vscode", ".config/Code/User/mcp.json", '{"servers": 1}'),
    ],
)
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, program: str, file: str, text: str) -> None:
    one = found(tmp_path, program, file, text)

    assert one.servers == ()
    assert str(tmp_path / file) in one.problem


def test_without_files_there_is_nothing(tmp_path: Path) -> None:
    assert [list(programs.found(program, tmp_path, {}, tmp_path)) for program in programs.ALL] == [[], [], [], []]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/* " * 500_000, ""),
        ("/* " * 500_000 + "*/1", "1"),
        ('\\"' * 500_000, '\\"' * 500_000),
        ('"' + '\\"' * 500_000, '"' + '\\"' * 500_000),
        (", " * 500_000 + "]", ", " * 499_999 + " ]"),
    ],
    ids=["opened", "closed", "quoted", "in a text", "commas"],
)
def test_comments_are_taken_out_in_time_by_the_length_of_a_file(text: str, left: str) -> None:
    """By its square it would take an hour."""
    assert without_comments(text) == left
