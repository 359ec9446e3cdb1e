"""`morph_edit`: what a service wrote is checked before it counts, and a rejected one leaves the file as it was."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.confinement.errors import ToolFailed
from actors.errors import failed
from actors.messages.conversation import ToolCall
from actors.messages.model import MergeEdit
from actors.messages.tool import Preview
from actors.tools.actor import execute, preview
from actors.tools.base import Outcome, Worker
from actors.tools.files.merge_check import checked

BEFORE = "def divide(a, b):\n    return a / b\n"
AFTER = "def divide(a, b):\n    assert b\n    return a / b\n"
SKETCH = "def divide(a, b):\n    assert b\n    # ... existing code ...\n"
CALL = ToolCall(
    call_id="c",
    name="morph_edit",
    arguments='{"path": "a.py", "instructions": "I add a check", "code_edit": "# ... existing code ...\\nassert b"}',
)
LONG = "x = 1\n" * 100
MEDIUM = "x = 1\n" * 50


async def merge(worker: Worker, answer: str | Callable[[MergeEdit], str], call: ToolCall = CALL) -> Outcome:
    async def service(wanted: MergeEdit) -> str:
        return answer if isinstance(answer, str) else answer(wanted)

    async def report(_text: str) -> None: ...

    return await execute(call, replace(worker, merge=service), report)


@pytest.mark.parametrize(
    ("original", "merged", "why"),
    [
        (BEFORE, "", "it is empty"),
        (BEFORE, " \n\n", "it is empty"),
        (LONG, "x = 1\n", "of 600 bytes only 6 are left"),
        (MEDIUM, "x = 1\n" * 14, "of 300 bytes only 84 are left"),
        (BEFORE, AFTER.rstrip("\n"), "its last line end is lost"),
        (BEFORE, SKETCH, "a marker of the sketch is left in it"),
        (BEFORE, f"```python\n{AFTER}```\n", "it has a code fence around it"),
        (BEFORE, BEFORE, "the file as it was"),
        (BEFORE, f"\n{BEFORE}\n", "the file as it was"),
    ],
    ids=["empty", "blank", "large shrunk", "medium shrunk", "torn", "marker", "fence", "unchanged", "only line ends"],
)
async def test_what_is_no_edit_of_the_file_is_rejected(
    folder: Path, worker: Worker, original: str, merged: str, why: str
) -> None:
    (folder / "a.py").write_text(original)

    outcome = await merge(worker, merged)

    assert outcome.failed
    assert why in outcome.output
    assert outcome.output.endswith("The file is untouched; use edit instead.")
    assert (folder / "a.py").read_text() == original


@pytest.mark.parametrize(
    ("original", "merged", "written"),
    [
        (BEFORE, AFTER, AFTER),
        (BEFORE, f"\n{AFTER}\n", AFTER),
        (f"\n{BEFORE}\n", f"\n{AFTER}\n", f"\n{AFTER}\n"),
        (BEFORE.rstrip("\n"), AFTER, AFTER.rstrip("\n")),
        (LONG, "y = 2\n" * 9, "y = 2\n" * 9),
        (MEDIUM, "x = 1\n" * 15, "x = 1\n" * 15),
        ("x = 1\n", "y\n", "y\n"),
        ("```\nis markdown\n```\n", "```\nis still\n```\n", "```\nis still\n```\n"),
        (BEFORE, AFTER.replace("\n", "\r\n"), AFTER),
    ],
    ids=[
        "plain",
        "line ends added",
        "line ends its own",
        "none at the end",
        "large",
        "medium",
        "small",
        "fence",
        "crlf",
    ],
)
def test_the_ends_are_as_the_original_has_them(original: str, merged: str, written: str) -> None:
    assert checked(original, merged) == written


@given(original=st.text(min_size=1), merged=st.text())
def test_what_passes_is_never_empty_nor_the_same(original: str, merged: str) -> None:
    try:
        written = checked(original, merged)
    except ToolFailed:
        return

    assert written.strip()
    assert written != original
    assert written.endswith("\n") or not original.endswith("\n")


async def test_a_merged_edit_is_written_and_shown(folder: Path, worker: Worker) -> None:
    (folder / "a.py").write_text(BEFORE)
    asked: list[MergeEdit] = []

    def answer(wanted: MergeEdit) -> str:
        asked.append(wanted)
        return f"\n{AFTER}\n"

    outcome = await merge(worker, answer)

    assert (folder / "a.py").read_text() == AFTER
    assert outcome.summary == "+1 \N{MINUS SIGN}0"
    assert outcome.diff == (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@\n def divide(a, b):\n+    assert b\n     return a / b\n"
    )
    assert asked == [
        MergeEdit(original=BEFORE, sketch="# ... existing code ...\nassert b", instruction="I add a check")
    ]


async def test_windows_line_ends_are_kept(folder: Path, worker: Worker) -> None:
    (folder / "a.py").write_bytes(BEFORE.replace("\n", "\r\n").encode())

    await merge(worker, AFTER)

    assert (folder / "a.py").read_bytes() == AFTER.replace("\n", "\r\n").encode()


async def test_a_file_that_changes_meanwhile_is_left_alone(folder: Path, worker: Worker) -> None:
    (folder / "a.py").write_text(BEFORE)

    def answer(_wanted: MergeEdit) -> str:
        (folder / "a.py").write_text("somebody else's\n")
        return AFTER

    outcome = await merge(worker, answer)

    assert "changed on disk while the edit was being merged" in outcome.output
    assert (folder / "a.py").read_text() == "somebody else's\n"


async def test_a_service_that_fails_leaves_the_file(folder: Path, worker: Worker) -> None:
    (folder / "a.py").write_text(BEFORE)

    def answer(_wanted: MergeEdit) -> str:
        raise failed("rate_limited", "morph: slow down.", "Wait.")

    outcome = await merge(worker, answer)

    assert outcome.output == (
        "The edit could not be merged: morph: slow down. Wait. The file is untouched; use edit instead."
    )
    assert (folder / "a.py").read_text() == BEFORE


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"x" * 50_000, "too large to be merged"),
        (b"\xff\xfe text\n", "is not UTF-8"),
        (b"\n", "is empty"),
        (None, "No such file: a.py"),
    ],
    ids=["large", "not utf-8", "empty", "missing"],
)
async def test_what_cannot_be_merged_is_not_sent(folder: Path, worker: Worker, content: bytes | None, why: str) -> None:
    if content is not None:
        (folder / "a.py").write_bytes(content)

    def answer(_wanted: MergeEdit) -> str:
        raise AssertionError("it was sent")

    outcome = await merge(worker, answer)

    assert outcome.failed
    assert why in outcome.output


async def test_a_file_outside_is_not_sent(worker: Worker) -> None:
    call = ToolCall(
        call_id="c", name="morph_edit", arguments='{"path": "/etc/passwd", "instructions": "", "code_edit": "x"}'
    )

    outcome = await merge(worker, AFTER, call)

    assert "outside the workspace" in outcome.output


async def test_before_it_runs_the_sketch_is_shown_and_where_the_file_goes(folder: Path, worker: Worker) -> None:
    (folder / "a.py").write_text(BEFORE)

    assert preview(CALL, worker) == Preview(
        title="merge into a.py; the whole file is sent to morph",
        detail="I add a check\n\n# ... existing code ...\nassert b",
    )
