"""Any change, written as a patch in either format, comes out as that change."""

import difflib

from hypothesis import example, given
from hypothesis import strategies as st

from actors.confinement.errors import ToolFailed
from actors.tools.files.patches import unified, v4a
from actors.tools.files.patches.hunks import Update, applied

LINES = st.lists(st.sampled_from(["a", "b", "", "  a", "-", "+x", "--- a", "+++ b", "@@", "\\ c"]), max_size=12)
DISTINCT = st.lists(st.integers(0, 30).map(lambda number: f"line {number}"), max_size=12, unique=True)


def text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def diff(before: list[str], after: list[str], context: int) -> list[str]:
    return list(difflib.unified_diff(before, after, "a/f", "b/f", lineterm="", n=context))


@given(LINES, LINES)
@example(before=[""], after=["a", ""])
def test_a_unified_diff(before: list[str], after: list[str]) -> None:
    written = diff(before, after, 3)
    if not written:
        return

    (operation,) = unified.parse("\n".join(written))

    assert isinstance(operation, Update)
    assert applied(text(before), operation.hunks, "f") == text(after)


@given(DISTINCT, DISTINCT, st.integers(1, 3))
def test_the_models_own_format(before: list[str], after: list[str], context: int) -> None:
    hunks = ["@@" if line.startswith("@@") else line for line in diff(before, after, context)[2:]]
    if not hunks or not before:
        return

    (operation,) = v4a.parse("\n".join(["*** Begin Patch", "*** Update File: f", *hunks, "*** End Patch"]))

    assert isinstance(operation, Update)
    assert applied(text(before), operation.hunks, "f") == text(after)


@given(st.text(alphabet="*@ +-\\\nabc/BeginEndPatchUpdateFile:", max_size=200))
def test_no_text_is_more_than_refused(patch: str) -> None:
    for parse in (v4a.parse, unified.parse):
        try:
            parse(f"*** Begin Patch\n*** Update File: f\n{patch}\n*** End Patch")
            parse(f"--- a/f\n+++ b/f\n@@ -1 +1 @@\n{patch}")
        except ToolFailed:
            continue
