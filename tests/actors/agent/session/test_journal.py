"""A journal whose session another program has got: nothing is acknowledged that is not on disk."""

import pytest
import trio

from actors.agent.session.history import History
from actors.agent.session.journal import Journal
from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.conversation import UserMessage
from tests.fakes.network import open_network

SAID = UserMessage(text="do it", turn_id="p1", prompt_id="p1")
TAKEN = failed("session_in_use", "another program has it.")


async def somebody_elses(mailbox: Mailbox) -> None:
    """A store that has not the session."""
    async for request in mailbox:
        request.fail(TAKEN.problem)


async def test_what_is_said_after_the_session_was_lost_is_refused_also_when_it_could_not_be_closed() -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        network.start("store", somebody_elses)
        journal = Journal(network.mailbox("agent:main"), History("s1"), lambda _entry: None)
        nursery.start_soon(journal.run)
        with pytest.raises(Failed, match="another program"):
            await journal.save(SAID)
        with pytest.raises(Failed, match="another program"):
            await journal.close(TAKEN)
        with pytest.raises(Failed, match="another program"):
            await journal.save(SAID)
        nursery.cancel_scope.cancel()

    assert journal.lost.is_set()
    assert journal.saved == ()
