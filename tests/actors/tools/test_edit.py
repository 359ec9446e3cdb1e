"""`edit`: exactly one match, and never over somebody else's change."""

import stat
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actors.tools.edit import replaced
from actors.tools.errors import ToolFailed
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
