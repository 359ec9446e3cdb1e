"""Which files one command does not see because of rules, and what bubblewrap is told about them."""

import os
import resource
from pathlib import Path

import pytest

from actors.confinement import limits
from actors.confinement.errors import ToolFailed
from actors.confinement.sandbox.view import masks


def made(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder.resolve()


def test_patterns_and_names_find_what_is_there(tmp_path: Path) -> None:
    top = made(tmp_path, ".env", "src/.env", "src/deep/.ENV", "src/main.py", "secrets/key", "elsewhere/key")

    found = masks.find(top, ("**/.env", "secrets", "missing.txt"))

    assert sorted(found) == [top / ".env", top / "secrets", top / "src/.env", top / "src/deep/.ENV"]


def test_a_name_is_found_in_whatever_case_it_is_written(tmp_path: Path) -> None:
    top = made(tmp_path, ".ENV", "Conf/KEY", "conf/key", "other/key")

    assert sorted(masks.find(top, (".env", "conf/key"))) == [top / ".ENV", top / "Conf/KEY", top / "conf/key"]


@pytest.mark.parametrize(
    ("pattern", "hidden"),
    [
        ("../notes/**", ["notes"]),
        ("../notes/", ["notes"]),
        ("../notes/*.txt", ["notes/a.txt"]),
        ("../NOTES/*.txt", []),
        ("../notes/*.TXT", ["notes/a.txt"]),
        ("../*/deep/**", ["notes/deep"]),
        ("../notes/*.txt/**", ["notes/a.txt"]),
        ("../notes/**/*.txt", []),
        ("../**", ["work/file"]),
        ("**", ["work/file"]),
        ("/**", ["work/file"]),
    ],
)
@pytest.mark.parametrize("absolute", [False, True])
def test_outside_the_workspace_folders_and_names_are_found_but_not_at_any_depth(
    tmp_path: Path, pattern: str, hidden: list[str], absolute: bool
) -> None:
    top = made(tmp_path, "notes/a.txt", "notes/b.md", "notes/deep/c.txt", "work/file")
    written = pattern.replace("..", str(top)) if absolute else pattern

    assert sorted(masks.find(top / "work", (written,))) == [top / name for name in hidden]


def test_a_hidden_folder_is_one_mask_and_is_not_looked_into(tmp_path: Path) -> None:
    top = made(tmp_path, *(f"private/{number}" for number in range(limits.MASKS + 1)))

    assert list(masks.find(top, ("priv*/**",))) == [top / "private"]


def test_a_symlink_hides_what_it_leads_to(tmp_path: Path) -> None:
    top = made(tmp_path, "real.txt")
    (top / ".env").symlink_to("real.txt")
    (top / "nested").mkdir()
    (top / "nested" / ".env").symlink_to("nowhere")

    assert list(masks.find(top, ("**/.env",))) == [top / "real.txt"]


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


def test_a_credential_that_came_later_is_found_wherever_it_may_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    key, token, elsewhere = tmp_path / ".ssh" / "id_rsa", tmp_path / ".netrc", tmp_path.parent / f"{tmp_path.name}.key"
    looked_for = masks.Candidates(map(str, [key, token, elsewhere, tmp_path / ".aws" / "credentials"]))
    before = looked_for.shown()
    (tmp_path / ".ssh").mkdir()
    for path in (key, token, elsewhere):
        path.write_text("secret")

    assert before == []
    assert sorted(looked_for.shown()) == sorted([key, token, elsewhere])


def test_of_a_home_that_may_not_be_looked_into_every_place_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may look into every folder")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text("secret")
    looked_for = masks.Candidates([str(tmp_path / ".netrc")])
    tmp_path.chmod(0o100)
    try:
        assert looked_for.shown() == [tmp_path / ".netrc"]
    finally:
        tmp_path.chmod(0o700)


def test_where_a_home_cannot_be_looked_into_for_want_of_descriptors_every_place_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text("secret")
    looked_for = masks.Candidates([str(tmp_path / ".netrc")])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        shown = looked_for.shown()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert shown == [tmp_path / ".netrc"]
