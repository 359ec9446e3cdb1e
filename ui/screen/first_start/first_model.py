"""Who would answer, when no model was named: found out once, and chosen by the user where there is none."""

from collections.abc import Callable

import trio

from actors.errors import Failed
from actors.messages.model import ResolvedModel, ResolveModel
from actors.settings.config import Settings
from ui.screen.composer.editor import Draft, Editor
from ui.screen.first_start.ports import Ports
from ui.screen.session_view import SessionView


class FirstModel:
    def __init__(
        self, ports: Ports, settings: Settings, session: SessionView, editor: Editor, poke: Callable[[], None]
    ) -> None:
        """editor: of the composer. poke: something on the screen has changed."""
        self._ports = ports
        self._settings = settings
        self._session = session
        self._editor = editor
        self._poke = poke
        self._looking = trio.Lock()
        self._left = False
        """The user has closed the choice and chosen nothing."""
        self._settled = False
        """There is nothing more to ask the user."""

    async def resolved(self, model: str, effort: str) -> str:
        """For the status line; where nobody can be had the user is asked, unless they are writing something."""
        if not self._left:
            await self._find(ResolveModel(model=model, effort=effort), busy=lambda: bool(self._editor.text))
        return self._session.name

    async def admits(self) -> bool:
        """A prompt may go out: there is somebody to answer, or it is not for us to say who."""
        unknown = not (self._settled or self._session.name or self._settings.model or self._session.read_only)
        if unknown and (self._session.session_id or not self._settings.resume):
            self._left = False
            wanted = ResolveModel(model=self._settings.model, effort=self._session.effort)
            await self._find(wanted, busy=lambda: False)
            return not self._left
        return True

    async def _find(self, wanted: ResolveModel, busy: Callable[[], bool]) -> None:
        async with self._looking:
            if self._session.name or self._left:
                return
            try:
                model = (await self._ports.mailbox.insist("providers", wanted, ResolvedModel)).model
            except Failed as failure:
                if failure.problem.code != "no_credentials" or self._settings.model:
                    self._settled = True
                    self._ports.say(str(failure), "error")
                    return
                model = "" if busy() else await self._asked()
            if model:
                self._session.name = model
                self._poke()

    async def _asked(self) -> str:
        from ui.screen.first_start.guide import Guide  # once in a life, if at all

        model = await Guide(self._ports, self._settings, lambda text: self._editor.put_before(Draft(text))).run()
        self._left = not model
        return model
