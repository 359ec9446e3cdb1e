"""The terminal goes back to the shell: for good when the supervisor was killed, for a while on Ctrl-Z."""

import os
import signal

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import Suspend
from supervisor.terminal import lend, put_in_order
from ui.screen.drafts import Drafts
from ui.screen.paint import Painter
from ui.screen.terminal.tty import take_over
from ui.start.fronts import Front

ORPHANED = "trouper ended without warning; nothing that was acknowledged is lost: trouper -c goes on"
DRAFT_S = 0.5
"""For the store to take what is being typed."""
BACKGROUND_S = 0.2
"""Between two looks whether the job is in the foreground again: no signal says so of one that runs."""


def end_now(front: Front, path: str) -> None:
    """The supervisor was killed: give the terminal back and be gone."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it tells the same; in the middle of this it would end us unsaid
    try:
        put_in_order(front.attributes, path, ORPHANED)
    finally:
        os._exit(0)  # also when the terminal went with the supervisor: an error here would land anywhere in the loop


class HandBack:
    def __init__(self, mailbox: Mailbox, front: Front, painter: Painter, drafts: Drafts) -> None:
        self._mailbox = mailbox
        self._front = front
        self._painter = painter
        self._drafts = drafts
        self._under_way = False

    async def suspend(self) -> None:
        """Until the shell goes on with the job; where there is no job control the screen is only drawn anew."""
        if self._under_way:
            return
        self._under_way = True
        await self._keep_draft()
        async with self._painter.aside() as tty:
            with tty.lent():
                lend(self._front.attributes)
                await self._mailbox.ask("supervisor", Suspend(), Done)
                while os.tcgetpgrp(0) != os.getpgrp():  # noqa: ASYNC110  # `bg`: it goes on without its screen
                    await trio.sleep(BACKGROUND_S)
                modes = take_over(self._front.attributes, painted=False)
                await tty.write(modes)
        self._under_way = False

    async def _keep_draft(self) -> None:
        """Whoever kills the stopped screen must not lose it."""
        with trio.move_on_after(DRAFT_S):
            try:
                await self._drafts.save()
            except Failed:
                return  # who keeps drafts says so
