"""Files are changed as somebody would by hand: order, indent and comments stay; a mistake leaves them as they were."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from actors.errors import BadConfiguration
from actors.settings.mcp.writing import change, written

ENTRY = {"command": "x"}
TABS = '{\n\t"inputs": [],\n\t"servers": {\n\t\t"b": {\n\t\t\t"command": "é"\n\t\t}\n\t}\n}\n'
TOML = """# mine
model = "a/b" # often

[mcp.a] # first
command = "x"
args = [ "1",   "2" ]

[mcp.b]
url = "https://h/mcp"

[permissions]
deny = ["Read(a)"]
"""


def adds(name: str) -> Any:  # noqa: ANN401
    def edit(servers: dict[str, Any]) -> None:
        servers[name] = ENTRY

    return edit


def removes(name: str) -> Any:  # noqa: ANN401
    def edit(servers: dict[str, Any]) -> None:
        del servers[name]

    return edit


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_that_is_not_there_is_made_for_the_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"

    change(path, adds("a"))

    assert json.loads(path.read_text()) == {"mcpServers": {"a": ENTRY}}
    assert mode(path) == 0o600


def test_order_and_indent_stay(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(TABS)

    change(path, adds("a"))
    added = path.read_text()
    change(path, removes("a"))

    assert added == TABS.replace("\n\t\t}\n\t}", '\n\t\t},\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}\n\t}')
    assert path.read_text() == TABS


def test_a_file_of_the_team_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text(TABS)
    path.chmod(0o664)

    change(path, adds("a"))

    assert mode(path) == 0o664


def test_comments_of_toml_stay(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(TOML)

    def disable(servers: dict[str, Any]) -> None:
        servers["b"]["enabled"] = False

    change(path, disable)
    disabled = path.read_text()
    change(path, removes("a"))

    assert disabled == TOML.replace('"https://h/mcp"\n', '"https://h/mcp"\nenabled = false\n')
    assert "# mine" in path.read_text()
    assert path.read_text().endswith('[permissions]\ndeny = ["Read(a)"]\n')
    assert list(written(path)) == ["b"]


@pytest.mark.parametrize("text", ['{"mcpServers": []}', "{", "[]", '{"a": {}}', '{"mcpServers": {}, "servers": {}}'])
def test_what_cannot_be_read_is_not_written_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(text)

    with pytest.raises(BadConfiguration, match=r"mcp\.json"):
        change(path, adds("a"))

    assert path.read_text() == text


def test_nothing_is_written_through_a_link_of_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.json").write_text("{}")
    (tmp_path / ".mcp.json").symlink_to("elsewhere.json")

    with pytest.raises(BadConfiguration, match="is a symlink"):
        change(tmp_path / ".mcp.json", adds("a"))

    assert (tmp_path / "elsewhere.json").read_text() == "{}"


def test_a_users_own_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.json").write_text("{}")
    (tmp_path / "mcp.json").symlink_to("dotfiles.json")

    change(tmp_path / "mcp.json", adds("a"))

    assert (tmp_path / "mcp.json").is_symlink()
    assert json.loads((tmp_path / "dotfiles.json").read_text()) == {"mcpServers": {"a": ENTRY}}
