"""An edit changes what it replaces and not one byte besides, whatever the file is like."""

import contextlib
import difflib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from actors.confinement.errors import ToolFailed
from actors.tools.files import whole_files
from actors.tools.files.draft import Draft
from actors.tools.files.edit import replaced
from actors.tools.files.patches.hunks import Hunk, applied
from actors.tools.text import line_ends
from actors.tools.workspace.folder import open_workspace

ODD = [
    "a",
    "b",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\f",
    "\v",
    "\x85",
    "\u2028",
    "\ufeff",
    "\u00a0",
    "\u200b",
    "é",
    "e\u0301",
]
PIECES = st.lists(st.sampled_from([*(text.encode() for text in ODD), b"\xe9", b"\xff", b"\0"]), max_size=8).map(
    b"".join
)
LINE = st.lists(st.sampled_from(["a", "b", " ", "\t", "\r", "\f", "\u2028", "\ufeff", "\udce9"]), max_size=3).map(
    "".join
)
LINES = st.lists(st.tuples(LINE, st.sampled_from(["\n", "\r\n"])), max_size=8)


@given(PIECES, st.lists(st.sampled_from(ODD), min_size=1, max_size=4), st.lists(st.sampled_from(ODD)), PIECES)
def test_edit(before: bytes, old: list[str], new: list[str], after: bytes) -> None:
    was, becomes = "".join(old), "".join(new)
    text = (before + was.encode() + after).decode("utf-8", "surrogateescape")
    assume(was != becomes and not line_ends.has_crlf(text))

    try:
        made = replaced(text, was, becomes, "f").encode("utf-8", "surrogateescape")
    except ToolFailed:
        assert text.count(was) != 1 or text.find(was, text.find(was) + 1) >= 0
        return

    assert made == before + becomes.encode() + after


@given(
    st.text(alphabet="ab \t\r\n\f\u2028\ufeff\u00a0\u200b", max_size=30),
    st.text(alphabet="ab \t\r\n\ufeff\u00a0", max_size=8),
)
def test_a_miss_is_only_refused(text: str, old: str) -> None:
    assume(old and old not in text)

    found = False
    with contextlib.suppress(ToolFailed):
        replaced(text, old, "c", "f")
        found = True

    assert not found or line_ends.has_crlf(text)


@given(LINES, st.lists(st.integers(0, 9)), st.integers(0, 3), st.booleans(), st.booleans())
def test_a_patch(lines: list[line_ends.Line], changed: list[int], context: int, marked: bool, ended: bool) -> None:
    """Every line is its own, so a hunk has one place; what stays and what comes end as they should."""
    numbered = [(f"{number}{text}", end) for number, (text, end) in enumerate(lines)]
    have = line_ends.split(line_ends.joined(numbered, ended=ended))
    want = [(f"new {text}", end) if number in changed else (text, end) for number, (text, end) in enumerate(have)]
    assume(have != want)
    mark = line_ends.BOM if marked else ""

    made = applied(mark + line_ends.joined(have, ended=ended), hunks(have, want, context), "f")

    assert made == mark + line_ends.joined(want, ended=ended or len(have) - 1 in changed)


def hunks(have: list[line_ends.Line], want: list[line_ends.Line], context: int) -> list[Hunk]:
    old, new = ([text for text, _ in lines] for lines in (have, want))
    made = []
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(context):
        lines: list[tuple[str, str]] = []
        for tag, i1, i2, j1, _ in group:
            for index in range(i2 - i1):
                went = [("-", old[i1 + index]), ("+", new[j1 + index])]
                lines += [(" ", old[i1 + index])] if tag == "equal" else went
        made.append(Hunk(tuple(lines)))
    return made


@given(PIECES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_that_is_written_back_is_the_same(folder: Path, data: bytes) -> None:
    assume(b"\0" not in data)
    workspace = open_workspace(str(folder), str(folder / ".home"))
    path = folder / "a.txt"
    path.write_bytes(data)

    draft = Draft(workspace)
    draft.write(path, draft.text(path) + "more")
    draft.commit()

    assert path.read_bytes() == data + b"more"


@given(st.text(alphabet="ab\r\n\f\u2028\ufeff", max_size=20))
def test_lines_come_together_again(text: str) -> None:
    lines = line_ends.split(text)

    assert "".join(line + end for line, end in lines) == text
    assert line_ends.joined(lines, ended=not lines or lines[-1][1] != "") == text


@pytest.mark.parametrize("data", [b"\xff\xfea\0b\0", b"a\0b"])
def test_a_binary_file_is_not_edited(folder: Path, data: bytes) -> None:
    workspace = open_workspace(str(folder), str(folder / ".home"))
    (folder / "a.txt").write_bytes(data)

    with pytest.raises(ToolFailed, match="is a binary file"):
        whole_files.read_whole(workspace, folder / "a.txt")
