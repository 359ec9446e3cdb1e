"""The prompts of one project on disk."""

from pathlib import Path

from ui.screen.composer import history


def test_prompts_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "history" / "shop.jsonl"

    history.append(path, "first")
    history.append(path, "second\nwith a line")

    assert history.read(path) == ["first", "second\nwith a line"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_torn_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "history" / "shop.jsonl"
    history.append(path, "first")
    history.append(path, "second")
    path.write_bytes(path.read_bytes()[:-5])

    assert history.read(path) == ["first"]


def test_each_folder_has_its_own(tmp_path: Path) -> None:
    assert history.path_for(str(tmp_path), "/a/shop") != history.path_for(str(tmp_path), "/b/shop")
