"""What a worker's view of the files is made of."""

from pathlib import Path

import pytest

from actors.confinement.sandbox.view import file_view
from actors.confinement.sandbox.view.file_view import names_of
from actors.settings.config import Settings
from actors.settings.mcp.servers import McpServer


def test_a_file_is_kept_by_the_names_of_its_links_and_not_by_their_folders(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "systemd" / "resolve").mkdir(parents=True)
    (run / "resolvconf").mkdir()
    (run / "systemd" / "resolve" / "stub-resolv.conf").write_text("nameserver 127.0.0.53")
    (run / "resolvconf" / "resolv.conf").symlink_to("../systemd/resolve/stub-resolv.conf")
    (tmp_path / "resolv.conf").symlink_to("run/resolvconf/resolv.conf")

    names = names_of(tmp_path / "resolv.conf", run)

    assert names == (run / "resolvconf" / "resolv.conf", run / "systemd" / "resolve" / "stub-resolv.conf")


def test_a_link_in_a_circle_or_to_nothing_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "nothing").symlink_to("missing")

    assert (names_of(tmp_path / "round", tmp_path), names_of(tmp_path / "nothing", tmp_path)) == ((), ())


@pytest.mark.parametrize(
    ("command", "args", "seen"),
    [
        ("made/venv/bin/serve", (), "made/venv"),
        ("made/node_modules/.bin/serve", (), "made"),
        ("/usr/bin/env", ("made/scripts/serve.py",), "made/scripts"),
        ("/usr/bin/env", ("made/data",), "made/data"),
        ("/usr/bin/env", ("not/there", "--flag", "word"), ""),
    ],
)
def test_a_server_sees_of_what_is_temporary_what_it_is_started_with(
    tmp_path: Path, command: str, args: tuple[str, ...], seen: str
) -> None:
    for folder in ("made/venv/bin", "made/node_modules/.bin", "made/scripts", "made/data", "work", "home"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("made/venv/bin/serve", "made/node_modules/.bin/serve", "made/scripts/serve.py"):
        (tmp_path / file).write_text("")
    absolute = tuple(str(tmp_path / text) if "/" in text else text for text in args)
    server = McpServer(
        name="s", transport="stdio", command=str(tmp_path / command), args=absolute, source="/c", scope="user"
    )
    settings = Settings(
        home=str(tmp_path / "home"), cwd=str(tmp_path / "work"), session_id="", run_id="", worker="mcp", mcp=(server,)
    )

    assert file_view.of(settings, tmp_path).opened == ((tmp_path.resolve() / seen,) if seen else ())
