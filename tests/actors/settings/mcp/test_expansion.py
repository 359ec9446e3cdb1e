"""Variables are filled in at a server's start alone, and what they bring cannot make a header or an address another."""

from pathlib import Path

import pytest

from actors.errors import BadConfiguration
from actors.settings.mcp.expansion import expanded, names
from actors.settings.mcp.servers import McpServer, OAuth

SERVER = McpServer(name="a", transport="stdio", command="run", source="/f/.mcp.json", scope="workspace")
REMOTE = McpServer(name="a", transport="http", url="https://h/mcp", source="/f/.mcp.json", scope="workspace")
CWD = Path("/work")


def server(**keys: object) -> McpServer:
    return McpServer(
        **{"name": "a", "transport": "stdio", "command": "run", "source": "/f", "scope": "user", **keys}  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("text", "comes_out"),
    [
        ("${A}", "1"),
        ("x${A}y${A}", "x1y1"),
        ("${env:A}", "1"),
        ("${NONE:-}", ""),
        ("${NONE:-d:-e}", "d:-e"),
        ("${EMPTY:-d}", "d"),
        ("${EMPTY}", ""),
        ("${A:-d}", "1"),
        ("${workspaceFolder}/x", "/work/x"),
        ("$A $(A) ${A", "$A $(A) ${A"),
        ("${input:x} ${A/b/c}", "${input:x} ${A/b/c}"),
        ("${AGAIN}", "${A}"),
    ],
)
def test_a_variable_is_filled_in_once(text: str, comes_out: str) -> None:
    made = expanded(server(args=(text,)), {"A": "1", "EMPTY": "", "AGAIN": "${A}"}, CWD)

    assert made.args == (comes_out,)


def test_it_is_filled_in_wherever_it_may_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    given = server(command="${X}", env={"A": "${X}"}, cwd="${X}", write=("~/out", "${X}"))
    remote = server(command="", transport="http", url="https://${X}/", headers={"A": "${X}"})

    made, reached = expanded(given, {"X": "x"}, CWD), expanded(remote, {"X": "x"}, CWD)

    assert (made.command, made.env, made.cwd, made.write) == ("x", {"A": "x"}, "/work/x", ("/home/me/out", "/work/x"))
    assert (reached.url, reached.headers, reached.cwd) == ("https://x/", {"A": "x"}, "")


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("command", "${GONE}", "command"),
        ("args", ("${GONE}",), "args"),
        ("env", {"A": "${GONE}"}, "env.A"),
    ],
)
def test_a_missing_variable_is_named_with_its_place(key: str, value: object, where: str) -> None:
    with pytest.raises(BadConfiguration) as refused:
        expanded(server(**{key: value}), {}, CWD)

    assert str(refused.value) == (
        f'/f: the MCP server "a": {where} needs the variable GONE, which is not set. Set it, or write ${{GONE:-}}.'
    )


@pytest.mark.parametrize("keys", [{"cwd": "~no-such-user/x"}, {"write": ("~no-such-user/x",)}])
def test_a_home_folder_of_nobody_is_an_error(keys: dict[str, object]) -> None:
    with pytest.raises(BadConfiguration, match=r"~no-such-user/x: there is no such home folder"):
        expanded(server(**keys), {}, CWD)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"headers": {"A": "${X}"}}, "headers.A has a control character"),
        ({"url": "${X}"}, "url is no address such as https://host/mcp"),
    ],
)
def test_what_a_variable_brings_is_checked_and_not_told(keys: dict[str, object], said: str) -> None:
    remote = server(**{"command": "", "transport": "http", "url": "https://h/", **keys})

    with pytest.raises(BadConfiguration) as refused:
        expanded(remote, {"X": "secret\r\nEvil: yes"}, CWD)

    assert said in str(refused.value)
    assert "secret" not in str(refused.value)


def test_all_variables_that_it_gets_are_known_beforehand() -> None:
    given = server(
        command="${A}", args=("${B:-x}",), env={"C": "${env:C}"}, cwd="${workspaceFolder}/${D}",
        headers={"x": "${E} ${E}"}, oauth=OAuth(client_secret_env="F"),
    )  # fmt: skip

    assert names(given) == ("A", "D", "B", "C", "E", "F")
