"""The system prompt of one session: what it was made of is in the session, so it is the same after a resume."""

from collections.abc import Awaitable, Callable, Iterable

from actors.agent.prompt.changes import changed, note, told
from actors.agent.prompt.system_prompt import SERVERS, Composed, composed, joined
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

    async def begin_turn(self, servers: tuple[Section, ...], more: More) -> None:
        """servers: what is said of MCP servers; more: what comes last in it, when it is made. Raises Failed."""
        now = composed(self._settings)
        await self._tell(now)
        if self._history.instructed:
            before, _ = _parted(told(self._history.instructed))
            self._different = changed(before, now.sections)
        else:
            self._different = ()
            self._save_soon(Instructed(sections=(*now.sections, *servers, *await more())))
        self.sections = self._history.instructed[0].sections
        self.text = joined(self.sections)

    async def _tell(self, now: Composed) -> None:
        for text in now.notices:
            if text not in self._noticed:
                self._noticed.add(text)
                await self._emit(Notice(text=text, level="warning"))

    def untold(self, servers: tuple[Section, ...]) -> tuple[Body, ...]:
        """What has to be written down before the next request; it counts as told. servers: as they are now."""
        before = told(self._history.instructed)
        different = (*self._different, *changed(_parted(before)[1], servers))
        self._different = ()
        if not different or not self._history.instructed:  # compacted: the next turn makes it anew
            return ()
        return (
            Instructed(sections=different),
            UserMessage(text=note(before, different), turn_id=self._history.turn_id),
        )


def _parted(parts: Iterable[Section]) -> tuple[list[Section], list[Section]]:
    """Those of MCP servers are the second."""
    parts = list(parts)
    return [part for part in parts if part.name != SERVERS], [part for part in parts if part.name == SERVERS]
