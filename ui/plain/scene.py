"""What is announced beside the transcript: the question that waits, what holds the turn up, whose turn it is."""

from collections.abc import Callable
from dataclasses import dataclass

from actors.messages.tool import UserAsked
from ui.common import harmless
from ui.plain import replies
from ui.plain.stream import SIZE
from ui.screen.live import Scene
from ui.screen.questions.page import Laid, Page, page
from ui.screen.terminal.renderer import View

YOU = "you: "
WAITS = "note: not sent yet, Enter alone sends it, and another line instead of it: "


@dataclass(frozen=True, kw_only=True)
class PlainScene(Scene):
    prompts: bool
    """What is typed goes where our lines go, so a prompt says that it is awaited."""
    writing: Callable[[], bool]
    """What is typed next is the text of an answer."""

    def view(self, width: int, height: int, now: float) -> View:  # noqa: ARG002  # there is no live region
        rows = self._rows()
        return View(rows, max(len(rows) - 1, 0), 0)

    def _rows(self) -> list[str]:
        if (question := self.controls.questions.current) is not None:
            return self._asked(question)
        if self.session.working:
            retry = self.session.retry
            return [f"status: waiting: {retry.why}" if retry is not None else "status: working"]
        if self.session.sent or not self.session.session_id:
            return []
        draft = harmless.one_line(self.controls.editor.shown(self.controls.editor.text))
        return [*[f"{WAITS}{draft}"] * bool(draft), *[YOU] * self.prompts]

    def _asked(self, question: UserAsked) -> list[str]:
        """All of it is there at once, which those are told who let nothing be allowed unread."""
        said, rows = page(question, SIZE[0], self.theme), replies.asked(question, SIZE[0], self.theme)
        self.controls.questions.reading.fit(Page(Laid(iter(rows))), len(rows), SIZE[0] if said.whole else 0)
        if self.writing():
            rows = [replies.unseen(question)] if self.controls.questions.secret else [replies.WHICH_WORDS]
        return [*rows, *[replies.ANSWER] * self.prompts]
