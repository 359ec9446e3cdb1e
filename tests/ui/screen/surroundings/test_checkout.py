"""The mark of a branch against git itself: what is not committed, and that nothing of the repository runs."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ui.screen.surroundings.checkout import branch_of


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "src" / "a.py").write_text("one\n")
    (folder / "b").write_text("two\n")
    (folder / "link").symlink_to("b")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


def test_a_clean_checkout_has_no_mark_wherever_one_stands_in_it(checkout: Path) -> None:
    (checkout / "new").write_text("git does not know it")

    assert (branch_of(checkout), branch_of(checkout / "src")) == ("main", "main")


def _touched(folder: Path) -> None:
    os.utime(folder / "b", ns=(1, 1))


def _written_again(folder: Path) -> None:
    (folder / "b").unlink()
    (folder / "b").write_text("two\n")


@pytest.mark.parametrize("change", [_touched, _written_again])
def test_what_has_the_same_content_is_no_change(checkout: Path, change: Callable[[Path], None]) -> None:
    change(checkout)

    assert branch_of(checkout) == "main"


def _same_length(folder: Path) -> None:
    (folder / "b").write_text("owt\n")


def _removed(folder: Path) -> None:
    (folder / "src" / "a.py").unlink()


def _link_elsewhere(folder: Path) -> None:
    (folder / "link").unlink()
    (folder / "link").symlink_to("a")


def _pipe(folder: Path) -> None:
    (folder / "b").unlink()
    os.mkfifo(folder / "b")


def _staged(folder: Path) -> None:
    (folder / "c").write_text("three\n")
    git(folder, "add", "c")


def _intended(folder: Path) -> None:
    (folder / "c").write_text("three\n")
    git(folder, "add", "-N", "c")


def _conflict(folder: Path) -> None:
    git(folder, "checkout", "-qb", "side", "HEAD")
    (folder / "b").write_text("side\n")
    git(folder, "commit", "-qam", "side")
    git(folder, "checkout", "-q", "main")
    (folder / "b").write_text("main\n")
    git(folder, "commit", "-qam", "main")
    with pytest.raises(subprocess.CalledProcessError):
        git(folder, "merge", "side")


@pytest.mark.parametrize("change", [_same_length, _removed, _link_elsewhere, _pipe, _staged, _intended, _conflict])
def test_what_is_not_committed_is_marked(checkout: Path, change: Callable[[Path], None]) -> None:
    change(checkout)

    assert branch_of(checkout) == "main*"


def test_the_mark_goes_with_the_commit(checkout: Path) -> None:
    _same_length(checkout)
    before = branch_of(checkout)
    git(checkout, "commit", "-qam", "second")

    assert (before, branch_of(checkout)) == ("main*", "main")


def test_nothing_that_the_repository_configures_is_run(checkout: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    for name in ("core.fsmonitor", "filter.evil.clean", "filter.evil.process", "core.hooksPath"):
        git(checkout, "config", name, f"touch {ran}; false")
    (checkout / ".git" / "info" / "attributes").write_text("* filter=evil\n")
    (checkout / "b").write_text("owt\n")

    assert branch_of(checkout) == "main*"
    assert not ran.exists()


@pytest.mark.parametrize(
    "index",
    [b"", b"DIRC", b"DIRC\0\0\0\2\xff\xff\xff\xff", b"DIRC\0\0\0\4\0\0\0\0", b"DIRC\0\0\0\2\0\0\0\1" + b"x" * 100],
)
def test_an_index_that_cannot_be_read_says_nothing(checkout: Path, index: bytes) -> None:
    (checkout / ".git" / "index").write_bytes(index)

    assert branch_of(checkout) == "main"


def test_outside_a_repository_there_is_no_branch(tmp_path: Path) -> None:
    assert branch_of(tmp_path) == ""
