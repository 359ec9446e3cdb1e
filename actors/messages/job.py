"""Commands that run on in the background: what the screen asks the gate about them, and the gate its workers."""

import msgspec

from actors.messages.base import Message

MOST_SHOWN = 4000
"""Characters of the last output of a job."""


class JobIs(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    line: str
    """As it was written."""
    seconds: float
    """So long it has run, or ran."""
    printed: int
    """Bytes."""
    ended: str = ""
    """How, in words; "" while it runs."""
    ports: tuple[int, ...] = ()
    """TCP ports that its processes listen on."""
    apart: bool = False
    """They are the sandbox's own, and none of this machine's."""
    output: str = ""
    """The end of what it has printed; at most MOST_SHOWN characters."""


class DescribeJobs(Message, frozen=True, kw_only=True):
    """Asked of the gate by the ui alone, and by the gate of each worker that the agent has. Answered by JobsAre."""

    agent: str


class JobsAre(Message, frozen=True, kw_only=True):
    jobs: tuple[JobIs, ...]
    """In the order they were begun in; of those that are over the latest few."""


class AwaitJobs(Message, frozen=True, kw_only=True):
    """Asked on the same ways. Answered by Done once one of them runs no more, which it may not do already."""

    agent: str
    jobs: tuple[str, ...]
    """Ids."""


class EndJob(Message, frozen=True, kw_only=True):
    """Asked on the same ways: all of its processes. Answered by JobsAre with this one. Fails where it is not there."""

    agent: str
    job: str
