"""A session of another folder: how it is gone on with there. What it may and where it runs hang on its folder."""

import os
import shlex

import trio

from actors.messages.store import SessionSummary
from ui.common import harmless
from ui.screen.sessions.deletion import short_id

OTHER = "that session belongs to another folder, with its own settings and trust"


def is_elsewhere(one: SessionSummary, cwd: str) -> bool:
    """That of a subagent is its parent's, also where it has worked in a copy of the folder."""
    return one.cwd != cwd and "." not in one.session_id


async def how_to_go_on(one: SessionSummary) -> tuple[str, str]:
    """What to tell, and the command line in it that leads there; "" where none can be given."""
    there = harmless.exposed_line(one.cwd)
    if not await trio.to_thread.run_sync(os.path.isdir, one.cwd, abandon_on_cancel=True):
        show = f"trouper sessions show {shlex.quote(short_id(one))}"
        return f"{OTHER}, and the folder is not there any more: {there}. What was said: {show}", ""
    if there != one.cwd:
        return f"{OTHER}, whose name cannot be shown as it is: {there}. Start there: trouper -r {short_id(one)}", ""
    command = f"cd {shlex.quote(one.cwd)} && trouper -r {shlex.quote(short_id(one))}"
    return f"{OTHER}. Go on there with this line, which is sent to the clipboard of your terminal: {command}", command
