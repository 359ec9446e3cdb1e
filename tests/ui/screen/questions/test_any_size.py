"""A question never hides what it approves, whatever it is about and however small the screen: a property."""

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.messages.tool import UserAsked
from tests.ui.screen.questions.test_seen_rows import EDIT, PLANNED, SCRIPT, Reader
from ui.common.harmless import exposed
from ui.screen.questions.queue import Answer

HOSTILE = "\x1b[8m\u202e\u200b\ufe0f\u0301\t\r世👍 '\";&|$()`ab\n"
"""What hides or is wide, beside what commands are made of."""
TEXTS = st.text(alphabet=HOSTILE, max_size=120)
ABOUT = st.sampled_from((SCRIPT, PLANNED, EDIT))
WIDTHS, HEIGHTS = st.integers(20, 120), st.integers(6, 40)
PAGES = 200


def asked(about: UserAsked, detail: str, warning: str) -> UserAsked:
    if about is EDIT:
        detail = f"--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-old\n+{' '.join(detail.splitlines())}new\n"
    return replace(about, detail=detail, warning=" ".join(warning.split()))


@settings(deadline=None, max_examples=100, phases=[phase for phase in Phase if phase is not Phase.explain])
@given(ABOUT, TEXTS, TEXTS, st.tuples(WIDTHS, HEIGHTS), st.booleans())
def test_nothing_is_allowed_before_all_of_it_was_on_the_screen(
    about: UserAsked, detail: str, warning: str, size: tuple[int, int], drafting: bool
) -> None:
    question = asked(about, detail, warning)
    yes = next(choice for choice in question.choices if not choice.refuses)
    reader = Reader(question, *size)
    if drafting:
        reader.controls.editor.insert("a draft of some words " * 3)
    reader.draw()
    assert len(reader.draw().split("\n")) < size[1]

    pages = 0
    while not reader.controls.questions.reading.whole and pages < PAGES:
        early = [] if drafting else reader.press(yes.key)
        assert early == []
        reader.press("pagedown")
        reader.draw()
        pages += 1

    assert reader.controls.questions.reading.whole
    lines = question.detail.split("\n")[3:] if about is EDIT else [question.detail]
    told = [exposed(text) for text in (*lines, question.warning, question.risk)]
    assert [text for text in told if not in_order("".join(text.split()).lstrip("+-"), reader.text)] == []
    if not drafting:
        assert reader.press(yes.key) == [Answer(1, yes.id)]


def in_order(told: str, seen: str) -> bool:
    """All its characters were there, one after the other: a word may begin on one page and end on the next."""
    left = iter(seen)
    return all(character in left for character in told)
