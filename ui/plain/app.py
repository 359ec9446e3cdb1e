"""The plain screen: all that the screen does, with lines for its two ends."""

import os
import signal
import termios
import time
from types import FrameType
from typing import Any

import trio

from actors.mailbox import Mailbox, Request
from actors.messages.system import Signalled
from actors.messages.tool import Choice, UserAnswered, UserAsked
from actors.settings.config import Settings
from supervisor.terminal import Geometry
from ui.plain import lines, replies
from ui.plain.lines import Lines
from ui.plain.scene import PlainScene
from ui.plain.stream import Stream
from ui.screen.app import App
from ui.screen.hand_back import ORPHANED, HandBack
from ui.screen.intents import Leave
from ui.screen.live import Scene
from ui.screen.questions.queue import Answer
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.told import Understood
from ui.screen.terminal.tty import Capabilities
from ui.screen.transcript.blocks import Plain
from ui.start.fronts import Front, geometry_path

STARTED_ANEW = "the screen was restarted"
NOTHING = ""


async def run(mailbox: Mailbox, settings: Settings, front: Front) -> None:
    """Serve until the supervisor is gone or has ended us."""
    path = geometry_path(settings)
    _end_when_orphaned(path)
    app = PlainApp(mailbox, settings, front)
    await app.run()
    if not app.left.is_set():
        lines.end(path, f"\n{ORPHANED}")


def _end_when_orphaned(path: str) -> None:
    """At the supervisor's last signal, which comes when it was killed."""
    supervisor = os.getppid()

    def terminated(_number: int, _frame: FrameType | None) -> None:
        if os.getppid() != supervisor:
            try:
                _echo(shown=True)
                lines.end(path, f"\n{ORPHANED}")
            finally:
                os._exit(0)

    signal.signal(signal.SIGTERM, terminated)


def _echo(*, shown: bool) -> None:
    """Whether the terminal shows what is typed."""
    if os.isatty(0):
        attributes = termios.tcgetattr(0)
        attributes[3] = attributes[3] | termios.ECHO if shown else attributes[3] & ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, attributes)


class PlainHandBack(HandBack):
    def _give_back(self, words: str) -> None:
        lines.end(self._geometry, words)


class PlainApp(App):
    def __init__(self, mailbox: Mailbox, settings: Settings, front: Front) -> None:
        self._lines = Lines(echoed=os.isatty(1))
        self._choice: Choice | None = None
        """What is typed next goes with it."""
        super().__init__(mailbox, settings, front)
        self._hand_back = PlainHandBack(mailbox, front, geometry_path(settings), self._painter, self._drafts)

    def _understood(self) -> Understood:
        return Understood(bell=super()._understood().bell)

    def _ends(self, before: Geometry, can: Capabilities) -> tuple[Stream, Lines]:  # noqa: ARG002  # nothing is drawn
        self._stream = Stream(self.leave, utf8=can.utf8)
        return self._stream, self._lines

    def _scene(self, can: Capabilities, theme: Theme) -> Scene:  # noqa: ARG002  # of no terminal
        return PlainScene(
            shown=self._shown,
            controls=self._controls,
            around=self._around,
            theme=Theme(colour=False),
            moving=False,
            prompts=os.isatty(1),
            writing=lambda: self._controls.questions.current is not None and self._taking is not None,
        )

    @property
    def _tasks(self) -> tuple[Any, ...]:
        return (self._painter.run, self._following.run, self._keys, self._draft)

    async def _take_terminal(self) -> bytes:
        if (saved := self._front.attributes) is not None:  # as it was before a screen that has failed too often
            termios.tcsetattr(0, termios.TCSANOW, saved)
        self._controls.layers.clear()  # a list over the composer cannot be seen here
        self._controls.vi = None  # lines are edited by the terminal
        if self._again:
            _echo(shown=True)  # it may have died with a key being typed
            self.say(STARTED_ANEW)
        else:
            self._session.say(Plain(self._front.header))
        return b""

    # what is typed

    async def _keys(self) -> None:
        with self._reading:
            while (line := await self._stream.line()) is not None:
                self._take_line(line)
            self._do(Leave())
            await trio.sleep_forever()

    def _take_line(self, line: str) -> None:
        self._used.set()
        now = time.monotonic()
        questions = self._controls.questions
        listens = questions.secret or now >= questions.listens_at(float("-inf"))  # a key is never a prompt
        is_answer = questions.current is not None and listens
        if is_answer and not (line.startswith("/") and self._taking is None):
            self._lines.answered("")
            self._answer(line)
        else:
            self._compose(line)
        self._drafts.poke()
        self._painter.poke(urgent=True)

    def _compose(self, line: str) -> None:
        """A line of its own, or the next one of a prompt; of a paste all of them."""
        editor = self._controls.editor
        whole = line if line.startswith(("/", "!")) else "\n".join([line, *self._stream.more()])
        self._lines.answered(whole.strip())
        if whole and not (editor.attached or editor.text.endswith("\n")):
            editor.clear()
        editor.paste(whole)
        self._act(self._controls.enter())

    def _answer(self, line: str) -> None:
        questions = self._controls.questions
        question, number = questions.current, questions.number
        if question is None or number is None:
            return
        if (choice := self._taking) is not None:
            self._choice = None
            if line.strip():
                self._give(Answer(number, choice.id, line.strip()), choice)
            elif choice.secret:
                self._act([Answer(number, question.escape)])
            return
        reply = replies.meant(question, line)
        if reply is None:
            self.say(replies.NONE_OF_THEM, "warning")
        elif reply.choice is None:
            self._act([Answer(number, question.escape)])
        elif reply.choice.takes_text and not reply.text:
            self._choice = reply.choice
        else:
            self._give(Answer(number, reply.choice.id, reply.text), reply.choice)

    @property
    def _taking(self) -> Choice | None:
        """What is typed next goes with this one."""
        questions = self._controls.questions
        return questions.choice if questions.secret else self._choice

    async def _ask(self, question: UserAsked) -> UserAnswered:
        if not any(choice.secret for choice in question.choices):
            return await super()._ask(question)
        _echo(shown=False)
        try:
            return await super()._ask(question)
        finally:
            _echo(shown=True)

    def _give(self, answer: Answer, choice: Choice) -> None:
        questions = self._controls.questions
        if questions.must_be_read and not (questions.reading.whole or choice.refuses):
            self.say(replies.UNSEEN, "warning")
        else:
            self._act([answer])

    def _take(self, request: Request) -> None:
        super()._take(request)
        if isinstance(request.message, Signalled) and (hint := self._controls.hint(time.monotonic())):
            self.say(hint)
