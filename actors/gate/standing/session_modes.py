"""The mode of each session: on disk before it counts, and taken up again by the next run, but for auto.

See DECISIONS: what a resumed session may again.
"""

import msgspec

from actors.gate.rules.modes import LABELS
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import MODE_OF, Recall, Recalled, Remember
from actors.messages.tool import Mode
from actors.settings.config import Settings

LOOKING: tuple[Mode, ...] = ("plan", "research")
"""Modes that one comes back from."""
ONLY_THIS_RUN: Mode = "auto"
"""What asks nothing is begun by a word of this run: the flag, the config file or a key."""


class Kept(msgspec.Struct, frozen=True):
    """As it is in the store."""

    mode: Mode
    before: Mode
    """The one to go back to from plan and research mode."""
    run_id: str
    """The start of the program it was said in."""


def begun(kept: Kept | None, settings: Settings) -> Kept:
    """What a run begins with, or goes on with after a death of the gate."""
    if kept is not None and kept.run_id == settings.run_id:
        return kept
    first = settings.mode
    if kept is None or not _counts(kept.mode, settings):
        return Kept(first, _to_go_back_to(first, "default"), settings.run_id)
    before = "default" if kept.before == ONLY_THIS_RUN else kept.before
    return Kept(kept.mode, before, settings.run_id)


def _counts(mode: Mode, settings: Settings) -> bool:
    """Of an earlier run."""
    if settings.mode_chosen or mode == ONLY_THIS_RUN:
        return False
    return settings.mode not in LOOKING or mode in LOOKING  # whose config file lets it look wants no more


def _to_go_back_to(mode: Mode, before: Mode) -> Mode:
    return before if mode in LOOKING else mode


def taken_up(kept: Kept | None, now: Kept, settings: Settings) -> str:
    """What the user has to be told of it; "" for nothing."""
    if kept is None or kept.run_id == settings.run_id or settings.mode_chosen or kept.mode == settings.mode:
        return ""
    if now.mode == kept.mode:
        return f"The mode is {now.mode}, as this session was left: {LABELS[now.mode]}."
    return f"This session was left in the mode {kept.mode}, which is not taken up again: the mode is {now.mode}."


class Modes:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._on_disk: dict[str, Kept | None] = {}
        self._now: dict[str, Kept] = {}
        """By session."""
        self._taken_up: dict[str, str] = {}

    async def load(self, session_id: str) -> Mode:
        """Raises Failed."""
        if session_id not in self._now:
            kept = await self._recalled(session_id)
            if session_id not in self._now:
                self._begin(session_id, kept)
        return self.of(session_id)

    async def look_again(self, session_id: str) -> None:
        """What it was when it was loaded may have been changed by another program. Raises Failed."""
        if session_id in self._now:
            known = self._on_disk[session_id]
            kept = await self._recalled(session_id)
            ours = kept is not None and kept.run_id == self._settings.run_id
            if kept != known and not ours and self._on_disk[session_id] == known:  # else we changed it meanwhile
                self._begin(session_id, kept)

    async def _recalled(self, session_id: str) -> Kept | None:
        recalled = (await self._mailbox.insist("store", Recall(key=MODE_OF + session_id), Recalled)).value
        return _decoded(recalled or "")

    def _begin(self, session_id: str, kept: Kept | None) -> None:
        self._on_disk[session_id], self._now[session_id] = kept, begun(kept, self._settings)
        self._taken_up[session_id] = taken_up(kept, self._now[session_id], self._settings)

    def of(self, session_id: str) -> Mode:
        """Once it is loaded."""
        return self._now[session_id].mode

    def before(self, session_id: str) -> Mode:
        """The one to go back to from plan and research mode."""
        return self._now[session_id].before

    def taken_up(self, session_id: str) -> str:
        """For the user: what of an earlier run counts again, or does not; "" for nothing."""
        return self._taken_up.get(session_id, "")

    async def set(self, session_id: str, mode: Mode) -> None:
        """Raises Failed; then nothing has changed."""
        await self.load(session_id)
        await self._keep(session_id, Kept(mode, _to_go_back_to(mode, self.before(session_id)), self._settings.run_id))
        self._taken_up.pop(session_id, None)

    async def carry(self, session_id: str, to: str) -> None:
        """A new session begins in the mode of this one. Raises Failed; then nothing has changed."""
        await self.load(session_id)
        if self._now[session_id] != begun(None, self._settings):
            await self._keep(to, self._now[session_id])

    async def keep_begun(self, session_id: str) -> None:
        """What the session is left in when nobody says another one: else a later run would miss the flag of this one.

        Raises Failed.
        """
        on_disk, now = self._on_disk[session_id], self._now[session_id]
        if on_disk != now and (on_disk is not None or self._settings.mode_chosen):
            await self._keep(session_id, now)

    async def _keep(self, session_id: str, kept: Kept) -> None:
        value = msgspec.json.encode(kept).decode()
        await self._mailbox.insist("store", Remember(key=MODE_OF + session_id, value=value), Done)
        self._on_disk[session_id] = self._now[session_id] = kept


def _decoded(recalled: str) -> Kept | None:
    """A mode that this version does not know is none."""
    try:
        return msgspec.json.decode(recalled, type=Kept)
    except msgspec.DecodeError:
        return None
