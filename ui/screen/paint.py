"""When to draw: keys at once, all else at most 40 times a second, nothing at all when nothing changes.

Painting waits while the terminal is being resized, and while it takes no output; nothing else waits for it.
"""

import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

import trio

from supervisor.terminal import SHAPE_OFF, Geometry, GeometryFile
from ui.screen.live import Scene
from ui.screen.terminal.alternate import LEAVE, AlternateScreen
from ui.screen.terminal.keys import Report
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.renderer import Renderer, Resized
from ui.screen.terminal.told import Told, Understood
from ui.screen.terminal.tty import CURSOR_QUESTION, SIZE_QUESTION, Capabilities, Tty, clipboard
from ui.screen.transcript.open_answer import Mark

FRAME_S = 1 / 40
"""Less than an agent leaves between two texts (actors.agent.session.watchers): so each is drawn as it comes, in the
same wake-up, where two clocks of one pace would be out of step.
"""
SLOW_FRAME_S = 1 / 10
"""For a terminal that takes long to take a frame."""
RESIZE_TRIES = 3
"""For a terminal that says it has another size already, and is not resized to it then."""
PORTION = 8000
"""Characters that are heard before they are drawn."""
PIECES = 300
"""For the scrollback in one frame."""
ASIDE_S = 1.0
"""For a terminal that takes no output when its user wants to have it back."""


@dataclass(frozen=True)
class Canvas:
    """Where to draw, and where to note what has been drawn."""

    tty: Tty
    renderer: Renderer
    geometry: GeometryFile
    can: Capabilities


class Cover(Protocol):
    """What has the whole screen for a while, on the alternate one."""

    def rows(self, width: int, height: int) -> tuple[list[str], tuple[int, int]]:
        """As many as the screen is high, and where the cursor is."""


def ends_of_terminal(before: Geometry, can: Capabilities) -> tuple[Tty, Renderer]:
    """before: what an earlier life has drawn, or the launcher."""
    terminal = Tty(utf8=can.utf8)
    width, height = (before.width, before.height) if before.rows else terminal.size()
    return terminal, Renderer(width, height, above=before.above, rows=before.rows)


class Painter:
    """Draws the scene on the canvas."""

    def __init__(self, canvas: Canvas, scene: Scene, understands: Understood) -> None:
        self._canvas = canvas
        self.scene = scene
        self._dirty = trio.Event()
        self._urgent = trio.Event()
        self._cursor = trio.Event()
        self._caret: int | None = None
        self._told_size: tuple[int, int] | None = None
        self._resized = trio.Event()
        self._over = False
        self._painted_at = float("-inf")
        self._writing = trio.Lock()
        self._told = Told(understands)
        self._call = ""
        self._undrawn, self._drawn = 0, trio.Event()
        self._cover: Cover | None = None
        self._alternate: AlternateScreen | None = None
        """While it is on."""
        self._copied = ""
        self._shape = 0
        """Of the cursor, as DECSCUSR has it; 0: the terminal's own."""
        self.first = trio.Event()
        """The first frame is on the screen."""

    def poke(self, *, urgent: bool = False) -> None:
        """Something has changed."""
        self._dirty.set()
        if urgent:
            self._urgent.set()

    def repaint(self) -> None:
        """The visible page, as after a resize."""
        self._resized.set()
        self.poke(urgent=True)

    def call(self, why: str) -> None:
        """Somebody who looks elsewhere, with the next frame."""
        self._call = self._told.call(why)
        self.poke()

    def to_clipboard(self, text: str) -> None:
        """Of whoever looks at the terminal, with the next frame."""
        self._copied = clipboard(text)
        self.poke()

    def show(self, piece: Piece) -> None:
        """Something of the program itself."""
        self.scene.shown.say(piece)
        self.poke()

    async def winches(self) -> None:
        """Be told of every new size of the terminal."""
        with trio.open_signal_receiver(signal.SIGWINCH) as signals:
            async for _ in signals:
                self._resized.set()
                self.poke(urgent=True)

    def told(self, report: Report) -> None:
        """By the terminal: its size, then where the cursor is."""
        if report.kind == "size":
            self._told_size = report.numbers[1], report.numbers[0]
        else:
            self._caret = report.numbers[0]
            self._cursor.set()

    async def run(self) -> None:
        while not self._over:
            await self._paint()
            self.first.set()
            await self._next()

    async def _paint(self) -> None:
        async with self._writing:
            if self._over:
                return
            renderer, tty = self._canvas.renderer, self._canvas.tty
            if self._cover is not None:
                await self._paint_cover(self._cover)
                return
            await self._uncover()
            while tty.size() != (renderer.width, renderer.height) or self._resized.is_set():
                await self._resize()
            scene = self.scene
            fresh, mark = scene.shown.take(PIECES)
            view = scene.view(renderer.width, renderer.height, time.monotonic())
            frame = renderer.frame(fresh, view, scene.theme) + self._shaped()
            await self._write(frame + self._beside(), mark)
            self._painted_at = time.monotonic()
            self._all_drawn()
            if tty.size() == (renderer.width, renderer.height):
                scene.controls.questions.painted(self._painted_at)

    def _all_drawn(self) -> None:
        self._undrawn = 0
        self._drawn.set()
        self._drawn = trio.Event()
        if self.scene.shown.waits:
            self.poke(urgent=True)

    async def catch_up(self, heard: int) -> None:
        """So many characters are to be drawn: what is more than a frame can take waits, unless the terminal is slow."""
        self._dirty.set()
        self._undrawn += heard
        if self._undrawn >= PORTION and not (self._over or self._writing.locked() or self._cover):
            self.poke(urgent=True)
            with trio.move_on_after(SLOW_FRAME_S):
                await self._drawn.wait()

    def _shaped(self) -> str:
        """For a mode of the composer that is another one than before."""
        before, self._shape = self._shape, self.scene.cursor_shape
        return "" if self._shape == before else f"\x1b[{self._shape} q"

    def _beside(self) -> str:
        """What goes to the terminal and is not on the screen."""
        (call, self._call), (copied, self._copied) = (self._call, ""), (self._copied, "")
        return self._told.news(self.scene.title, goes_on=self.scene.session.working) + call + copied

    def cover(self, cover: Cover | None) -> None:
        """With this from the next frame on; None: with nothing any more. What is said meanwhile waits."""
        self._cover = cover
        self.poke(urgent=True)

    async def _paint_cover(self, cover: Cover) -> None:
        tty, note = self._canvas.tty, self._canvas.geometry
        self.scene.controls.questions.covered()
        before, during = note.read(), note.read()
        during.pager = True
        alternate = self._alternate = self._alternate or AlternateScreen()
        size = tty.size()
        frame = alternate.frame(*cover.rows(*size), size) + self._beside()
        during.titled, during.goes_on = self._told.title != "", self._told.goes_on
        await tty.write(frame, lambda whole: note.store(during if whole or before.pager else before))
        self._painted_at = time.monotonic()

    async def _uncover(self) -> None:
        """The main screen is there again, as it was; at another size it is drawn anew with the next frame."""
        if self._alternate is None:
            return
        self._alternate, note = None, self._canvas.geometry
        await self._canvas.tty.write(LEAVE)
        after = note.read()
        after.pager = False
        note.store(after)

    async def leave(self) -> None:
        """Blank live rows: the end."""
        self._over = True
        self._cursor.set()  # nobody reads an answer any more
        async with self._writing:
            self.scene.session.let_notes_go()
            await self._give_way()
        self.poke(urgent=True)

    @asynccontextmanager
    async def aside(self) -> AsyncIterator[Tty]:
        """Nothing is drawn, and nothing live is on the screen, as long as somebody else has the terminal."""
        async with self._writing:
            with trio.move_on_after(ASIDE_S):
                await self._give_way()
            yield self._canvas.tty
            self.scene.controls.questions.covered()
        self.poke(urgent=True)

    async def _give_way(self) -> None:
        self._cover = None
        await self._uncover()
        fresh, mark = self.scene.shown.take()
        shape, self._shape = SHAPE_OFF if self._shape else "", 0
        undone = shape + self._told.taken_back()
        await self._write(self._canvas.renderer.give_way(fresh, self.scene.theme) + undone, mark)

    async def _next(self) -> None:
        """Until there is something to draw and it is time to."""
        now = time.monotonic()
        wakes_at = self.scene.controls.wakes_at(now)
        pause = self.scene.still_for(self._canvas.can.spin_s)
        if self._cover is not None:
            pause = wakes_at = float("inf")
        with trio.move_on_after(min(pause, max(wakes_at - now, 0.0))):
            await self._dirty.wait()
        interval = SLOW_FRAME_S if self._canvas.tty.slow else FRAME_S
        if (left := self._painted_at + interval - time.monotonic()) > 0:
            with trio.move_on_after(left):
                await self._urgent.wait()
        self._dirty, self._urgent = trio.Event(), trio.Event()

    async def _resize(self) -> None:
        """Wait until nobody drags any more, draw the visible page again, and ask whether it still has that size."""
        size, tries = await self._settle(), 1
        while self._resized.is_set() or (self._tells_another(size) and tries < RESIZE_TRIES):
            tries = 1 if self._resized.is_set() else tries + 1
            size = await self._settle()
        answers = self._told_size is not None and not self._tells_another(size)
        self._urgent = trio.Event()  # what was urgent is drawn with this
        view = self.scene.view(*size, time.monotonic())
        new = Resized(*size, self._caret, self._canvas.can.reflows)
        await self._write(self._canvas.renderer.resize(new, view, self.scene.theme), self._noted())
        with trio.move_on_after(self._canvas.can.settle_s):  # what comes is not drawn into the middle of a slow drag
            await self._urgent.wait()
        if answers and not self._resized.is_set():  # else it never does, or tells what never becomes true
            await self._ask()
            if self._tells_another(size):
                self._resized.set()

    async def _settle(self) -> tuple[int, int]:
        """The size that was told last. The terminal is asked, too, as it may tell late; and where the cursor is."""
        settled = False
        while not settled:
            self._resized = trio.Event()
            with trio.move_on_after(self._canvas.can.settle_s) as quiet:
                await self._resized.wait()
            settled = quiet.cancelled_caught
        size = self._canvas.tty.size()
        await self._ask()
        return size

    async def _ask(self) -> None:
        """The terminal, for its size and the place of its cursor."""
        self._cursor, self._caret, self._told_size = trio.Event(), None, None
        if not self._over:
            await self._canvas.tty.write(SIZE_QUESTION + CURSOR_QUESTION)
            with trio.move_on_after(self._canvas.can.answer_s):
                await self._cursor.wait()

    def _tells_another(self, size: tuple[int, int]) -> bool:
        """tmux (3.3a) tells columns before rows, others tell it as xterm does."""
        return self._told_size not in (None, size, size[::-1])

    def _noted(self) -> Mark:
        """What is in the scrollback by the note."""
        before = self._canvas.geometry.read()
        return Mark(before.last, before.shown, before.chars, before.crc, before.notes)

    async def _write(self, frame: str, mark: Mark) -> None:
        """With a note of what is on the screen by it, see ui/DECISIONS: crash contract."""
        note = self._canvas.geometry
        before = note.read()
        during = self._geometry(self._noted())
        await self._canvas.tty.write(frame, lambda whole: note.store(during if whole else before))
        note.store(self._geometry(mark))

    def _geometry(self, mark: Mark) -> Geometry:
        renderer, geometry = self._canvas.renderer, Geometry()
        geometry.above, geometry.rows = renderer.above, renderer.rows
        geometry.width, geometry.height = renderer.width, renderer.height
        geometry.painted, geometry.shaped = True, self._shape != 0
        geometry.titled, geometry.goes_on = self._told.title != "", self._told.goes_on
        geometry.last, geometry.shown, geometry.notes = mark.last, mark.shown, mark.notes
        geometry.chars, geometry.crc = mark.chars, mark.crc
        return geometry
