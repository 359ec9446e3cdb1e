"""An actor of a kind with a template of its own, and a scene for the supervisor's own tests with several of them."""

import os
import signal

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import StartActor
from actors.messages.turn import Notice
from actors.settings.config import Settings
from supervisor.child_spec import ChildSpec
from tests.fakes.deaths import say
from tests.fakes.front import QUESTION, Front

IMPORTED_BY = os.getpid()
"""The template, where there is one."""
HEAVY = (ChildSpec(name="heavy:*", entry="tests.fakes.heavy:heavy", template=("tests.fakes.heavy",)),)


async def heavy(mailbox: Mailbox, settings: Settings) -> None:
    """Answers with who has imported this."""
    async for request in mailbox:
        request.reply(Notice(text=f"{IMPORTED_BY} {settings.session_id}"))


async def of_a_kind(front: Front) -> None:
    async def started(name: str) -> tuple[int, bool]:
        """Who has imported it, and whether that is it itself. It has the session's own settings."""
        await front.mailbox.ask("supervisor", StartActor(name=name), Done)
        by, session = (await front.mailbox.insist(name, QUESTION, Notice)).text.split()
        assert session == "of_a_kind"
        return int(by), int(by) == await front.pid(name)

    one, two = await started("heavy:1"), await started("heavy:2")
    say(shared=one[0] == two[0], by_itself=[one[1], two[1]])
    await front.mailbox.ask("supervisor", StartActor(name="heavy:1"), Done)
    await front.echo()
    if not one[1]:
        os.kill(one[0], signal.SIGKILL)
    three, four = await started("heavy:3"), await started("heavy:4")
    say(anew=four[0] != one[0], alive=[two[0] == (await started("heavy:2"))[0], three[0] != one[0]])
    os.kill(await front.pid("heavy:4"), signal.SIGKILL)
    await front.until(lambda tree: any((it.name, it.restarts) == ("heavy:4", 1) for it in tree.actors))
    await front.mailbox.insist("heavy:4", QUESTION, Notice)
