"""`trouper batch cancel`: ask the program that runs a batch to pause in order, and wait until it has."""

import os
from collections.abc import Sequence
from functools import partial

import msgspec

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.settings.config import Settings
from ui.batch.live.visitor import pause
from ui.batch.live.words import NobodyThere
from ui.cli.batches import meant
from ui.cli.batches.meant import Meant
from ui.common.exit_codes import DONE
from ui.headless import one_answer
from ui.headless.stdout import say
from ui.start.launch_state import Launch
from ui.start.session_run import supervise

EXAMPLES = """  trouper batch cancel latest           what has ended is kept; trouper batch --resume goes on
"""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    about = "Ask the program that runs a batch to pause in order, as Ctrl-C there does, and wait until it has."
    options = meant.parser("cancel", about, EXAMPLES).parse_args(arguments)
    return supervise(meant.begun("ui.cli.batches.cancel:run", options, launch))


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    await one_answer.run(mailbox, partial(_cancel, settings))


async def _cancel(settings: Settings) -> int:
    front = msgspec.msgpack.decode(settings.front, type=Meant)
    see = f"See: trouper batch status {front.run_id}"
    try:
        ended = await pause(settings.home, front.run_id, f"trouper batch cancel (process {os.getppid()})", say)
    except NobodyThere as why:
        raise failed("gone", f"the batch {front.run_id} cannot be paused: {why}", see) from why
    if ended is None:
        raise failed("gone", "its program was killed before it had paused.", see)
    say(f"paused; to go on: trouper batch --resume {front.run_id}")
    return DONE
