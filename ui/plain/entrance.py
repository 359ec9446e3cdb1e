"""The front of an interactive session: the screen, or the same as lines where that is wanted or cannot be helped."""

import msgspec

from actors.mailbox import Mailbox
from actors.settings.config import Settings
from ui.screen import app as screen
from ui.start.fronts import Front

MOST_FAILURES = 3
"""Of the screen by its own fault, not long ago: from then on it is drawn no more. See ui/DECISIONS: lines."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """Serve until the supervisor is gone or has ended us."""
    front = msgspec.msgpack.decode(settings.front, type=Front)
    if front.plain or mailbox.failures >= MOST_FAILURES:
        from ui.plain import app as plain

        await plain.run(mailbox, settings, front)
    else:
        await screen.run(mailbox, settings)
