"""Which workspaces are copies of ours, and what is noted of them."""

from pathlib import Path

import msgspec
import pytest

from actors.common.folders import worktree_places
from actors.common.folders.worktree_places import Note

HOME = Path("/users/home")
NOTE = Note(
    key="s.1",
    name="project",
    below=".",
    repository="/work",
    common="/work/.git",
    objects=("/work/.git/objects",),
    start="0" * 40,
    base="0" * 40,
    made_at=1.0,
)


@pytest.mark.parametrize(
    ("workspace", "folder"),
    [
        (HOME / "worktrees/s.1/project", HOME / "worktrees/s.1"),
        (HOME / "worktrees/s.1/project/src", HOME / "worktrees/s.1"),
        (HOME / "worktrees/s.1", None),
        (HOME / "worktrees/s.1/git", None),
        (HOME / "worktrees", None),
        (HOME, None),
        (Path("/work"), None),
    ],
)
def test_a_copy_lies_in_a_folder_of_its_own(workspace: Path, folder: Path | None) -> None:
    assert worktree_places.folder_of(workspace, HOME) == folder


def test_only_what_is_noted_beside_it_is_a_copy(tmp_path: Path) -> None:
    folder = tmp_path / "worktrees" / "s.1"
    for name in ("project/src", "other"):
        (folder / name).mkdir(parents=True)
    without = worktree_places.copy_of(folder / "project", tmp_path)
    (folder / "note").write_bytes(msgspec.json.encode(NOTE))

    assert without is None
    assert worktree_places.copy_of(folder / "project" / "src", tmp_path) == (folder / "project", NOTE)
    assert worktree_places.copy_of(folder / "other", tmp_path) is None
    (folder / "note").write_bytes(b"torn")
    assert worktree_places.note_in(folder) is None
