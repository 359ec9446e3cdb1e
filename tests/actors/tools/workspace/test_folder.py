"""Nothing outside the workspace is reached, whatever the path looks like."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.confinement.errors import OutsideWorkspace
from actors.tools.base import Worker
from actors.tools.workspace.folder import open_workspace
from tests.actors.tools.conftest import Call, calling

OUTSIDE = "outside the workspace"


@pytest.fixture
def outside(folder: Path) -> Path:
    secret = folder.parent / "secret.txt"
    secret.write_text("secret")
    (folder / "link").symlink_to(secret)
    (folder / "up").symlink_to(folder.parent)
    (folder / "dangling").symlink_to(folder.parent / "new.txt")
    (folder / "sub").mkdir()
    return secret


WAYS_OUT = ("../secret.txt", "sub/../../secret.txt", "link", "up/secret.txt", "/etc/passwd", "~/x", "dangling")


@pytest.mark.parametrize("path", WAYS_OUT)
@pytest.mark.usefixtures("outside")
async def test_reading_outside_is_refused(call: Call, path: str) -> None:
    outcome = await call("read", path=path)

    assert outcome.failed
    assert OUTSIDE in outcome.output


@pytest.mark.parametrize("path", [*WAYS_OUT, "up/new/deep.txt"])
async def test_writing_outside_is_refused(outside: Path, call: Call, path: str) -> None:
    outcome = await call("write", path=path, content="mine")

    assert outcome.failed
    assert OUTSIDE in outcome.output
    assert outside.read_text() == "secret"
    assert not (outside.parent / "new.txt").exists()


@pytest.mark.parametrize(("tool", "more"), [("list", {}), ("glob", {"pattern": "*"}), ("grep", {"pattern": "secret"})])
@pytest.mark.usefixtures("outside")
async def test_searching_outside_is_refused(call: Call, tool: str, more: dict[str, str]) -> None:
    outcome = await call(tool, path="up", **more)

    assert outcome.failed
    assert OUTSIDE in outcome.output


async def test_an_edit_through_a_symlink_is_refused(outside: Path, call: Call) -> None:
    outcome = await call("edit", path="link", old="secret", new="mine")

    assert outcome.failed
    assert outside.read_text() == "secret"


async def test_absolute_paths_inside_are_fine(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("x")

    assert not (await call("read", path=str(folder / "a.txt"))).failed


@pytest.mark.parametrize(
    "path",
    [
        *(".git/config", ".git/hooks/pre-commit", ".trouper/config.toml", "x/../.git/config", ".GIT/config"),
        *("vendor/lib/.git/config", "vendor/lib/.git/hooks/post-checkout", ".git/modules/lib/config", "tree/.git"),
        *(".git/worktrees/one/config.worktree", ".git/worktrees/one/commondir", "sub/.trouper/config.local.toml"),
    ],
)
async def test_files_that_run_commands_are_not_written(folder: Path, call: Call, path: str) -> None:
    outcome = await call("write", path=path, content="x")

    assert outcome.failed
    assert "protected" in outcome.output
    assert list(folder.iterdir()) == []


async def test_our_own_state_is_closed(folder: Path, call: Call) -> None:
    (folder / ".home").mkdir()
    (folder / ".home" / "trouper.db").write_text("sessions")

    outcome = await call("read", path=".home/trouper.db")

    assert outcome.failed


async def test_a_nul_in_a_path_is_an_ordinary_error(call: Call) -> None:
    outcome = await call("read", path="a\0b")

    assert outcome.output == "A path cannot contain a NUL byte."


async def test_an_unknown_user_s_home_is_only_a_name(folder: Path, call: Call) -> None:
    await call("write", path="~nobody-of-that-name/a.txt", content="x")

    assert (folder / "~nobody-of-that-name" / "a.txt").read_text() == "x"


CHANGES = [
    ("write", {"path": "tools/env/x", "content": "x"}),
    ("delete", {"path": "tools"}),
    ("move", {"source": "tools", "destination": "away"}),
    ("copy", {"source": "file", "destination": "tools/env/bin/python"}),
]


@pytest.mark.parametrize(("name", "arguments"), CHANGES)
async def test_what_trouper_itself_runs_from_is_not_changed_and_the_way_out_is_said(
    folder: Path, worker: Worker, name: str, arguments: dict[str, str]
) -> None:
    (folder / "tools" / "env" / "bin").mkdir(parents=True)
    (folder / "file").touch()
    own = replace(worker, workspace=replace(worker.workspace, own=(folder / "tools" / "env",)))

    outcome = await calling(own)(name, **arguments)

    assert outcome.failed
    assert "runs from tools/env. " in outcome.output
    assert "pipx install ." in outcome.output
    assert (folder / "tools" / "env" / "bin").is_dir()


def test_a_copy_of_a_repository_is_open_and_what_it_lies_in_is_not(tmp_path: Path) -> None:
    home = tmp_path.resolve() / "home"
    copy = home / "worktrees" / "s.1" / "project"
    copy.mkdir(parents=True)
    beside = home / "worktrees" / "s.1" / "note"

    workspace, other = open_workspace(str(copy), str(home)), open_workspace(str(home / "worktrees"), str(home))

    assert workspace.is_readable(copy / "a")
    assert workspace.locate_for_writing("a") == copy / "a"
    assert not workspace.is_readable(beside)
    assert not other.is_readable(copy / "a")
    with pytest.raises(OutsideWorkspace):
        workspace.locate_for_writing(".git/config")
