"""What a long command says and where it stands: drawn on a terminal, or lines only where there is none."""

import os
import signal
from collections.abc import Callable, Mapping

import trio

from ui.batch.live.terminal import Line, Terminal
from ui.common.harmless import one_line
from ui.headless.stdout import STDERR, say
from ui.screen.terminal.theme import Theme

EVERY_S = 0.25
Rows = Callable[[tuple[int, int], Theme], list[str]]
"""Of columns and rows of the terminal: where it stands, in fewer rows and none wider; none: nothing yet."""


class Display:
    def __init__(self, environ: Mapping[str, str], descriptor: int = STDERR) -> None:
        """descriptor: of where it is shown, where that is a terminal."""
        self._said: list[Line] = []
        self._terminal = _terminal(environ, descriptor)

    @property
    def is_drawn(self) -> bool:
        """On a terminal."""
        return self._terminal is not None

    def say(self, text: str) -> None:
        """A line, for good."""
        if self._terminal is None:
            say(one_line(text))
        else:
            self._said.append(Line(one_line(text)))

    async def run(self, rows: Rows) -> None:
        """Until cancelled; then all is written that was said, and the rows are gone."""
        if (terminal := self._terminal) is None:
            await trio.sleep_forever()
            return
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_come_back, terminal)
                while True:
                    if terminal.look():
                        self._draw(terminal, rows(terminal.size, terminal.theme))
                    await trio.sleep(EVERY_S)
        finally:
            await self._leave(terminal)

    def _draw(self, terminal: Terminal, rows: list[str]) -> None:
        said, self._said = self._said, []
        terminal.draw(said, rows)

    async def _leave(self, terminal: Terminal) -> None:
        """From now on lines only."""
        self._terminal = None
        terminal.draw(self._said, [])
        await terminal.close()


def _terminal(environ: Mapping[str, str], descriptor: int) -> Terminal | None:
    if not os.isatty(descriptor) or environ.get("TERM", "") in {"", "dumb"}:
        return None
    try:
        return Terminal(descriptor, environ)
    except OSError:
        return None  # of another user, after su


async def _come_back(terminal: Terminal) -> None:
    """After Ctrl-Z and fg the shell has written below our rows."""
    with trio.open_signal_receiver(signal.SIGCONT) as signals:
        async for _ in signals:
            terminal.forget()
