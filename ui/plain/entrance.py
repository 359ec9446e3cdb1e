"""The front of an interactive session: the screen, or the same as lines where that is wanted or cannot be helped."""

import msgspec

from actors.mailbox import Mailbox
from actors.settings.config import Settings
from ui.screen.app import App
from ui.screen.hand_back import end_now, end_when_orphaned
from ui.start.fronts import Front, geometry_path

MOST_FAILURES = 3
"""Of the screen by its own fault, not long ago: from then on it is drawn no more. See ui/DECISIONS: lines."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """Serve until the supervisor is gone or has ended us."""
    front = msgspec.msgpack.decode(settings.front, type=Front)
    if front.plain or mailbox.failures >= MOST_FAILURES:
        from ui.plain import app as plain

        await plain.run(mailbox, settings, front)
    else:
        await _drawn(mailbox, settings, front)


async def _drawn(mailbox: Mailbox, settings: Settings, front: Front) -> None:
    path = geometry_path(settings)
    end_when_orphaned(front, path)
    app = App(mailbox, settings, front)
    await app.run()
    if not app.left.is_set():
        end_now(front, path)
