"""Which files one command does not see because of rules, and what bubblewrap is told about them."""

from pathlib import Path

import pytest

from actors.tools import limits
from actors.tools.errors import ToolFailed
from actors.tools.sandbox import masks


def made(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder.resolve()


def test_patterns_and_names_find_what_is_there(tmp_path: Path) -> None:
    top = made(tmp_path, ".env", "src/.env", "src/deep/.ENV", "src/main.py", "secrets/key", "elsewhere/key")

    found = masks.find(top, ("**/.env", "secrets", "missing.txt"))

    assert sorted(found) == [top / ".env", top / "secrets", top / "src/.env", top / "src/deep/.ENV"]


def test_a_hidden_folder_is_one_mask_and_is_not_looked_into(tmp_path: Path) -> None:
    top = made(tmp_path, *(f"private/{number}" for number in range(limits.MASKS + 1)))

    assert masks.find(top, ("priv*/**",)) == [top / "private"]


def test_a_symlink_hides_what_it_leads_to(tmp_path: Path) -> None:
    top = made(tmp_path, "real.txt")
    (top / ".env").symlink_to("real.txt")
    (top / "nested").mkdir()
    (top / "nested" / ".env").symlink_to("nowhere")

    assert masks.find(top, ("**/.env",)) == [top / "real.txt"]


def test_too_many_are_refused_and_the_way_out_is_named(tmp_path: Path) -> None:
    top = made(tmp_path, *(f"{number}.key" for number in range(limits.MASKS + 1)))

    with pytest.raises(ToolFailed, match="more than 200 files"):
        masks.find(top, ("*.key",))


def test_folders_are_covered_by_an_empty_one_and_files_by_nothing(tmp_path: Path) -> None:
    top = made(tmp_path, "file", "folder/file")

    assert masks.options([top / "file", top / "folder"]) == [
        *("--ro-bind", "/dev/null", str(top / "file")),
        *("--perms", "0000", "--tmpfs", str(top / "folder"), "--remount-ro", str(top / "folder")),
    ]
