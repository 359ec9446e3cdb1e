"""The terminal goes back to the shell: for good at the end or when the supervisor was killed, for a while on Ctrl-Z."""

import os
import signal
from types import FrameType

import trio

from actors.common.budget import in_words
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import Exit, Suspend
from supervisor.terminal import lend, put_in_order
from ui.common.exit_codes import DONE, USAGE
from ui.screen.paint import Painter
from ui.screen.sending.drafts import Drafts
from ui.screen.session_view import SessionView
from ui.screen.terminal.tty import take_over
from ui.screen.transcript.arrival import ID_SHOWN
from ui.start.fronts import Front

ORPHANED = "trouper ended without warning; nothing that was acknowledged is lost: trouper -c goes on"
LEAVE_S = 1.0
"""For a terminal that takes no output when we leave."""
BACKGROUND_S = 0.2
"""Between two looks whether the job is in the foreground again: no signal says so of one that runs."""


def end_now(front: Front, path: str) -> None:
    """The supervisor was killed: give the terminal back and be gone."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it tells the same; in the middle of this it would end us unsaid
    try:
        put_in_order(front.attributes, path, ORPHANED)
    finally:
        os._exit(0)  # also when the terminal went with the supervisor: an error here would land anywhere in the loop


def end_when_orphaned(front: Front, path: str) -> None:
    """At the supervisor's last signal, which comes when it was killed."""
    supervisor = os.getppid()

    def terminated(_number: int, _frame: FrameType | None) -> None:
        if os.getppid() != supervisor:  # else it was for the whole job, and the supervisor says what to do
            end_now(front, path)

    signal.signal(signal.SIGTERM, terminated)


class HandBack:
    def __init__(self, mailbox: Mailbox, front: Front, geometry: str, painter: Painter, drafts: Drafts) -> None:
        """geometry: path of the file that says where the live rows are."""
        self._mailbox = mailbox
        self._front = front
        self._geometry = geometry
        self._painter = painter
        self._drafts = drafts
        self._under_way = False

    async def for_good(self, why: str, session: SessionView) -> None:
        """why: there is nothing to be done here."""
        with trio.move_on_after(LEAVE_S):
            await self._painter.leave()
        self._give_back(why or self._last_words(session))
        self._mailbox.tell("supervisor", Exit(code=USAGE if why else DONE))

    def _last_words(self, session: SessionView) -> str:
        """What it has cost, and how to go on."""
        which = f"-r {session.session_id[:ID_SHOWN]}" if session.switched else "-c"
        go_on = f"trouper {which} goes on with this session" if session.prompted and self._front.resumable else ""
        return " · ".join(filter(None, [in_words(session.used), go_on]))

    def _give_back(self, words: str) -> None:
        put_in_order(self._front.attributes, self._geometry, words)

    async def suspend(self) -> None:
        """Until the shell goes on with the job; where there is no job control the screen is only drawn anew."""
        if self._under_way:
            return
        self._under_way = True
        await self._drafts.save_soon()
        async with self._painter.aside() as tty:
            with tty.lent():
                lend(self._front.attributes)
                await self._mailbox.ask("supervisor", Suspend(), Done)
                while os.tcgetpgrp(0) != os.getpgrp():  # noqa: ASYNC110  # `bg`: it goes on without its screen
                    await trio.sleep(BACKGROUND_S)
                modes = take_over(self._front.attributes, painted=False)
                await tty.write(modes)
        self._under_way = False
