"""Diffs as rows: hunks are as long as they say, files are named where there are several, nothing is hidden."""

import pytest

from ui.screen.transcript import diff

ONE = """--- a/x.py
+++ b/x.py
@@ -1,3 +1,3 @@
 same
--- not a header, a line that begins with two dashes
+++ nor this
 end
@@ -9,1 +9,0 @@
-last
"""
TWO = ONE + "--- a/old.py\n+++ b/new.py\n@@ -1,1 +1,1 @@\n-a\n+b\n\\ No newline at end of file\n"


def shown(rows: list[list[tuple[str, str]]]) -> list[str]:
    return ["".join(text for _, text in row) for row in rows]


def test_a_line_that_looks_like_a_header_is_a_line() -> None:
    assert shown(diff.rows(ONE)) == [
        "    1   same",
        "    2 - -- not a header, a line that begins with two dashes",
        "    2 + ++ nor this",
        "    3   end",
        "      ⋯ 5 unchanged",
        "    9 - last",
    ]
    assert diff.counts(ONE) == (1, 2)


def test_files_are_named_where_there_are_several() -> None:
    rows = shown(diff.rows(TWO))

    assert rows[0] == " x.py"
    assert rows[-3:] == [" old.py → new.py", "    1 - a", "    1 + b"]
    assert diff.counts(TWO) == (2, 3)


def test_a_long_diff_is_cut_in_the_transcript_and_whole_in_a_question() -> None:
    lines = "\n".join(f"+{'word ' * 20}{number}" for number in range(30))
    text = f"--- /dev/null\n+++ b/x\n@@ -0,0 +1,30 @@\n{lines}\n"

    assert shown(diff.rows(text))[-1] == "      ⋯ 11 more lines · ctrl+o"
    whole = shown(diff.whole_rows(text, 40, "write x"))
    assert " ".join(whole).split().count("word") == 600
    assert max(len(row) for row in whole) <= 40


@pytest.mark.parametrize(
    ("text", "title", "named"), [(ONE, "edit x.py", False), (ONE, "edit max.py", True), (TWO, "patch new.py", True)]
)
def test_a_question_names_the_file_unless_its_title_does(text: str, title: str, named: bool) -> None:
    assert (" x.py" in shown(diff.whole_rows(text, 40, title))) == named


@pytest.mark.parametrize("text", ["", "rm -r build", f"rm -r ~\n{ONE}", f"{ONE}\nrm -r ~", "@@ -1,1 +1,1 @@\n a"])
def test_what_is_not_only_a_diff_is_none(text: str) -> None:
    assert not diff.is_whole(text)


def test_a_diff_is_one() -> None:
    assert diff.is_whole(ONE)
    assert diff.is_whole(TWO)
