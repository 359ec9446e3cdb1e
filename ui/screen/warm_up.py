"""What can wait until the first frame is on the screen, and would delay a key: imports, and reading the history."""

import trio

from actors.settings.config import Settings
from ui.screen.composer import history
from ui.screen.composer.history import History
from ui.screen.transcript import prose
from ui.screen.transcript.code import lexer_for
from ui.start import early_keys
from ui.start.fronts import geometry_path

WARM_UP_S = 0.4
"""Imports for markdown and code wait so long after the first key: they would delay those that follow at once."""


async def warm_up(settings: Settings, painted: trio.Event, used: trio.Event, past: History) -> None:
    """painted: the first frame is on the screen. used: there will be an answer to show. past: gets what is stored."""
    await painted.wait()
    if settings.resume:
        await trio.to_thread.run_sync(prose.parser)  # answers are shown at once
    past.extend_back(await trio.to_thread.run_sync(history.read, history.path_for(settings.home, settings.cwd)))
    await trio.to_thread.run_sync(early_keys.sweep, geometry_path(settings))
    await used.wait()  # 4 MB that a screen nobody uses need not hold
    await trio.sleep(WARM_UP_S)
    await trio.to_thread.run_sync(prose.parser)
    await trio.to_thread.run_sync(lexer_for, "python")
