"""`write` on real files."""

import os
import stat
from pathlib import Path

import pytest

from tests.actors.tools.conftest import Call


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
