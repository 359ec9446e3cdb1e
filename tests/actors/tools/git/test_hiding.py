"""What rules hide is left out of what the git tools show."""

from pathlib import Path

import pytest

from actors.confinement.errors import ToolFailed
from actors.messages.tool import Grant
from actors.tools.base import Worker
from actors.tools.git.git_tools import GIT_DIFF, GIT_SHOW, GIT_STATUS
from tests.actors.tools.git.test_git_tools import commit, run
from tests.repositories import git


@pytest.fixture
def repo(folder: Path) -> Path:
    git(folder, "init", "-q")
    commit(folder, "first", a__txt="one\n")
    return folder


async def test_files_that_may_not_be_read_are_left_out(repo: Path, worker: Worker) -> None:
    (repo / "sub").mkdir()
    names = {"__env": "KEY=1\n", "sub/__env": "KEY=2\n", "sub/[id]__pem": "KEY=3\n", "c__txt": "see\n"}
    commit(repo, "third", **names)
    for name in names:
        (repo / name.replace("__", ".")).write_text("KEY=changed see\n")
    careful = worker.granted(Grant(paths=(str(repo),), hidden=("**/.env", f"{repo}/sub/[id].pem")))

    for text in (
        await run(GIT_DIFF, careful),
        await run(GIT_DIFF, careful, path="sub"),
        await run(GIT_SHOW, careful),
        await run(GIT_DIFF, careful, revision="HEAD~1..HEAD"),
    ):
        assert ".env" not in text
        assert ".pem" not in text
    assert "+see" in await run(GIT_SHOW, careful)
    with pytest.raises(ToolFailed, match="may not be read"):
        await run(GIT_SHOW, careful, path=".env", whole=True)


async def test_they_are_left_out_however_their_names_are_written(repo: Path, worker: Worker) -> None:
    names = (".ENV", "Sub/.Env", "CLÉ.txt", "cle\u0301.TXT", ":(top)a*.env", "moved.env", "see.txt")
    (repo / "Sub").mkdir()
    commit(repo, "third", **{name: f"KEY {name}\n" * 9 for name in names})
    git(repo, "mv", "moved.env", "moved.txt")
    commit(repo, "fourth", **{name: f"KEY {name}\n" * 9 + "new\n" for name in names if name != "moved.env"})
    (repo / ".ENV").write_text("KEY changed\n")
    git(repo, "stash", "-q")
    (repo / ".ENV").write_text("KEY changed again\n")
    hidden = ("**/.env", "clé.txt", "*.env", "moved.txt")
    careful = worker.granted(Grant(paths=(str(repo),), hidden=hidden))

    texts = [
        await run(GIT_STATUS, careful),
        await run(GIT_DIFF, careful),
        await run(GIT_DIFF, careful, revision="HEAD~1..HEAD"),
        await run(GIT_SHOW, careful),
        await run(GIT_SHOW, careful, revision="HEAD~1"),
        await run(GIT_SHOW, careful, revision="stash@{0}"),
    ]

    assert [line for text in texts for line in text.splitlines() if "KEY" in line and "see.txt" not in line] == []
    assert [text for text in texts if "env" in text.casefold()] == []
    assert "KEY see.txt" in texts[3]
