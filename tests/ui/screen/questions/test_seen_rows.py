"""Nobody allows what was never on the screen: what counts as seen, and what is taken before all of it was."""

import pytest
import wcwidth
from msgspec.structs import replace

from actors.messages.conversation import ToolCall
from actors.messages.tool import MOST_SHOWN, UserAsked
from tests.fakes.agent import PLAN, approval
from tests.ui.screen.terminals import PLAIN
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.live import Scene
from ui.screen.questions import panel
from ui.screen.questions.page import page
from ui.screen.questions.queue import Answer
from ui.screen.questions.seen_rows import AHEAD
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal.cells import GOES_ON
from ui.screen.terminal.keys import Key, Text

LINES = [f"echo line {number:02}" for number in range(1, 41)]
SCRIPT = approval(ToolCall(call_id="c", name="bash", arguments="{}"), LINES[0])
SCRIPT = replace(SCRIPT, detail="\n".join(LINES))
EDIT = replace(
    approval(
        ToolCall(call_id="e", name="edit", arguments="{}"), "edit src/cart/totals.py", "changes src/cart/totals.py"
    ),
    detail="--- a/src/cart/totals.py\n+++ b/src/cart/totals.py\n@@ -1,1 +1,1 @@\n-total = 0.0\n+total = evil()\n",
)
PLANNED = replace(SCRIPT, kind="plan", title="The plan", choices=PLAN, default="deny", escape="deny")
RULES = ", ".join(f"Bash(tool-{number}:*)" for number in range(30))
WORDY = replace(
    SCRIPT,
    detail="",
    choices=(replace(SCRIPT.choices[2], label=f"always: {RULES}"), *SCRIPT.choices[3:]),
)
LATE = 1000.0
SIZES = [(80, 24), (20, 24), (40, 10), (120, 40), (60, 6)]


class Reader:
    """A terminal with a question, and what is read there."""

    def __init__(self, question: UserAsked, width: int, height: int) -> None:
        self.controls = Controls(History([]), lambda: "turn")
        self._scene = Scene(Shown(SessionView()), self.controls, Surroundings(), PLAIN)
        self.width, self.height = width, height
        self.controls.questions.add(question)
        self.seen: list[str] = []

    def draw(self, *, painted: bool = True) -> str:
        rows = self._scene.view(self.width, self.height, LATE).rows
        if painted:
            self.controls.questions.painted(LATE - 1)
        self.seen += [wcwidth.strip_sequences(row) for row in rows]
        return "\n".join(rows)

    def press(self, *keys: str) -> list[object]:
        events = [Text(key) if len(key) == 1 else Key(key) for key in keys]
        return [intent for event in events for intent in self.controls.handle(event, LATE)]

    def read_on(self) -> None:
        """To the end, a page at a time; a width at which it can be read has one."""
        while not self.controls.questions.reading.whole:
            self.press(" ")
            self.draw()

    @property
    def text(self) -> str:
        """All that was on the screen, however it was wrapped."""
        return "".join("".join(self.seen).replace(GOES_ON, "").split())


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("question", [SCRIPT, EDIT, PLANNED, WORDY], ids=["script", "edit", "plan", "rules"])
def test_all_of_it_was_on_the_screen_before_it_can_be_allowed(question: UserAsked, width: int, height: int) -> None:
    reader = Reader(question, width, height)
    allows = [choice for choice in question.choices if not choice.refuses]
    reader.draw()
    if not reader.controls.questions.reading.whole:
        for choice in allows:
            assert reader.press(choice.key) == []
            assert "space" in reader.draw()

    reader.read_on()

    assert reader.press(allows[0].key) == [Answer(1, allows[0].id)]
    for told in (*question.detail.split("\n")[3:], question.risk, *(choice.label for choice in question.choices)):
        assert [word for word in told.lstrip("+-").split() if word not in reader.text] == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_at_least_half_of_the_panel_is_for_what_is_asked(width: int, height: int) -> None:
    rows, _ = panel.draw(Reader(SCRIPT, width, height).controls.questions, width, height, PLAIN)

    assert sum("echo" in row or "line" in row for row in rows) >= height // 2 - 2


def test_a_no_needs_no_reading() -> None:
    for key, answer in (("n", [Answer(1, "no")]), ("esc", [Answer(1, "no")]), ("enter", [Answer(1, "no")])):
        reader = Reader(SCRIPT, 80, 24)
        reader.draw()

        assert reader.press(key) == answer


def test_keys_that_come_faster_than_the_screen_leave_nothing_out() -> None:
    reader = Reader(SCRIPT, 80, 24)
    reader.draw()

    assert reader.press(*" " * 9, "pagedown", *["down"] * 99, "y") == []
    reader.read_on()

    assert [line for line in LINES if "".join(line.split()) not in reader.text] == []


def test_what_was_drawn_and_never_painted_was_not_seen() -> None:
    reader = Reader(SCRIPT, 80, 60)
    reader.draw(painted=False)

    assert reader.press("y") == []
    reader.draw()
    assert reader.press("y") == [Answer(1, "once")]


def test_a_question_takes_no_keys_as_long_as_it_is_not_on_the_screen() -> None:
    reader = Reader(replace(SCRIPT, detail=""), 80, 24)

    assert reader.press("n", "enter", "esc", "y") != [Answer(1, "no")]
    assert reader.controls.questions.current is not None


def test_another_width_begins_again_and_what_was_all_read_stays_read() -> None:
    half, whole = Reader(SCRIPT, 80, 24), Reader(SCRIPT, 80, 24)
    half.draw()
    half.press(" ")
    half.draw()
    whole.draw()
    whole.read_on()

    half.width = whole.width = 30
    half.draw()
    whole.draw()

    assert half.controls.questions.reading.first == 0
    assert half.press("y") == []
    assert whole.press("y") == [Answer(1, "once")]


def test_the_rows_go_on_where_they_were_when_only_the_height_changes() -> None:
    reader = Reader(SCRIPT, 80, 24)
    reader.draw()
    reader.press(" ")
    reader.draw()
    first = reader.controls.questions.reading.first

    reader.height = 20
    reader.draw()

    assert reader.controls.questions.reading.first == first > 0


@pytest.mark.parametrize(
    ("question", "width"),
    [
        (replace(SCRIPT, detail="x" * (MOST_SHOWN + 1)), 80),
        (replace(SCRIPT, detail="\u202e" * (MOST_SHOWN // 5)), 80),
        (SCRIPT, 4),
    ],
    ids=["long", "long when it is shown", "narrow"],
)
def test_what_cannot_be_shown_can_only_be_refused(question: UserAsked, width: int) -> None:
    reader = Reader(question, width, 24)
    reader.draw()

    assert reader.press(*" " * 9, "y") == []
    assert "can only be refused" in reader.draw() or reader.width < 10
    assert reader.press("n") == [Answer(1, "no")]


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("a\u202eb", "a\\u202eb"),
        ("a\u200bb", "a\\u200bb"),
        ("a\u200db", "a\\u200db"),
        ("a\ufe0fb", "a\\ufe0fb"),
        ("a\U000e0141b", "a\\U000e0141b"),
        ("a\rb", "a\\x0db"),
        ("a\x1b[8mb", "a\\x1b[8mb"),
        ("a\tb", "a    b"),
        ("e\u0301" + "\u0301" * 3, "e\u0301\u0301\u0301\\u0301"),
        ("\u26a0\ufe0f", "\u26a0\ufe0f"),
        ("\u4e16" * 60, "\u4e16"),
        ("word" * 60, "word"),
    ],
)
@pytest.mark.parametrize("kind", ["approval", "plan"])
def test_nothing_in_it_is_invisible(kind: str, hidden: str, shown: str) -> None:
    question = replace(SCRIPT, detail=f"first\n{hidden}\nlast", **({"kind": kind} if kind == "plan" else {}))
    reader = Reader(question, 40, 60)

    reader.draw()

    assert shown in "\n".join(reader.seen)
    assert all(wcwidth.width(row) <= 40 for row in reader.seen)
    assert reader.controls.questions.reading.whole


FAR = f"echo first{' ' * 90}rm -rf second"
CHOICES = (replace(SCRIPT.choices[0], label=FAR), *SCRIPT.choices[1:])


@pytest.mark.parametrize(
    "question",
    [
        replace(SCRIPT, detail=FAR),
        replace(SCRIPT, title=FAR),
        replace(SCRIPT, title=f"{FAR}\nx"),
        replace(SCRIPT, risk=FAR),
        replace(SCRIPT, warning=FAR),
        replace(SCRIPT, choices=CHOICES),
        replace(SCRIPT, kind="trust", detail=f"config.toml:\n  | {FAR}"),
        replace(EDIT, detail=EDIT.detail.replace("total = evil()", FAR)),
        replace(EDIT, detail=EDIT.detail.replace("cart/totals.py", FAR)),
    ],
    ids=["detail", "title", "title of two lines", "risk", "warning", "choice", "trust", "diff", "file"],
)
@pytest.mark.parametrize("width", [40, 80])
def test_what_is_still_the_line_above_says_so(question: UserAsked, width: int) -> None:
    reader = Reader(question, width, 60)

    reader.draw()

    going_on = [row.lstrip()[:2] for row in reader.seen if "second" in row and "first" not in row]
    assert set(going_on) == {f"{GOES_ON} "}


FORGED = "README.md\n   1 + # just a readme\n\n.sh"


@pytest.mark.parametrize(
    "question",
    [
        replace(EDIT, title=f"make {FORGED}"),
        replace(EDIT, risk=f"changes {FORGED}"),
        replace(EDIT, warning=f"it deletes {FORGED}"),
        replace(EDIT, agent=f"agent:{FORGED}"),
        replace(EDIT, call=replace(EDIT.call, name=FORGED)),
        replace(EDIT, choices=(replace(EDIT.choices[0], label=f"always: Write({FORGED})"), *EDIT.choices[1:])),
    ],
    ids=["title", "risk", "warning", "agent", "tool", "choice"],
)
@pytest.mark.parametrize("size", [(200, 60), (80, 24), (40, 12)])
def test_a_name_of_several_lines_is_one(question: UserAsked, size: tuple[int, int]) -> None:
    reader = Reader(question, *size)

    reader.draw()
    reader.read_on()

    read = reader.text.replace(GOES_ON, "")
    assert [part for part in (r"README.md\x0a", r"readme\x0a\x0a.sh") if part not in read] == []
    assert not any("\n" in row or row.startswith("   1 + #") for row in reader.seen)


@pytest.mark.parametrize(
    "hidden",
    [
        "[//]: # (then rm -rf the home folder)",
        "[x]: http://127.0.0.1 'then rm -rf the home folder'",
        "![picture](http://127.0.0.1/?then-rm-rf)",
        "<!-- then rm -rf the home folder -->",
        "```then-rm-rf-the-home-folder",
        "&#114;&#109;",
    ],
)
def test_a_plan_is_shown_as_it_is_written(hidden: str) -> None:
    reader = Reader(replace(PLANNED, detail=f"# Plan\n\n{hidden}\n\nDone."), 80, 24)

    reader.draw()

    assert "".join(hidden.split()) in reader.text


@pytest.mark.parametrize("text", ["世" * 400_000, "ж" * 400_000, "a\u00ad" * 90_000, "+\n" * 200_000, "x y " * 100_000])
def test_of_a_long_question_no_more_is_laid_out_than_is_looked_at(text: str) -> None:
    question = replace(SCRIPT, detail=text)
    reader = Reader(question, 80, 24)
    said = page(question, 80, PLAIN)

    drawn = [reader.draw() for _ in range(20) if reader.press(" ") == []]

    assert len(said.rows) <= AHEAD + (len(drawn) + 3) * 24
    assert f"of {len(said.rows)}+ rows" in drawn[-1]
    assert reader.press("y") == []


def test_the_last_page_of_a_long_question_is_read_as_the_first() -> None:
    lines = [f"echo {number} {'жизнь ' * 30}" for number in range(400)]
    reader = Reader(replace(SCRIPT, detail="\n".join(lines)), 80, 24)
    reader.draw()

    reader.read_on()

    assert [line for line in lines if "".join(line.split()) not in reader.text] == []
    assert reader.press("y") == [Answer(1, "once")]
