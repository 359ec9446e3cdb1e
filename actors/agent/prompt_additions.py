"""What is added to the system prompt when a session begins: what hooks say, and a map of a larger repository.

Once it is there it stays the same for as long as the session is open: services cache the prompt by prefix.
"""

from pathlib import Path

import trio

from actors.agent.hook_moments import Hooks
from actors.common.checkout import tracked_files
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.conversation import Section
from actors.messages.tool import MapRepository, RepositoryMap
from actors.settings.config import Settings

MAP_FROM_FILES = 40
"""Smaller repositories are quickly looked through."""
MAP_TOKENS = 1500
MAP_WAIT_S = 1.5
"""The first turn waits no longer; the session goes without a map then."""


class SessionStart:
    def __init__(self, mailbox: Mailbox, settings: Settings, hooks: Hooks) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._hooks = hooks
        self._map = ""
        self._mapped = trio.Event()
        self._sections: tuple[Section, ...] | None = None

    async def look(self) -> None:
        """Ask for the map, beside everything else."""
        if self._settings.repo_map and tracked_files(Path(self._settings.cwd)) >= MAP_FROM_FILES:
            try:
                found = await self._mailbox.insist("gate", MapRepository(tokens=MAP_TOKENS), RepositoryMap)
                self._map = found.text.strip()
            except Failed:
                self._map = ""  # it is a help, not a need
        self._mapped.set()

    async def sections(self) -> tuple[Section, ...]:
        """Raises Failed."""
        if self._sections is None:
            told = await self._hooks.session_start()
            with trio.move_on_after(MAP_WAIT_S):
                await self._mapped.wait()
            hooks = f"From the session_start hooks:\n\n{told}" if told else ""
            drawn = f"The most important symbols of the repository:\n\n{self._map}" if self._map else ""
            found = (Section(name="hooks", text=hooks), Section(name="map", text=drawn))
            self._sections = tuple(section for section in found if section.text)
        return self._sections
