"""Where findings stand in a change, and which are not believed."""

import pytest

from ui.findings.finding import Raw
from ui.findings.placing import Checked
from ui.review.patches import parse
from ui.review.placing import check_all, commentable

PATCH = """\
--- a/a.py
+++ b/a.py
@@ -10,5 +10,5 @@
 def before(self):
     return 1
-    checked = check(value)
+    stored = store(value)
     return stored
 # the end of it
@@ -100,3 +100,4 @@
 def later(self):
+    stored = store(value)
     pass
 # the very end
"""
FILES = parse(PATCH.encode()).files


def checked(quote: str, path: str = "a.py", first: int = 0) -> Checked:
    raw = Raw(
        severity="high",
        title="a title",
        path=path,
        first_line=first,
        last_line=first,
        quote=quote,
        why="why",
        fix="fix",
        kind="correctness-x",
    )
    return check_all([raw], FILES)


def place(found: Checked) -> list[tuple[str, int, int]]:
    return [(one.path, one.first_line, one.last_line) for one in found.findings]


def test_a_finding_has_the_lines_of_the_file_after_the_change() -> None:
    assert place(checked("return 1\n    stored = store(value)")) == [("a.py", 11, 12)]


def test_the_nearest_of_several_places_is_meant() -> None:
    assert place(checked("stored = store(value)", first=99)) == [("a.py", 101, 101)]
    assert place(checked("stored = store(value)", first=14)) == [("a.py", 12, 12)]
    assert place(checked("stored = store(value)")) == [("a.py", 12, 12)]


def test_what_was_removed_stands_where_it_was() -> None:
    found = checked("checked = check(value)", first=12)

    assert place(found) == [("a.py", 12, 12)]
    assert found.findings[0].quote == "    checked = check(value)"


def test_a_quote_that_is_not_there_is_dropped() -> None:
    assert checked("os.system(anything)") == Checked((), ("quote that is not in the file",))
    assert checked("+os.system(anything)") == Checked((), ("quote that is not in the file",))
    assert checked("x") == Checked((), ("quote that says nothing",))
    assert checked("+12|") == Checked((), ("quote that says nothing",))


@pytest.mark.parametrize(
    ("quote", "lines"),
    [
        ("+12|    stored = store(value)\n 13|    return stored", (12, 13)),
        ("12|    stored = store(value)", (12, 12)),
        ("-    checked = check(value)\n+    stored = store(value)\n     return stored", (12, 13)),
        ("-12|    checked = check(value)", (12, 12)),
    ],
)
def test_signs_and_numbers_that_a_model_copies_along_do_no_harm(quote: str, lines: tuple[int, int]) -> None:
    assert place(checked(quote)) == [("a.py", *lines)]


def test_a_file_that_was_not_shown_is_no_place() -> None:
    for path in ("b.py", "/etc/passwd", "../a.py", ""):
        found = checked("stored = store(value)", path)

        assert [(one.placed, one.path) for one in found.findings] == [(False, "")]


def test_comments_are_taken_around_changes_and_nowhere_else() -> None:
    lines = "".join(f" {number}\n" for number in range(1, 41))
    patch = f"--- a/x\n+++ b/x\n@@ -1,41 +1,42 @@\n{lines}+new\n-gone\n+newer\n{lines[:4]}"

    found = commentable(parse(patch.replace("-1,41 +1,42", "-1,43 +1,44").encode()).files)

    assert found == {"x": [range(38, 45)]}
