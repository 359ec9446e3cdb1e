"""A workspace with a home beside it."""

from pathlib import Path

import pytest


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Resolved; the user's home folder is its parent's `user`, which holds a key."""
    top = tmp_path.resolve()
    for folder in ("work/src", "work/.git/hooks", "home", "user/.ssh", "beside"):
        (top / folder).mkdir(parents=True)
    for file in ("work/src/a.py", "work/.git/config", "user/.ssh/id", "user/notes.txt", "beside/b.txt"):
        (top / file).write_text("x")
    monkeypatch.setenv("HOME", str(top / "user"))
    return top / "work"
