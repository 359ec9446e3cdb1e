"""The agent's list of steps, and what else a tool's call and result look like."""

import json

import pytest

from actors.messages.conversation import Attachment, ToolCall, ToolResult
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import calls, todo
from ui.screen.transcript.blocks import ToolDone
from ui.screen.transcript.todo import Step

PLAIN = Theme(colour=False)
STEPS = (Step("find it", "completed"), Step("fix it", "in_progress"), Step("test it"))


def call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(call_id="c", name=name, arguments=json.dumps(arguments))


def text(row: list[tuple[str, str]]) -> str:
    return "".join(part for _, part in row)


def done(name: str, title: str = "", **result: object) -> list[str]:
    piece = ToolDone(name, title, ToolResult(call_id="c", name=name, **result), gap=False)  # type: ignore[arg-type]
    return [row.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "") for row in piece.rows(60, PLAIN)]


def test_steps_are_read_from_the_call() -> None:
    items = [{"task": "find it", "status": "completed"}, {"task": "fix it", "status": "in_progress"}]

    assert todo.steps(call("todo", items=[*items, {"task": "test it"}])) == STEPS


@pytest.mark.parametrize(
    "other", [call("bash", items=[]), call("todo", items=3), ToolCall(call_id="c", name="todo", arguments="{")]
)
def test_what_is_no_list_of_steps_is_none(other: ToolCall) -> None:
    assert todo.steps(other) == ()


def test_a_narrow_row_counts_what_is_done() -> None:
    assert text(todo.row(STEPS, 60)) == " Plan  ✔ find it  ▸ fix it  ○ test it"
    assert text(todo.row(STEPS, 30)) == " Plan  ✔ 1 of 3  ▸ fix it  ○ test it"


def test_a_list_is_over_when_all_is_done() -> None:
    assert todo.over(())
    assert todo.over(STEPS[:1])
    assert not todo.over(STEPS)


@pytest.mark.parametrize(
    ("one", "title"),
    [
        (call("move", source="a.txt", destination="b/"), "a.txt → b/"),
        (call("multi_edit", edits=[{"path": "a"}, {"path": "b"}, {"path": "a"}]), "2 files: a, b"),
        (call("multi_edit", edits=[{"path": "a"}, {"path": "a"}]), "a"),
        (call("apply_patch", input="*** Begin Patch\n*** Update File: a b.py\n*** End Patch"), "a b.py"),
        (call("apply_patch", input="--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a/y\n+++ /dev/null\n"), "x"),
        (call("bash_output", job=3), "job 3"),
        (call("web_fetch", max_characters=9, url="https://a.b"), "https://a.b"),
        (call("ask_user", question="Which?", choices=["a"]), "Which?"),
        (call("git_status"), ""),
        (ToolCall(call_id="c", name="x", arguments="not json"), "not json"),
    ],
)
def test_a_call_is_named_by_what_it_is_about(one: ToolCall, title: str) -> None:
    assert calls.title(one) == title


def test_what_was_denied_says_to_people_why_and_what_would_allow_it() -> None:
    said = "denied by a rule. This is plan mode: use the tools that only look."
    remedy = "denied by a rule. To allow it: drop the rule"

    rows = done("bash", "git push", output=said, summary=remedy, failed=True, denied=True)

    assert rows[0].startswith("● bash git push  denied ")
    assert rows[1:] == [f"  │ {remedy}"]


def test_a_denial_without_words_for_people_says_what_it_says() -> None:
    assert done("x", output="denied", failed=True, denied=True)[1:] == ["  │ denied"]


@pytest.mark.parametrize("word", ["x" * 200, "世" * 100, "a/b-c" * 40])
@pytest.mark.parametrize("width", [20, 40])
def test_a_long_word_keeps_its_gutter(word: str, width: int) -> None:
    result = ToolResult(call_id="c", name="x", output=f"so {word}\nlast", failed=True, warning=word)

    rows = ToolDone("x", "", result, gap=False).rows(width, PLAIN)[1:]

    assert all(row.startswith(("\x1b[2m  │ ", "\x1b[1m  ! ")) for row in rows)
    assert max(map(cells.width, rows)) <= width


@pytest.mark.parametrize("remedy", ["denied by you", "denied by you: not now"])
def test_what_the_user_denied_is_said_once(remedy: str) -> None:
    said = "denied by the user; it did not run. Do not try it again; ask what to do."

    rows = done("bash", "git push", output=said, summary=remedy, failed=True, denied=True)

    assert rows[1:] == [f"  │ {remedy}"]


def test_a_long_error_is_wrapped_behind_its_gutter() -> None:
    rows = done("x", output="it may have run: " + "look before you run it again, " * 3, failed=True)

    assert rows[1:] == [
        "  │ it may have run: look before you run it again, look",
        "  │ before you run it again, look before you run it again,",
    ]


@pytest.mark.parametrize("denied", [True, False])
def test_a_reason_without_end_is_cut_with_a_sign(denied: bool) -> None:
    rows = done("x", output="word " * 1000, failed=True, denied=denied)

    assert len(rows) == 5
    assert rows[-1].endswith(" word …")
    assert max(map(cells.width, rows)) <= 60


def test_an_image_is_named() -> None:
    image = Attachment(name="shot.png", media_type="image/png", size=2048)

    assert "[image shot.png, 2 KB]" in done("read", "shot.png", output="", attachments=(image,))[0]
    assert "(image 10x20)" in done("read", "shot.png", output="", summary="(image 10x20)", attachments=(image,))[0]


def test_an_edit_says_what_else_there_is_to_say() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b\n"

    assert "x  +1 −1  2 new errors  " in done("edit", "x", output="", diff=diff, summary="+1 −1, 2 new errors")[0]
    assert "x  +1 −1  " in done("edit", "x", output="", diff=diff, summary="+1 −1")[0]
