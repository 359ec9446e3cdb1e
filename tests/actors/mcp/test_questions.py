"""Which servers are told the workspace: not those that would take it in place of the folders they were given."""

from pathlib import Path

import pytest

from actors.mcp.questions import tells_roots
from actors.settings.mcp.servers import McpServer


@pytest.mark.parametrize(
    ("args", "roots", "told"),
    [
        ((), True, True),
        (("stdio", "-v"), True, True),
        (("sub",), True, False),
        (("/",), True, False),
        ((), False, False),
    ],
)
def test_who_was_given_folders_or_is_not_to_know_is_not_told(
    args: tuple[str, ...], roots: bool, told: bool, tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    server = McpServer(name="a", transport="stdio", command="c", args=args, roots=roots, source="/s", scope="user")

    assert tells_roots(server, str(tmp_path)) == told
