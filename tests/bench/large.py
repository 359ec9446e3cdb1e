"""Frames of what is large: CPU milliseconds of the longest, with what it took to hear of it."""

import time
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from actors.messages.model import TextDelta
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import markdown
from tests.ui.screen.questions.test_seen_rows import SCRIPT, Reader
from tests.ui.screen.samples import INFO
from ui.screen.composer.editor import Editor
from ui.screen.composer.history import History
from ui.screen.composer.history_search import HistorySearch
from ui.screen.following import portions
from ui.screen.paint import PIECES, PORTION
from ui.screen.reports.changes import Changes
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.terminal.keys import Paste
from ui.screen.terminal.renderer import Renderer, Resized, View
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import prose
from ui.screen.transcript.code import lexer_for

TARGET_MS = 100.0
SIZE = 490_000
"""Characters of a question, nearly as many as are shown."""
ASKED = {
    "of wide letters": "世" * SIZE,
    "of a word without end": "ж" * SIZE,
    "of signs that cannot be seen": "a\u00ad" * (SIZE // 5),
    "of short lines": "+\n" * (SIZE // 2),
    "that is a diff": "--- a/x\n+++ b/x\n@@ -0,0 +1,4900 @@\n" + f"+{'ж' * 37}\n" * 4900,
}
ANSWERS = {
    "20,000 tokens of markdown": markdown(80_000),
    "10,000 lines of code": "```python\n" + "def f(a, b): return a + b  # c\n" * 10_000 + "```\n",
    "a line of 1 MB": "x " * 500_000 + "\n\n",
    "20,000 items": "- a *b* `c`\n" * 20_000,
    "100,000 lines of a paragraph": "a b c\n" * 100_000 + "\n",
}
NOTHING = View([""], 0, 0)


def frames(_bench: Bench, _runs: int) -> list[Figure]:
    """Once: a second time it is remembered how much was laid out. What the screen imports ahead is there."""
    prose.parser()
    lexer_for("python")
    figures = {f"a question {what}": lambda text=text: _asked(text) for what, text in ASKED.items()}
    figures |= {f"an answer at once: {what}": lambda text=text: _answered(text) for what, text in ANSWERS.items()}
    figures |= {"a resize with 2,000 rows": _resized, "a paste of 10,000 lines": _pasted}
    figures |= {"a search in 10,000 prompts": _searched, "/diff of 10,000 lines": _changed}
    return [Figure(what=what, unit="ms", values=[max(frame())], target=TARGET_MS) for what, frame in figures.items()]


def _ms(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000


def _asked(text: str) -> Iterator[float]:
    reader = Reader(replace(SCRIPT, detail=text), 80, 24)
    for _ in range(10):
        yield _ms(reader.draw)
        reader.press(" ")


def _answered(text: str) -> Iterator[float]:
    """Portion by portion, as the screen takes it."""
    shown, renderer, theme = Shown(SessionView()), Renderer(80, 24), Theme(colour=True)
    shown.own.apply(INFO)
    spent = weight = 0.0
    for event, heavy in [*portions(TextDelta(text=text))]:
        spent += _ms(lambda event=event: shown.own.apply(event))
        weight += heavy
        while weight >= PORTION or shown.waits:
            yield spent + _ms(lambda: renderer.frame(shown.take(PIECES)[0], NOTHING, theme))
            spent = weight = 0.0


def _resized() -> Iterator[float]:
    session, renderer, theme = SessionView(), Renderer(80, 24), Theme(colour=True)
    session.apply(INFO)
    session.apply(TextDelta(text=markdown(80_000)))
    renderer.frame(session.take(), NOTHING, theme)
    for width in (100, 40):
        yield _ms(lambda width=width: renderer.resize(Resized(width, 60, 59, reflows=True), NOTHING, theme))


def _pasted() -> Iterator[float]:
    editor = Editor()
    yield _ms(lambda: editor.paste("a line of what is pasted\n" * 10_000))
    yield _ms(lambda: (editor.layout(78), editor.caret(78)))


def _searched() -> Iterator[float]:
    search = HistorySearch(Editor(), History([f"prompt {number} {'words ' * 20}" for number in range(10_000)]))
    yield _ms(search.begin)
    for letter in ("w", "o", "9"):
        yield _ms(lambda letter=letter: (search.key(Paste(letter)), search.rows(80, 10, Theme(colour=True))))


def _changed() -> Iterator[float]:
    diff = "--- a/x\n+++ b/x\n@@ -1,5000 +1,5000 @@\n" + "-an old line ж\n" * 5000 + "+a new line ж\n" * 5000
    yield _ms(lambda: Changes(diff).rows(80, Theme(colour=True)))
