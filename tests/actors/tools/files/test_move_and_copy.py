"""`move` and `copy` on real files."""

import os
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.confinement.errors import ToolFailed
from actors.confinement.hidden_files import Followed
from actors.messages.tool import Grant
from actors.tools.base import Worker
from actors.tools.files import copies
from actors.tools.workspace.folder import Workspace
from tests.actors.tools.conftest import Call, calling

BOTH = pytest.mark.parametrize("tool", ["move", "copy"])


@pytest.fixture(autouse=True)
def tree(folder: Path) -> None:
    (folder / "run.sh").write_text("echo\n")
    (folder / "run.sh").chmod(0o750)
    (folder / "src" / "deep").mkdir(parents=True)
    (folder / "src" / "deep" / "a.py").write_text("a\n")
    (folder / "src" / "link").symlink_to("/etc/passwd")


@BOTH
async def test_a_file_keeps_its_mode_and_folders_are_made(folder: Path, call: Call, tool: str) -> None:
    outcome = await call(tool, source="run.sh", destination="new/bin/go.sh")

    made = folder / "new/bin/go.sh"
    assert made.read_text() == "echo\n"
    assert stat.S_IMODE(made.stat().st_mode) == 0o750
    assert (folder / "run.sh").exists() is (tool == "copy")
    assert outcome.summary == "to new/bin/go.sh"


@BOTH
async def test_a_folder_goes_whole_and_symlinks_stay_symlinks(folder: Path, call: Call, tool: str) -> None:
    await call(tool, source="src", destination="lib")

    assert (folder / "lib/deep/a.py").read_text() == "a\n"
    assert (folder / "lib/link").readlink() == Path("/etc/passwd")
    assert (folder / "src").exists() is (tool == "copy")


@BOTH
async def test_a_symlink_itself_is_taken(folder: Path, call: Call, tool: str) -> None:
    outcome = await call(tool, source="src/link", destination="link")

    assert not outcome.failed
    assert (folder / "link").readlink() == Path("/etc/passwd")


@BOTH
@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (("nope", "x"), "No such file or folder: nope."),
        (("run.sh", "src/deep/a.py"), "exists already; nothing is overwritten."),
        (("run.sh", "src"), "To put it in there name src/run.sh."),
        (("run.sh", "src/link"), "exists already"),
        (("src", "src/inside"), "is inside src"),
        (("run.sh", "../x"), "outside the workspace"),
        (("../x", "y"), "outside the workspace"),
        ((".", "../y"), "is the workspace itself"),
        (("run.sh", ".git/hooks/pre-commit"), "protected"),
        (("src", ".git"), "protected"),
        (("src", ".trouper"), "protected"),
        (("fifo", "x"), "fifo is not a regular file"),
        (("src\0", "x"), "NUL"),
    ],
)
async def test_what_is_refused(folder: Path, call: Call, tool: str, ends: tuple[str, str], said: str) -> None:
    os.mkfifo(folder / "fifo")

    outcome = await call(tool, source=ends[0], destination=ends[1])

    assert outcome.failed
    assert said in outcome.output
    assert (folder / "run.sh").read_text() == "echo\n"


async def test_hooks_are_not_moved_away(folder: Path, call: Call) -> None:
    (folder / ".git" / "hooks").mkdir(parents=True)

    assert "protected" in (await call("move", source=".git/hooks", destination="x")).output
    assert "protected" in (await call("move", source=".git", destination="x")).output


@BOTH
@pytest.mark.parametrize("source", ["src", "src/deep/a.py"])
async def test_what_may_not_be_read_stays_where_it_is(folder: Path, worker: Worker, tool: str, source: str) -> None:
    call = calling(worker.granted(Grant(paths=(str(folder),), hidden=("src/deep/*.py",))))

    outcome = await call(tool, source=source, destination="x")

    assert "src/deep/a.py may not be read" in outcome.output
    assert not (folder / "x").exists()


async def test_only_what_was_allowed_is_touched(folder: Path, worker: Worker) -> None:
    outside = folder.parent / "outside"
    call = calling(worker.granted(Grant(paths=(str(folder / "run.sh"), str(outside)))))

    allowed = await call("copy", source="run.sh", destination=str(outside))
    refused = await call("copy", source="run.sh", destination="other.sh")

    assert not allowed.failed
    assert outside.read_text() == "echo\n"
    assert "not among what was allowed" in refused.output


async def test_to_another_file_system(folder: Path, worker: Worker) -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == folder.stat().st_dev:
        pytest.skip("there is no other file system here")
    other = memory / f"trouper-test-{os.getpid()}"
    call = calling(worker.granted(Grant(paths=(str(folder), str(other)))))
    try:
        outcome = await call("move", source="src", destination=str(other))
        back = await call("move", source=str(other / "deep" / "a.py"), destination="a.py")

        assert not outcome.failed
        assert not back.failed
        assert not (folder / "src").exists()
        assert (other / "link").is_symlink()
        assert (folder / "a.py").read_text() == "a\n"
    finally:
        for above, folders, names in os.walk(other, topdown=False):
            for name in names:
                (Path(above) / name).unlink()
            for name in folders:
                (Path(above) / name).rmdir()
        other.rmdir()


class Swapped(Workspace):
    """One in which a command swaps a folder for a symlink that leads out, once the tool has looked where it leads."""

    def is_readable(self, path: Path) -> bool:
        inside = self.root / "into"
        if not inside.is_symlink():
            inside.rename(self.root / "away")
            inside.symlink_to(self.root.parent / "users")
        return super().is_readable(path)


@BOTH
@pytest.mark.parametrize("destination", ["into/docs", "into/new/docs"])
async def test_what_is_swapped_meanwhile_leads_nowhere(
    folder: Path, worker: Worker, tool: str, destination: str
) -> None:
    users = folder.parent / "users"
    (users / "docs").mkdir(parents=True)
    (users / "docs" / "important").touch()
    (folder / "into").mkdir()
    workspace = Swapped(folder, paths=(folder, users))

    await calling(replace(worker, workspace=workspace))(tool, source="src", destination=destination)

    assert [path.relative_to(users).as_posix() for path in sorted(users.rglob("*"))] == ["docs", "docs/important"]


async def test_nothing_is_left_of_a_copy_that_fails_and_what_was_there_stays(folder: Path, worker: Worker) -> None:
    def check(path: Path, _info: os.stat_result) -> None:
        if path.name == "a.py":
            (folder / "lib").mkdir()
            raise ToolFailed("it may not be read")

    opened = worker.workspace.open_folder(folder)
    with pytest.raises(ToolFailed):
        copies.copy(folder / "src", copies.Ends(opened, opened), "lib", check)
    os.close(opened)

    assert sorted(path.name for path in folder.iterdir()) == ["lib", "run.sh", "src"]


async def test_what_a_sandbox_found_hidden_is_not_copied_from_where_it_was_moved_meanwhile(
    folder: Path, worker: Worker
) -> None:
    followed = Followed()
    (folder / "key").touch()
    followed.hold({folder / "key": "key"})
    workspace = replace(worker.workspace, followed=followed, patterns=("key",))
    (folder / "key").rename(folder / "src" / "deep" / "other")

    outcome = await calling(replace(worker, workspace=workspace))("copy", source="src", destination="lib")

    assert "src/deep/other may not be read" in outcome.output
    assert not (folder / "lib").exists()


async def test_what_is_too_deep_is_refused(folder: Path, call: Call) -> None:
    (folder / "src" / Path(*"x" * (copies.DEEPEST + 1))).mkdir(parents=True)

    assert "too deep" in (await call("copy", source="src", destination="lib")).output
    assert not (folder / "lib").exists()
