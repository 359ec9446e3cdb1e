"""`multi_edit`: in order, and all or nothing."""

import errno
from pathlib import Path

import pytest

from actors.confinement.errors import ToolFailed
from actors.tools.files.draft import Draft
from actors.tools.workspace.folder import Workspace, open_workspace
from tests.actors.tools.conftest import Call


@pytest.fixture(autouse=True)
def two(folder: Path) -> None:
    (folder / "a.txt").write_text("one\ntwo\n")
    (folder / "b.txt").write_text("one\none\n")


async def test_edits_are_made_in_order(folder: Path, call: Call) -> None:
    edits = [
        {"path": "a.txt", "old": "one", "new": "three"},
        {"path": "b.txt", "old": "one", "new": "1", "replace_all": True},
        {"path": "a.txt", "old": "three\ntwo", "new": "four"},
    ]

    outcome = await call("multi_edit", edits=edits)

    assert (folder / "a.txt").read_text() == "four\n"
    assert (folder / "b.txt").read_text() == "1\n1\n"
    assert outcome.output.startswith("Edited a.txt, b.txt.\n--- a/a.txt\n")
    assert outcome.summary == "+3 \N{MINUS SIGN}4 in 2 files"
    assert [(one.path.name, one.before) for one in outcome.changed] == [
        ("a.txt", "one\ntwo\n"),
        ("b.txt", "one\none\n"),
    ]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"path": "b.txt", "old": "one", "new": "x"}, "edits[1]: old is in b.txt 2 times, at lines 1, 2."),
        ({"path": "b.txt", "old": "", "new": "x"}, "edits[1]: old is empty"),
        ({"path": "c.txt", "old": "one", "new": "x"}, "edits[1]: No such file: c.txt"),
        ({"path": "../c.txt", "old": "one", "new": "x"}, "outside the workspace"),
        ({"path": "b.txt", "old_text": "one", "new": "x"}, "Did you mean `old`?"),
    ],
)
async def test_one_that_does_not_fit_stops_all(folder: Path, call: Call, edit: dict[str, str], said: str) -> None:
    outcome = await call("multi_edit", edits=[{"path": "a.txt", "old": "one", "new": "three"}, edit])

    assert outcome.failed
    assert said in outcome.output
    assert (folder / "a.txt").read_text() == "one\ntwo\n"


async def test_edits_that_cancel_out_write_nothing(folder: Path, call: Call) -> None:
    before = (folder / "a.txt").stat().st_ino, (folder / "a.txt").stat().st_mtime_ns
    edits = [{"path": "a.txt", "old": "one", "new": "x"}, {"path": "a.txt", "old": "x", "new": "one"}]

    outcome = await call("multi_edit", edits=edits)

    assert not outcome.failed
    assert ((folder / "a.txt").stat().st_ino, (folder / "a.txt").stat().st_mtime_ns) == before


def test_what_was_written_is_taken_back_when_a_later_write_fails(folder: Path) -> None:
    draft = Draft(open_workspace(str(folder), str(folder / ".home")))
    draft.write(folder / "a.txt", "changed\n")
    draft.write(folder / "new.txt", "new\n")
    draft.remove(folder / "b.txt")
    (folder / "b.txt").unlink()
    (folder / "b.txt").mkdir()

    with pytest.raises(ToolFailed, match="No file was changed"):
        draft.commit()

    assert (folder / "a.txt").read_text() == "one\ntwo\n"
    assert not (folder / "new.txt").exists()


class FullDisk(Workspace):
    """Nothing can be written any more once a folder was opened."""

    opened = 0

    def open_folder(self, folder: Path) -> int:
        type(self).opened += 1
        if self.opened > 1:
            raise OSError(errno.ENOSPC, "No space left on device", str(folder))
        return super().open_folder(folder)


def test_what_cannot_be_taken_back_is_named(folder: Path) -> None:
    draft = Draft(FullDisk(folder))
    draft.write(folder / "a.txt", "changed\n")
    draft.remove(folder / "b.txt")

    with pytest.raises(ToolFailed, match=r"No space left .* could not be taken back in: a\.txt"):
        draft.commit()
