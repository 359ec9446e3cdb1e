"""The rules that "always" has given in this run: they are in a file as well, which the settings were read from before.

And those that were taken back: the settings still have what was in a file at the start.
"""

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import Recall, Recalled, Remember
from actors.settings.config import Settings
from actors.settings.permissions import RuleLine


class Kept(msgspec.Struct, frozen=True):
    """As it is in the store."""

    lines: tuple[RuleLine, ...] = ()
    forgotten: tuple[RuleLine, ...] = ()


class Always:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._kept = Kept()
        self._loaded = not settings.interactive
        self._changing = trio.Lock()

    async def load(self) -> None:
        """Raises Failed."""
        if self._loaded:
            return
        async with self._changing:
            if not self._loaded:
                recalled = (await self._mailbox.insist("store", Recall(key=self._key), Recalled)).value
                self._kept = msgspec.json.decode(recalled, type=Kept) if recalled else Kept()
                self._loaded = True

    @property
    def lines(self) -> tuple[RuleLine, ...]:
        """With those of the settings that still count."""
        return (*(line for line in self._settings.rules if line not in self._kept.forgotten), *self._kept.lines)

    async def add(self, rules: tuple[str, ...], source: str) -> None:
        """Raises Failed; then they do not count."""
        new = [RuleLine(verdict="allow", text=rule, source=source) for rule in rules]
        async with self._changing:
            lines = (*self._kept.lines, *(line for line in new if line not in self._kept.lines))
            await self._keep(msgspec.structs.replace(self._kept, lines=lines))

    async def forget(self, rule: RuleLine) -> None:
        """Raises Failed; then it still counts."""
        async with self._changing:
            lines = tuple(line for line in self._kept.lines if line != rule)
            forgotten = (rule,) if rule in self._settings.rules else ()
            await self._keep(Kept(lines=lines, forgotten=(*self._kept.forgotten, *forgotten)))

    async def _keep(self, kept: Kept) -> None:
        value = msgspec.json.encode(kept).decode()
        await self._mailbox.insist("store", Remember(key=self._key, value=value), Done)
        self._kept = kept

    @property
    def _key(self) -> str:
        return f"always/{self._settings.run_id}"
