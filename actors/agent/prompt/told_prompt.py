"""The system prompt of one session: what it was made of is in the session, so it is the same after a resume."""

from collections.abc import Awaitable, Callable

from actors.agent.prompt.changes import changed, note, told
from actors.agent.prompt.system_prompt import Composed, composed, joined
from actors.agent.session.history import History
from actors.messages.conversation import Body, Instructed, Section, UserMessage
from actors.messages.turn import Notice
from actors.settings.config import Settings

More = Callable[[], Awaitable[tuple[Section, ...]]]


class ToldPrompt:
    def __init__(
        self,
        settings: Settings,
        history: History,
        save_soon: Callable[[Body], None],
        emit: Callable[[Notice], Awaitable[None]],
    ) -> None:
        self._settings = settings
        self._history = history
        self._save_soon = save_soon
        self._emit = emit
        self.sections: tuple[Section, ...] = ()
        """What the text is made of."""
        self.text = ""
        """Once a turn has begun; the same within it, whatever is compacted meanwhile."""
        self._different: tuple[Section, ...] = ()
        self._noticed: set[str] = set()

    async def begin_turn(self, more: More) -> None:
        """more: what comes last in it, when it is made. Raises Failed."""
        now = composed(self._settings)
        await self._tell(now)
        if self._history.instructed:
            self._different = changed(told(self._history.instructed), now.sections)
        else:
            self._different = ()
            self._save_soon(Instructed(sections=(*now.sections, *await more())))
        self.sections = self._history.instructed[0].sections
        self.text = joined(self.sections)

    async def _tell(self, now: Composed) -> None:
        for text in now.notices:
            if text not in self._noticed:
                self._noticed.add(text)
                await self._emit(Notice(text=text, level="warning"))

    def untold(self) -> tuple[Body, ...]:
        """What has to be written down before the next request; it counts as told."""
        before, different = told(self._history.instructed), self._different
        self._different = ()
        if not different or not self._history.instructed:  # compacted: the next turn makes it anew
            return ()
        return (
            Instructed(sections=different),
            UserMessage(text=note(before, different), turn_id=self._history.turn_id),
        )
