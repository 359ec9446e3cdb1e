"""A session is thrown away, and what is said of it: the same on the screen and by `trouper sessions delete`."""

from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import SessionSummary, TrashSession
from ui.common import harmless

SHORT = 8
"""Characters of an id."""


async def throw_away(mailbox: Mailbox, one: SessionSummary) -> str:
    """To the trash; returns what to tell. Raises Failed, such as session_in_use."""
    try:
        await mailbox.insist("store", TrashSession(session_id=one.session_id), Done)
    except Failed as failure:
        if failure.problem.code != "session_in_use":
            raise
        raise failed("session_in_use", failure.problem.text, "It is not deleted: close it there first.") from failure
    return f"{called(one)} is deleted. Have it back with: trouper sessions restore {short_id(one)}"


def called(one: SessionSummary) -> str:
    return harmless.one_line(f"session {short_id(one)} ({one.name or harmless.one_line(one.title)})")


def short_id(one: SessionSummary) -> str:
    """Those of one batch begin alike: of them it is the whole id."""
    return one.session_id if "-" in one.session_id else one.session_id[:SHORT]
