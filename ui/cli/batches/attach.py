"""`trouper batch attach`: look on while another program runs a batch, from wherever, until it ends."""

import os
from collections.abc import Sequence
from functools import partial

import msgspec
import trio

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.settings.config import Settings
from ui.batch.live.display import Display
from ui.batch.live.standing import Standing
from ui.batch.live.table import living
from ui.batch.live.visitor import Visit, visit
from ui.batch.live.words import Ended, NobodyThere, Said
from ui.cli.batches import meant
from ui.cli.batches.meant import Meant
from ui.headless import one_answer
from ui.start.launch_state import Launch
from ui.start.session_run import supervise

EXAMPLES = """  trouper batch attach latest           Ctrl-C leaves it; the batch goes on
"""
AGAIN_S, TRIES = 0.5, 20
"""How often its program is looked for, when its front has died and comes back."""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    about = "Look on while another program runs a batch; changes nothing. Its exit code is the batch's."
    options = meant.parser("attach", about, EXAMPLES).parse_args(arguments)
    return supervise(meant.begun("ui.cli.batches.attach:run", options, launch))


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    await one_answer.run(mailbox, partial(_look_on, settings))


class _Latest:
    standing: Standing | None = None


async def _look_on(settings: Settings) -> int:
    front = msgspec.msgpack.decode(settings.front, type=Meant)
    display, latest = Display(os.environ), _Latest()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(display.run, living(lambda: latest.standing))
        try:
            code = await _follow(settings.home, front.run_id, display, latest)
        finally:
            nursery.cancel_scope.cancel()
    if code is None:
        why = f"no program runs the batch {front.run_id} now."
        raise failed("gone", why, f"See: trouper batch status {front.run_id}")
    return code


async def _follow(home: str, run_id: str, display: Display, latest: _Latest) -> int | None:
    """The code that its program ended with; None: it was killed, or there is none."""
    tries = 1
    while tries:
        try:
            async with visit(home, run_id) as there:
                if (code := await _hear(there, display, latest)) is not None:
                    return code
                tries = TRIES
        except NobodyThere:
            tries -= 1
            await trio.sleep(AGAIN_S if tries else 0)
    return None


async def _hear(there: Visit, display: Display, latest: _Latest) -> int | None:
    while (word := await there.word()) is not None:
        match word:
            case Standing():
                if latest.standing is None:
                    display.say(f"looking on at batch {word.run_id}; Ctrl-C leaves it, and it goes on")
                latest.standing = word
            case Said(text=text):
                display.say(text)
            case Ended(code=code):
                return code
            case _:
                pass
    return None
