"""Folders that keep a place while a worker needs them."""

from pathlib import Path

from actors.confinement.sandbox.view.mount_points import MountPoints


def test_what_was_put_in_their_place_is_not_removed(tmp_path: Path) -> None:
    workspace, elsewhere = tmp_path / "work", tmp_path / "elsewhere"
    (workspace / ".git").mkdir(parents=True)
    (elsewhere / "hooks").mkdir(parents=True)

    made = MountPoints(workspace)
    (workspace / ".git").rename(workspace / "moved")
    (workspace / ".git").symlink_to(elsewhere)
    made.remove()

    assert (elsewhere / "hooks").is_dir()
    assert (workspace / "moved" / "hooks").is_dir()


def test_they_are_removed_when_nobody_needs_them(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()

    made = MountPoints(tmp_path)
    there = [(tmp_path / name).is_dir() for name in (".trouper", ".git/hooks")]
    made.remove()

    assert there == [True, True]
    assert sorted(path.name for path in tmp_path.rglob("*")) == [".git"]
