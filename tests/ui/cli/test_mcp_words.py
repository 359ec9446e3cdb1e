"""What is said of a server that may not be what whoever wrote it meant."""

from pathlib import Path

import pytest

from actors.settings.mcp.servers import McpServer
from ui.cli.mcp import words


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"command": "python", "args": ("server.py",)}, ["server.py", "'${workspaceFolder}/server.py'"]),
        ({"command": "./run"}, ["./run", "'${workspaceFolder}/run'"]),
        ({"command": "npx", "args": ("-y", "server", ".")}, [". is not looked for", "'${workspaceFolder}'"]),
        ({"command": "python", "args": ("server.py",), "cwd": "/x"}, []),
        ({"command": "python", "args": ("server.py",), "scope": "workspace"}, []),
        ({"command": "/bin/sh", "args": ("-c", "true", "${workspaceFolder}")}, []),
    ],
)
def test_what_is_not_looked_for_in_the_folder_is_told(
    said: dict[str, object], told: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "server.py").touch()
    made = {"name": "a", "transport": "stdio", "source": "/mcp.json", "scope": "user", **said}

    words.warn(McpServer(**made), tmp_path)  # type: ignore[arg-type]

    heard = capfd.readouterr().err
    assert [text for text in told if text not in heard] == []
    assert bool(heard) == bool(told)
