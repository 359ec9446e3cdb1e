"""`write` on real files."""

import os
import stat
from pathlib import Path

import pytest

from actors.messages.tool import Grant
from actors.tools.base import Worker
from actors.tools.files.write import WRITE, Write
from tests.actors.tools.conftest import Call, calling


async def test_a_new_file_gets_its_folders(folder: Path, call: Call) -> None:
    outcome = await call("write", path="a/b/c.txt", content="one\ntwo\n")

    assert (folder / "a/b/c.txt").read_text() == "one\ntwo\n"
    assert outcome.summary == "new, 2 lines"
    assert outcome.diff.splitlines() == ["--- a/a/b/c.txt", "+++ b/a/b/c.txt", "@@ -0,0 +1,2 @@", "+one", "+two"]


async def test_a_replaced_file_keeps_its_mode(folder: Path, call: Call) -> None:
    path = folder / "run.sh"
    path.write_text("old\n")
    path.chmod(0o750)

    outcome = await call("write", path="run.sh", content="new\n")

    assert path.read_text() == "new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert outcome.summary == "+1 \N{MINUS SIGN}1"


async def test_nothing_else_is_left_in_the_folder(folder: Path, call: Call) -> None:
    await call("write", path="a.txt", content="x")
    await call("write", path="a.txt", content="y")

    assert [path.name for path in folder.iterdir()] == ["a.txt"]


async def test_a_binary_file_can_be_replaced(folder: Path, call: Call) -> None:
    (folder / "a").write_bytes(b"\0\1")

    outcome = await call("write", path="a", content="text")

    assert not outcome.failed
    assert (folder / "a").read_text() == "text"


async def test_a_folder_is_not_overwritten(folder: Path, call: Call) -> None:
    (folder / "src").mkdir()

    outcome = await call("write", path="src", content="x")

    assert outcome.output == "src is a folder."


async def test_a_file_in_the_way_of_a_folder_is_an_ordinary_error(folder: Path, call: Call) -> None:
    (folder / "a").write_text("file")

    outcome = await call("write", path="a/b", content="x")

    assert outcome.failed
    assert (folder / "a").read_text() == "file"


async def test_a_special_file_is_not_replaced(folder: Path, call: Call) -> None:
    os.mkfifo(folder / "fifo")

    outcome = await call("write", path="fifo", content="x")

    assert outcome.failed
    assert stat.S_ISFIFO((folder / "fifo").stat().st_mode)


async def test_a_symlink_inside_stays_one(folder: Path, call: Call) -> None:
    (folder / "real.txt").write_text("old")
    (folder / "link.txt").symlink_to("real.txt")

    await call("write", path="link.txt", content="new")

    assert (folder / "link.txt").is_symlink()
    assert (folder / "real.txt").read_text() == "new"


async def test_windows_line_ends_and_a_byte_order_mark_are_kept(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")

    outcome = await call("write", path="a.txt", content="1\ntwo\nthree\n")

    assert (folder / "a.txt").read_bytes() == b"\xef\xbb\xbf1\r\ntwo\r\nthree\r\n"
    assert outcome.output == (
        "Replaced a.txt (18 bytes). It keeps CRLF line ends and a byte order mark (BOM), as it had before."
    )
    assert outcome.summary == "+2 \N{MINUS SIGN}1"


@pytest.mark.parametrize(
    ("before", "content"),
    [(b"one\r\ntwo\n", "1\n2\n"), (b"one\r\n", "1\r\n2\n"), (b"one\n", "1\r\n"), (b"one\r\n", ""), (b"", "1\n")],
)
async def test_otherwise_the_content_is_written_as_given(folder: Path, call: Call, before: bytes, content: str) -> None:
    (folder / "a.txt").write_bytes(before)

    outcome = await call("write", path="a.txt", content=content)

    assert (folder / "a.txt").read_bytes() == content.encode()
    assert "keeps" not in outcome.output


async def test_only_lines_are_counted(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("one\n")

    outcome = await call("write", path="a.txt", content="one\ntwo\f-\u2028+\n")

    assert outcome.summary == "+1 \N{MINUS SIGN}0"


async def test_a_nul_byte_does_not_break_a_line_of_the_diff(folder: Path, call: Call) -> None:
    outcome = await call("write", path="a.txt", content="one\0two\n")

    assert outcome.diff.endswith("+one\0two\n")
    assert (folder / "a.txt").read_bytes() == b"one\0two\n"


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"one\n", "two\n", b"one\ntwo\n"),
        (b"one", "two", b"onetwo"),
        (b"\xef\xbb\xbfone\r\n", "two\nthree\n", b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n"),
        (b"\xff\n", "two\n", b"\xff\ntwo\n"),
        (b"", "two\n", b"two\n"),
        (b"one\n", "", b"one\n"),
    ],
)
async def test_what_is_appended_comes_after_what_is_there(
    folder: Path, call: Call, before: bytes, content: str, after: bytes
) -> None:
    (folder / "a.txt").write_bytes(before)

    outcome = await call("write", path="a.txt", content=content, append=True)

    assert not outcome.failed
    assert (folder / "a.txt").read_bytes() == after
    assert ("goes on in its last line" in outcome.output) == (before == b"one")


async def test_appending_makes_a_file_and_tells_what_it_added(call: Call, worker: Worker) -> None:
    made = await call("write", path="new/a.txt", content="0\none\n", append=True)
    more = await call("write", path="new/a.txt", content="two\n", append=True)

    assert (made.summary, more.summary) == ("new, 2 lines", "+1 \N{MINUS SIGN}0")
    shown = WRITE.preview(Write(path="new/a.txt", content="three\n", append=True), worker.workspace)
    assert shown.title == "append to new/a.txt"
    assert shown.detail.splitlines()[2:] == ["@@ -1,3 +1,4 @@", " 0", " one", " two", "+three"]


async def test_nothing_is_appended_to_what_changed_or_is_closed(folder: Path, call: Call, worker: Worker) -> None:
    (folder / "a.txt").write_text("one\n")
    (folder / "b").write_bytes(b"\0\1")
    (folder / ".env").write_text("secret\n")
    await call("read", path="a.txt")
    (folder / "a.txt").write_text("somebody else's\n")
    denied = calling(worker.granted(Grant(paths=(str(folder),), hidden=(".env",))))

    changed = await call("write", path="a.txt", content="x\n", append=True)
    binary = await call("write", path="b", content="x\n", append=True)
    unread = await denied("write", path=".env", content="x\n", append=True)

    assert "changed on disk since you read it" in changed.output
    assert "binary" in binary.output
    assert "may not be read" in unread.output
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "a.txt": b"somebody else's\n",
        "b": b"\0\1",
        ".env": b"secret\n",
    }


async def test_appending_is_not_reading(folder: Path, worker: Worker) -> None:
    (folder / "a.txt").write_text("one\n")
    told = calling(worker.granted(Grant(paths=(str(folder),)), ()))

    appended = await told("write", path="a.txt", content="two\n", append=True)
    replaced = await told("write", path="a.txt", content="all of it\n")

    assert not appended.failed
    assert "you have not read it" in replaced.output
    assert (folder / "a.txt").read_text() == "one\ntwo\n"
