"""`read` on real files."""

import os
from pathlib import Path

import pytest

from actors.common.plurals import how_many
from actors.tools import limits
from actors.tools.files.read import BLOCK
from tests.actors.tools.conftest import Call


async def test_lines_come_numbered(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("one\ntwo\n")

    outcome = await call("read", path="a.txt")

    assert outcome.output == "     1\tone\n     2\ttwo"
    assert outcome.summary == "2 lines"


async def test_a_part_says_how_to_go_on(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("".join(f"line {number}\n" for number in range(1, 11)))

    outcome = await call("read", path="a.txt", offset=3, limit=2)

    assert outcome.output.splitlines() == [
        "     3\tline 3",
        "     4\tline 4",
        "[lines 3-4 of 10; go on with offset=5]",
    ]


async def test_numbers_may_come_as_strings(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("one\ntwo\n")

    outcome = await call("read", path="a.txt", offset="2")

    assert outcome.output == "     2\ttwo\n[lines 2-2 of 2]"


@pytest.mark.parametrize("length", [1, 2, 3, 1023])
@pytest.mark.parametrize("last", ["", "unended"])
async def test_lines_are_counted_over_blocks(folder: Path, call: Call, length: int, last: str) -> None:
    count = 2 * BLOCK // length
    (folder / "a.txt").write_text(("x" * (length - 1) + "\n") * count + last)
    total = count + bool(last)

    for offset in (BLOCK // length, BLOCK // length + 1, total - 1):
        outcome = await call("read", path="a.txt", offset=offset, limit=1)

        assert outcome.output.splitlines() == [
            f"{offset:>6}\t{'x' * (length - 1)}",
            f"[lines {offset}-{offset} of {total}; go on with offset={offset + 1}]",
        ]
    assert f"has only {how_many(total, 'line')};" in (await call("read", path="a.txt", offset=total + 1)).output


async def test_past_the_end_names_the_line_count(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("one\ntwo")

    outcome = await call("read", path="a.txt", offset=9)

    assert outcome.failed
    assert "only 2 lines" in outcome.output


async def test_a_long_line_is_cut(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("x" * 100_000 + "\nshort\n")

    outcome = await call("read", path="a.txt")

    long, short = outcome.output.splitlines()
    assert long == "     1\t" + "x" * limits.LINE_CHARS + f" [line cut: {100_001 - limits.LINE_CHARS:,} more bytes]"
    assert short == "     2\tshort"


async def test_much_text_comes_in_parts_that_fit(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text(("x" * 999 + "\n") * 1000)

    outcome = await call("read", path="a.txt")

    assert len(outcome.output) < limits.READ_CHARS + 200
    assert outcome.output.endswith("of 1000; go on with offset=60]")


async def test_invalid_utf8_is_replaced(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_bytes(b"caf\xe9\n")

    outcome = await call("read", path="a.txt")

    assert outcome.output == "     1\tcaf\N{REPLACEMENT CHARACTER}"


async def test_a_binary_file_is_named_as_such(folder: Path, call: Call) -> None:
    (folder / "a.bin").write_bytes(b"\x7fELF\0\0\0")

    outcome = await call("read", path="a.bin")

    assert outcome.failed
    assert "binary file of 7 bytes" in outcome.output


async def test_an_empty_file_is_not_an_error(folder: Path, call: Call) -> None:
    (folder / "a.txt").touch()

    assert (await call("read", path="a.txt")).output == "(empty file)"


async def test_a_wrong_name_gets_a_suggestion(folder: Path, call: Call) -> None:
    (folder / "settings.py").touch()

    outcome = await call("read", path="setings.py")

    assert outcome.output == "No such file: setings.py. Did you mean settings.py?"


async def test_a_folder_is_for_list(folder: Path, call: Call) -> None:
    (folder / "src").mkdir()

    assert "Use list" in (await call("read", path="src")).output


async def test_a_fifo_does_not_hang(folder: Path, call: Call) -> None:
    os.mkfifo(folder / "fifo")

    outcome = await call("read", path="fifo")

    assert outcome.output == "fifo is not a regular file."


async def test_a_byte_order_mark_is_not_shown(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_bytes(b"\xef\xbb\xbfone\ntwo\n")

    whole = await call("read", path="a.txt")
    part = await call("read", path="a.txt", offset=2)

    assert whole.output == "     1\tone\n     2\ttwo\n[a byte order mark (BOM) before line 1 is not shown]"
    assert part.output == "     2\ttwo\n[lines 2-2 of 2]"


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"a\r\nb\nc\r\nd\n", ["[lines 1, 3 end with CRLF, others with LF]"]),
        (b"a\r\nb\r\nc", []),
        (b"a\nb\n", []),
    ],
)
async def test_mixed_line_ends_are_named(folder: Path, call: Call, data: bytes, note: list[str]) -> None:
    (folder / "a.txt").write_bytes(data)

    outcome = await call("read", path="a.txt")

    assert [line for line in outcome.output.splitlines() if line.startswith("[")] == note


async def test_only_lf_ends_a_line(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_bytes("one\fpage\u2028still\x85one\ntwo\n".encode())

    outcome = await call("read", path="a.txt")

    assert outcome.summary == "2 lines"
    assert outcome.output.split("\n")[0] == "     1\tone\fpage\u2028still\x85one"
