"""Which era is tried first, and what is remembered of it."""

from pathlib import Path

import msgspec
import pytest

from actors.mcp import eras
from actors.settings.mcp.servers import McpServer

SERVER = McpServer(name="a", transport="stdio", command="run", source="/s", scope="user")


@pytest.mark.parametrize(
    ("transport", "era", "tried"),
    [
        ("stdio", "", ("auto", "legacy")),
        ("stdio", "2025-11-25", ("legacy", "auto")),
        ("http", "2024-11-05", ("legacy", "auto")),
        ("http", "2026-07-28", ("auto", "legacy")),
        ("sse", "2026-07-28", ("legacy",)),
    ],
)
def test_what_is_remembered_is_tried_first(transport: str, era: str, tried: tuple[str, ...]) -> None:
    server = msgspec.structs.replace(SERVER, transport=transport)

    assert eras.tries(server, era) == tried


def test_another_configuration_is_another_server(tmp_path: Path) -> None:
    eras.remember(str(tmp_path), SERVER, "2025-11-25")
    other = msgspec.structs.replace(SERVER, args=("--other",))

    assert eras.remembered(str(tmp_path), SERVER) == "2025-11-25"
    assert eras.remembered(str(tmp_path), other) == ""


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")

    eras.remember(str(tmp_path), SERVER, "2025-11-25")

    assert eras.remembered(str(tmp_path), SERVER) == ""
