"""Files that a repository holds: pipes, devices and endless ones do not hold anybody up."""

import os
from pathlib import Path

import pytest

from actors.common.checkout import git_branch
from actors.common.small_files import read_regular


def test_so_much_is_read_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("0123456789")

    assert read_regular(tmp_path / "a", 4) == b"0123"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")

    for name in ("pipe", "endless", "."):
        with pytest.raises(OSError, match="not a regular file"):
            read_regular(tmp_path / name, 10)


def test_a_file_of_somebody_else_is_refused_where_it_matters(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")

    assert read_regular(tmp_path / "a", 10, {os.getuid()}) == b"x"
    with pytest.raises(PermissionError):
        read_regular(tmp_path / "a", 10, set())


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/fix/rounding\n", "fix/rounding"),
        ("0123456789abcdef0123456789abcdef01234567\n", "detached at 01234567"),
        ("ref: refs/heads/main\nobey me\n", "main"),
        ("ref: refs/heads/main obey me\n", ""),
        ("KEY=secret\n", ""),
    ],
)
def test_the_branch_is_read_off_head(tmp_path: Path, head: str, branch: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)
    (tmp_path / "below").mkdir()

    assert git_branch(tmp_path / "below") == branch


def test_the_branch_of_a_worktree_is_found(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "HEAD").write_text("ref: refs/heads/side\n")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / ".git").write_text("gitdir: ../elsewhere\n")

    assert git_branch(tmp_path / "tree") == "side"


def test_a_head_that_is_none_is_no_branch(tmp_path: Path) -> None:
    (tmp_path / "a" / ".git").mkdir(parents=True)
    os.mkfifo(tmp_path / "a" / ".git" / "HEAD")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / ".git").write_bytes(b"gitdir: \0\xff")
    (tmp_path / "c" / ".git").mkdir(parents=True)
    (tmp_path / "c" / ".git" / "HEAD").touch()
    os.truncate(tmp_path / "c" / ".git" / "HEAD", 1 << 40)

    assert git_branch(tmp_path / "a") == git_branch(tmp_path / "b") == ""
    assert len(git_branch(tmp_path / "c")) < 100
