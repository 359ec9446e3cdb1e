"""`delete` and `make_dir` on real files."""

import os
from pathlib import Path

import pytest
import trio

from actors.messages.conversation import ToolCall
from actors.messages.tool import Preview
from actors.tools.actor import preview
from actors.tools.base import Worker
from tests.actors.tools.conftest import Call


@pytest.fixture(autouse=True)
def tree(folder: Path) -> None:
    (folder / "a.txt").write_text("a")
    (folder / "src").mkdir()
    (folder / "src" / "b.txt").write_text("b")
    (folder / "outside").symlink_to(folder.parent)
    (folder / "empty").mkdir()


async def test_a_file_is_deleted(folder: Path, call: Call) -> None:
    outcome = await call("delete", path="a.txt")

    assert outcome.output == "Deleted a.txt."
    assert not (folder / "a.txt").exists()


async def test_of_a_symlink_only_itself_is_deleted(folder: Path, call: Call) -> None:
    await call("delete", path="outside", recursive=True)

    assert not (folder / "outside").is_symlink()
    assert folder.parent.is_dir()


async def test_a_folder_wants_to_be_meant(folder: Path, call: Call) -> None:
    refused = await call("delete", path="src")
    empty = await call("delete", path="empty")
    (folder / "src" / "up").symlink_to(folder.parent)
    whole = await call("delete", path="src", recursive=True)

    assert "Set recursive" in refused.output
    assert empty.output == "Deleted empty/ with 0 files."
    assert whole.output == "Deleted src/ with 1 file."
    assert not (folder / "src").exists()
    assert (folder / "a.txt").exists()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (".", "is the workspace itself"),
        ("src/..", "is the workspace itself"),
        ("..", "outside the workspace"),
        ("outside/x", "outside the workspace"),
        ("/", "outside the workspace"),
        (".git", "protected"),
        ("src/.git", "protected"),
        (".git/hooks", "protected"),
        (".trouper/config.toml", "protected"),
        ("nope", "No such file or folder: nope."),
    ],
)
async def test_what_is_not_deleted(folder: Path, call: Call, path: str, said: str) -> None:
    outcome = await call("delete", path=path, recursive=True)

    assert outcome.failed
    assert said in outcome.output
    assert sorted(entry.name for entry in folder.iterdir()) == ["a.txt", "empty", "outside", "src"]


async def test_a_preview_shows_what_will_be_gone(folder: Path, worker: Worker) -> None:
    (folder / "src" / "a.txt").touch()
    call = ToolCall(call_id="c", name="delete", arguments='{"path": "src", "recursive": true}')

    assert preview(call, worker) == Preview(title="delete src/ with 2 files", detail="src/a.txt\nsrc/b.txt")


async def test_a_folder_is_made_with_those_above(folder: Path, call: Call) -> None:
    made = await call("make_dir", path="x/y/z")
    again = await call("make_dir", path="x/y/z")
    refused = await call("make_dir", path="a.txt")

    assert made.output == "Made x/y/z/."
    assert (folder / "x/y/z").is_dir()
    assert again.output == "x/y/z/ was there already."
    assert refused.output == "a.txt is a file. Choose another name."


async def test_folders_as_deep_as_they_can_be_end_no_worker(folder: Path, call: Call) -> None:
    above = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("z", dir_fd=above)
        below = os.open("z", os.O_RDONLY, dir_fd=above)
        os.close(above)
        above = below
    os.close(above)

    try:
        outcome = await call("delete", path="z", recursive=True)
        left = (folder / "z").exists()
    finally:
        await trio.run_process(["rm", "-rf", str(folder / "z")])

    assert outcome.failed is left
