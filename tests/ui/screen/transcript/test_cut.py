"""What is long is cut in the transcript, and says how much there is and what opens it."""

from actors.messages.conversation import ToolResult
from tests.ui.screen.terminals import PLAIN
from ui.screen.transcript.blocks import ToolDone, UserSaid
from ui.screen.transcript.plan import PlanApproved


def test_a_prompt_of_many_lines_is_shown_by_its_beginning_and_its_end() -> None:
    text = "look at this:\n" + "\n".join(f"row {number}" for number in range(1998)) + "\nand mend it"

    rows = UserSaid(text).rows(80, PLAIN)

    assert "look at this:" in rows[1]
    assert any("… 1,992 more lines · ctrl+o" in row for row in rows)
    assert "and mend it" in rows[-1]
    assert len(rows) == 10


def test_a_prompt_of_one_line_without_end_takes_a_few_rows() -> None:
    rows = UserSaid("x" * 300_000).rows(80, PLAIN)

    assert len(rows) < 30
    assert "… 298,000 more characters · ctrl+o" in rows[-1]


def test_a_failed_call_says_how_much_of_its_output_is_not_shown() -> None:
    output = "\n".join(f"line {number}" for number in range(66))
    done = ToolDone("bash", "make", ToolResult(call_id="c", name="bash", output=output, failed=True), gap=False)

    rows = done.rows(80, PLAIN)

    assert "line 65" in rows[3]
    assert "└ … 63 more lines · ctrl+o" in rows[4]


def test_an_approved_plan_is_set_as_an_answer_is_and_harmless() -> None:
    rows = PlanApproved("# Totals\n\n1. add\x1b[2J\n\n```python\nx = 1\n```\n").rows(80, PLAIN)

    assert any("Totals" in row for row in rows)
    assert any("\\x1b[2J" in row for row in rows)
    assert any(row.strip() == "x = 1" for row in rows)
