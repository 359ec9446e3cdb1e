"""`edit`: exactly one match, and never over somebody else's change."""

import stat
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actors.confinement.errors import ToolFailed
from actors.tools import limits
from actors.tools.files.edit import replaced
from tests.actors.tools.conftest import Call

PIECES = st.text(alphabet="ab \n", max_size=6)


@given(before=PIECES, old=PIECES, new=PIECES, after=PIECES)
def test_a_unique_match_is_str_replace_once(before: str, old: str, new: str, after: str) -> None:
    text = before + old + after
    assume(old and old != new)
    places = [place for place in range(len(text)) if text.startswith(old, place)]

    if len(places) == 1:
        assert replaced(text, old, new, "f") == text.replace(old, new, 1)
    else:
        with pytest.raises(ToolFailed, match=f"{len(places)} times"):
            replaced(text, old, new, "f")


async def test_an_edit_changes_the_place_and_says_how(folder: Path, call: Call) -> None:
    path = folder / "a.py"
    path.write_text("def f():\n    return 1\n")
    path.chmod(0o755)

    outcome = await call("edit", path="a.py", old="return 1", new="return 2")

    assert path.read_text() == "def f():\n    return 2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    assert outcome.summary == "+1 \N{MINUS SIGN}1"
    assert outcome.diff == "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n"


async def test_many_matches_name_their_lines(folder: Path, call: Call) -> None:
    (folder / "a.py").write_text("x = 1\ny = 2\nx = 1\n")

    outcome = await call("edit", path="a.py", old="x = 1", new="x = 2")

    assert outcome.failed
    assert "2 times, at lines 1, 3." in outcome.output
    assert (folder / "a.py").read_text() == "x = 1\ny = 2\nx = 1\n"


async def test_no_match_shows_the_nearest_lines(folder: Path, call: Call) -> None:
    (folder / "a.py").write_text("import os\n\ndef compute_total(items):\n    pass\n")

    outcome = await call("edit", path="a.py", old="def compute_totals(items):", new="def total(items):")

    assert outcome.failed
    assert outcome.output.endswith("Nearest lines:\n     3\tdef compute_total(items):")


async def test_nothing_alike_says_so(folder: Path, call: Call) -> None:
    (folder / "a.py").write_text("import os\n")

    outcome = await call("edit", path="a.py", old="zzzzzzzz", new="y")

    assert outcome.output == "old is not in a.py, nor anything like its first line. Read the file again."


@pytest.mark.parametrize(("old", "new", "said"), [("", "x", "old is empty"), ("a", "a", "the same")])
async def test_pointless_edits_are_refused(folder: Path, call: Call, old: str, new: str, said: str) -> None:
    (folder / "a.py").write_text("a")

    outcome = await call("edit", path="a.py", old=old, new=new)

    assert outcome.failed
    assert said in outcome.output


async def test_a_file_that_changed_since_it_was_read_is_left_alone(folder: Path, call: Call) -> None:
    path = folder / "a.py"
    path.write_text("one\n")
    await call("read", path="a.py")
    path.write_text("one, and the user's own line\n")

    refused = await call("edit", path="a.py", old="one", new="two")
    await call("read", path="a.py")
    accepted = await call("edit", path="a.py", old="one", new="two")

    assert refused.output == "a.py changed on disk since you read it. Read it again, then edit."
    assert accepted.summary == "+1 \N{MINUS SIGN}1"
    assert path.read_text() == "two, and the user's own line\n"


async def test_edits_follow_one_another_without_reading_again(folder: Path, call: Call) -> None:
    (folder / "a.py").write_text("one\n")
    await call("read", path="a.py")

    await call("edit", path="a.py", old="one", new="two")
    outcome = await call("edit", path="a.py", old="two", new="three")

    assert not outcome.failed
    assert (folder / "a.py").read_text() == "three\n"


async def test_windows_line_ends_are_kept(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_bytes(b"one\r\ntwo\r\n")

    await call("edit", path="a.txt", old="one\ntwo", new="1\n2")

    assert (folder / "a.txt").read_bytes() == b"1\r\n2\r\n"


async def test_bytes_that_are_not_utf8_survive(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_bytes(b"caf\xe9 one\n")

    await call("edit", path="a.txt", old="one", new="two")

    assert (folder / "a.txt").read_bytes() == b"caf\xe9 two\n"


async def test_a_missing_file_is_for_write(call: Call) -> None:
    outcome = await call("edit", path="a.txt", old="x", new="y")

    assert outcome.output == "No such file: a.txt. To make a new file use write."


async def test_line_numbers_in_the_diff_of_a_big_file_are_right(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("".join(f"line {number}\n" for number in range(1, 5001)))

    outcome = await call("edit", path="a.txt", old="line 4000\n", new="changed\n")

    assert outcome.diff.splitlines()[2:7] == [
        "@@ -3997,7 +3997,7 @@",
        " line 3997",
        " line 3998",
        " line 3999",
        "-line 4000",
    ]


@pytest.mark.parametrize(
    ("data", "old", "said"),
    [
        (
            b"a\r\nb\nc\r\n",
            "a\nb\nc",
            "lines 1-3 look the same:\nline 1 ends with CRLF: write \\r\\n there\n"
            'line 2 ends with LF alone: write \\n there\nGive it exactly so (as JSON): "a\\r\\nb\\nc"',
        ),
        (b"a\nb\n", "a\r\nb", "line 1 ends with LF alone: write \\n there"),
        (b"a\rb\rc", "a\nb", "its lines end with CR alone. Write \\r for each line end, in new too."),
        (b"x\n\tif a:\n\t\tb()\n", "if a:\n        b()", "line 3: it begins with 2 tabs, not with 8 spaces"),
        (b"a = 1  \nb\n", "a = 1\nb", "line 1: it ends with 2 spaces, not with nothing"),
        ("a\u00a0= 1".encode(), "a = 1", "line 1: at column 2 it has U+00A0 NO-BREAK SPACE, not 1 space"),
        ("caf\u0065\u0301".encode(), "caf\u00e9", "U+00E9 LATIN SMALL LETTER E WITH ACUTE"),
        (
            "a\u200bb".encode(),
            "ab",
            'it has U+200B ZERO WIDTH SPACE, not `b`\nGive it exactly so (as JSON): "a\\u200bb"',
        ),
        ("\u0430bc = 1".encode(), "abc = 1", "[at column 1 it has U+0430 CYRILLIC SMALL LETTER A, not `a`]"),
        (b"a\xe9 b\n", "a b", "at column 2 it has a byte that is not UTF-8"),
        (b"\xef\xbb\xbfa\n", "\n\ufeffa", "Line 1 is as in old, but not after 1 blank line."),
        (b"a\r\n\tb\r\n", "a\n    b", 'Give it exactly so (as JSON): "a\\n\\tb"'),
        (b"a  b\na  b\n", "a b", "line 1 looks the same (and 1 other place)"),
    ],
)
async def test_what_is_not_seen_of_a_difference_is_named(
    folder: Path, call: Call, data: bytes, old: str, said: str
) -> None:
    (folder / "a.txt").write_bytes(data)

    outcome = await call("edit", path="a.txt", old=old, new="new")

    assert outcome.failed
    assert said in outcome.output
    assert (folder / "a.txt").read_bytes() == data


async def test_the_line_where_the_file_goes_on_otherwise_is_named(folder: Path, call: Call) -> None:
    (folder / "a.py").write_text("import os\ndef f():\n    a\n    b\n")

    outcome = await call("edit", path="a.py", old="\ndef f():\n    a\n    c\n", new="x")
    ended = await call("edit", path="a.py", old="    b\n    c\n", new="x")

    assert outcome.output == (
        "old is not in a.py as given. Lines 2-3 are as in old, but then comes\n     4\t    b\n"
        "where old has\n      \t    c"
    )
    assert "Line 4 is as in old, but then the file ends" in ended.output


async def test_new_text_of_a_windows_file_may_have_either_line_end(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_bytes(b"one\r\ntwo\r\n")

    await call("edit", path="a.txt", old="one", new="1\r\n1\n1")

    assert (folder / "a.txt").read_bytes() == b"1\r\n1\r\n1\r\ntwo\r\n"


async def test_an_error_does_not_show_all_of_a_long_line(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("one\n" + "x" * 100_000 + "\n")

    parted = await call("edit", path="a.txt", old="one\ntwo", new="1")
    near = await call("edit", path="a.txt", old="x" * 99_999 + "y", new="1")

    assert len(parted.output) < 2 * limits.LINE_CHARS
    assert "Nearest lines:" in near.output
    assert len(near.output) < 2 * limits.LINE_CHARS


async def test_what_is_too_long_for_a_diff_is_not_said_to_be_nothing(folder: Path, call: Call) -> None:
    (folder / "a.txt").write_text("one\n" * (limits.DIFF_LINES + 1))

    outcome = await call("edit", path="a.txt", old="one", new="two", replace_all=True)

    assert outcome.summary == "more than 4,000 lines"
