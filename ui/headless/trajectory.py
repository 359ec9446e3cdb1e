"""The trajectory of a headless run: what was heard of its turn, as it is written at the end, however that came."""

from pathlib import Path

from actors.common.small_files import replace_file
from actors.messages.conversation import EndReason, Entry, TurnEnded, UserMessage
from actors.messages.system import ActorRestarted
from actors.messages.turn import EntryAdded, Event


class Recording:
    """Entries from the prompt on."""

    def __init__(self, path: str) -> None:
        """path: "" where none is wanted."""
        self._path = path
        self._entries: list[Entry] = []

    def hear(self, event: Event | ActorRestarted) -> None:
        if self._path and isinstance(event, EntryAdded):
            self._entries.append(event.entry)

    def write(self, session_id: str, prompt: UserMessage, ended: TurnEnded, at: float) -> None:
        """prompt, ended: what stands for them where they were not heard. Raises OSError."""
        if not self._path:
            return
        from ui.session_files.atif import Telling

        telling = Telling()
        for entry in [*(self._entries or [_entry(prompt, session_id, at)]), *self._end(ended, session_id, at)]:
            telling.add(entry)
        replace_file(Path(self._path), telling.atif(session_id).encode())

    def _end(self, ended: TurnEnded, session_id: str, at: float) -> list[Entry]:
        """A refusal, and an agent that died, are no end that was heard."""
        last: EndReason | None = next(
            (entry.body.reason for entry in reversed(self._entries) if isinstance(entry.body, TurnEnded)), None
        )
        return [] if last == ended.reason else [_entry(ended, session_id, at)]


def _entry(body: UserMessage | TurnEnded, session_id: str, at: float) -> Entry:
    return Entry(id="", session_id=session_id, parent="", body=body, at=at)
