"""What is being typed, and what was told and is not shown yet: kept by the store, it survives a kill of the screen."""

from collections.abc import Callable

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import Recall, Recalled, Remember
from actors.settings.config import Settings
from ui.screen.composer.editor import Draft
from ui.screen.controls import Controls
from ui.screen.questions.queue import Note
from ui.screen.sending.prompts import Prompts
from ui.screen.sending.queue import Kept
from ui.screen.terminal.tty import drop_typed
from ui.screen.transcript import blocks
from ui.start import early_keys
from ui.start.fronts import geometry_path

DRAFT_S = 0.2
"""It is remembered when nothing was typed for so long."""
SAVE_S = 0.5
"""For the store to take what is being typed, before the terminal is somebody else's."""


class Typed(Draft, frozen=True):
    """The composer, and what is written with an answer."""

    note: Note = Note()
    queued: dict[str, Kept] = msgspec.field(default_factory=dict)
    secret: bool = False
    """One was being typed: what is typed on is no draft."""
    told: tuple[blocks.Note, ...] = ()
    """What the screen was told and waits for the end of a block of the answer,"""
    told_before: int = 0
    """and how many have waited before."""


class Drafts:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        controls: Controls,
        prompts: Prompts,
        say: Callable[[str, str], None],
    ) -> None:
        """say: text, level."""
        self._mailbox = mailbox
        self._key = f"draft/{settings.run_id}"
        self._geometry = geometry_path(settings)
        self._controls = controls
        self._prompts = prompts
        self._say = say
        self._changed = trio.Event()
        self._saved = Typed("")

    def poke(self) -> None:
        """Something was typed."""
        self._changed.set()

    async def recall(self) -> None:
        """What an earlier life of the screen was typing. Raises Failed."""
        kept = (await self._mailbox.insist("store", Recall(key=self._key), Recalled)).value
        typed = msgspec.json.decode(kept, type=Typed) if kept else Typed("")
        if typed.secret:
            drop_typed()
        if typed.text:
            meanwhile = self._controls.editor.expanded
            self._controls.editor.restore(typed)
            if meanwhile:  # the store has kept us waiting
                self._controls.editor.paste(meanwhile)
        self._prompts.queue.recall(typed.queued)
        self._controls.questions.recall(typed.note)
        self._prompts.session.notes.recall(typed.told, typed.told_before)
        self._saved = typed

    async def keep(self) -> None:
        try:
            while True:
                await self._changed.wait()
                if not self._is_sent:
                    await trio.sleep(DRAFT_S)
                self._changed = trio.Event()
                await self.save()
        except Failed as error:
            self._say(f"drafts are not kept from now on: {error}", "warning")

    @property
    def _is_sent(self) -> bool:
        """It is kept, and is no draft any more: after a death the next screen would have it again."""
        return bool(self._saved.text) and not self._typed.text

    async def save(self) -> None:
        """As it is now. Raises Failed."""
        if (typed := self._typed) != self._saved:
            value = msgspec.json.encode(typed).decode()
            await self._mailbox.insist("store", Remember(key=self._key, value=value), Done)
            self._saved = typed
        early_keys.forget(self._geometry)

    async def save_soon(self) -> None:
        """Before somebody else has the terminal, who may be the last of us; however long the store takes."""
        with trio.move_on_after(SAVE_S):
            try:
                await self.save()
            except Failed:
                return  # who keeps drafts says so

    @property
    def _typed(self) -> Typed:
        draft = self._controls.editor.draft
        draft = draft if draft.text else self._prompts.waiting()
        queued = self._prompts.queue.record(without=self._prompts.reading.values())
        questions = self._controls.questions
        told = self._prompts.session.notes
        files, secret = draft.files, questions.secret
        return Typed(draft.text, draft.pastes, files, questions.note, queued, secret, tuple(told.notes), told.gone)
