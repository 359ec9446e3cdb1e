"""What is being written, in the user's own editor: that one has the terminal meanwhile, and is part of our job."""

import os
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trio
from msgspec.structs import replace

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import TerminalLent
from supervisor.terminal import GeometryFile, lend
from ui.screen.controls import Controls
from ui.screen.paint import Painter
from ui.screen.sending.drafts import Drafts
from ui.screen.terminal.tty import take_over
from ui.start.fronts import Front

SUFFIX = ".draft.md"
"""Of the file, behind the name of the geometry file."""
USUAL = ("sensible-editor", "nano", "vi")
"""Where the user names none."""
NONE = "there is no editor: set VISUAL or EDITOR to one, such as EDITOR=nano, and start trouper again"
AS_IT_WAS = "what you had written is as it was"


@dataclass
class OutsideEditor:
    mailbox: Mailbox
    front: Front
    painter: Painter
    drafts: Drafts
    controls: Controls
    geometry: str
    """Path of the file that says where the live rows are."""
    say: Callable[[str, str], None]
    """text, level."""
    _under_way: bool = False

    async def edit(self) -> None:
        """A later life of a screen that was killed meanwhile has the draft as it was before."""
        command = command_of(os.environ)
        if self._under_way:
            return
        if not command:
            self.say(NONE, "warning")
            return
        self._under_way = True
        try:
            await self.drafts.save_soon()
            await self._change(command)
        except (OSError, UnicodeDecodeError, ValueError) as error:
            self.say(f"{command[0]} did not work: {error}; {AS_IT_WAS}", "warning")
        except Failed as error:
            self.say(f"the terminal cannot be lent: {error}", "warning")
        finally:
            self._under_way = False

    async def _change(self, command: list[str]) -> None:
        """Raises OSError, Failed, and UnicodeDecodeError or ValueError for what is no text."""
        editor, path = self.controls.written, self.geometry + SUFFIX
        questions, note = self.controls.questions, self.controls.questions.begun
        before = editor.shown(editor.text)
        with _file(path, before):
            code = await self._run([*command, path])
            after = _read(path) if code == 0 else before
        if code:
            self.say(f"{command[0]} ended with {code}; {AS_IT_WAS}", "warning")
        elif after != before:
            editor.take_back(after if before.endswith("\n") else after.removesuffix("\n"))
            if editor not in (self.controls.editor, questions.text):  # its question was withdrawn meanwhile
                questions.bring_back(replace(note, draft=editor.draft))
            self.drafts.poke()

    async def _run(self, command: list[str]) -> int:
        """Its exit code. Raises OSError and Failed."""
        failed: list[OSError] = []
        code = 0
        async with self.painter.aside() as tty:
            with tty.lent():
                await self.mailbox.ask("supervisor", TerminalLent(lent=True), Done)
                self._note_that_it_has_the_screen()
                lend(self.front.attributes)
                try:
                    with _signals_as_usual():
                        code = (await trio.run_process(command, stdin=None, check=False)).returncode
                except OSError as error:
                    failed.append(error)
                modes = take_over(self.front.attributes, painted=False)
                await tty.write(modes)
                await self.mailbox.ask("supervisor", TerminalLent(lent=False), Done)
        if failed:
            raise failed[0]
        return code

    def _note_that_it_has_the_screen(self) -> None:
        """If we die, the supervisor ends it and leaves the alternate screen, where editors are."""
        file = GeometryFile(self.geometry)
        note = file.read()
        note.pager = True
        file.store(note)


@contextmanager
def _signals_as_usual() -> Iterator[None]:
    """For the program that is started: what we ignore it would ignore, too; what we handle it does not."""
    before = [(number, signal.signal(number, lambda *_: None)) for number in (signal.SIGINT, signal.SIGQUIT)]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@contextmanager
def _file(path: str, text: str) -> Iterator[None]:
    """For its user's eyes alone, and gone afterwards. Raises OSError."""
    Path(path).unlink(missing_ok=True)  # of an earlier life
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
            file.write(text)
        yield
    finally:
        Path(path).unlink(missing_ok=True)


def _read(path: str) -> str:
    """Raises OSError, UnicodeDecodeError."""
    return Path(path).read_bytes().decode()


def command_of(environ: Mapping[str, str]) -> list[str]:
    """The user's editor; empty where there is none."""
    for variable in ("VISUAL", "EDITOR"):
        if named := environ.get(variable, "").strip():
            try:
                return shlex.split(named)
            except ValueError:
                return [named]
    return next(([usual] for usual in USUAL if shutil.which(usual)), [])
