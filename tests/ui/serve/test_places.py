"""Where a client may have a task done, and with what mode."""

from pathlib import Path

import pytest
from msgspec import UNSET, UnsetType

from actors.messages.budget import Budget
from actors.messages.tool import Mode
from actors.settings.config import Settings
from ui.cli.mcp import serving
from ui.common.usage_errors import Usage
from ui.serve import places
from ui.serve.terms import RunTask


def settings(top: Path, **more: object) -> Settings:
    (top / "home").mkdir(exist_ok=True)
    return Settings(home=str(top / "home"), cwd=str(top), session_id="s", run_id="r", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("said", "found"), [("", "."), ("a", "a"), ("a/../b", "b"), (".", "."), ("inner", "a")])
def test_the_folder_is_the_servers_or_below(tmp_path: Path, said: str, found: str) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "inner").symlink_to("a")

    assert places.folder(said, settings(tmp_path)) == (tmp_path / found).resolve()


@pytest.mark.parametrize(
    "said", ["..", "/", "/tmp", "outer", "~", "home", "home/logs", "loop", "a\0", "none", "x" * 5000]
)
def test_no_other_folder_is_allowed(tmp_path: Path, said: str) -> None:
    (tmp_path / "outer").symlink_to("/")
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(Usage):
        places.folder(said, settings(tmp_path))


@pytest.mark.parametrize(
    ("servers", "wanted", "mode"),
    [
        ("default", UNSET, "default"),
        ("auto", UNSET, "auto"),
        ("auto", "plan", "plan"),
        ("accept-edits", "default", "default"),
        ("plan", "research", "research"),
    ],
)
def test_a_client_may_have_less(tmp_path: Path, servers: Mode, wanted: Mode | UnsetType, mode: Mode) -> None:
    assert places.mode_of(RunTask(prompt="x", mode=wanted), settings(tmp_path, mode=servers)) == mode


@pytest.mark.parametrize(("servers", "wanted"), [("default", "accept-edits"), ("plan", "default"), ("default", "auto")])
def test_a_client_may_not_have_more(tmp_path: Path, servers: Mode, wanted: Mode) -> None:
    with pytest.raises(Usage, match=f"--mode {wanted}"):
        places.mode_of(RunTask(prompt="x", mode=wanted), settings(tmp_path, mode=servers))


@pytest.mark.parametrize(
    ("configured", "chosen", "mode"),
    [("auto", False, "default"), ("auto", True, "auto"), ("plan", False, "plan"), ("accept-edits", False, "default")],
)
def test_a_config_file_gives_clients_no_more_than_the_default(
    tmp_path: Path, configured: Mode, chosen: bool, mode: Mode
) -> None:
    assert serving.mode(settings(tmp_path, mode=configured, mode_chosen=chosen)) == mode


def test_a_session_of_an_earlier_server_has_the_limit_for_itself(tmp_path: Path) -> None:
    of_server = Budget(session_id="s", usd=1.0, what="this MCP server")
    limited = settings(tmp_path, budgets=(of_server,))

    assert places.own_budgets(limited, "s.3") == ()
    assert places.own_budgets(limited, "t.3") == (Budget(session_id="t.3", usd=1.0, what="this session"),)
