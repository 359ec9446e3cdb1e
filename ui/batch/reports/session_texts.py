"""A stored session as text, for readers and for programs, with the agents that were started in it."""

from dataclasses import dataclass

from actors.mailbox import Mailbox
from actors.messages.conversation import Entry
from actors.messages.store import ReadSession, SessionOpened
from actors.messages.subagent import SubagentSpawned
from ui.session_files import atif, transcript
from ui.session_files.markdown import markdown


@dataclass(frozen=True)
class SessionTexts:
    transcript: str
    """Markdown."""
    trajectory: str
    """ATIF; "" where there are no steps."""
    agents: dict[str, SubagentSpawned]
    """By the names that the model gave them."""


async def read(mailbox: Mailbox, session_id: str, title: str) -> SessionTexts:
    """Raises Failed."""
    for_readers, for_programs = transcript.Telling(), atif.Telling()
    agents = {}
    async with mailbox.stream("store", ReadSession(session_id=session_id)) as stream:
        async for entry in stream:
            if isinstance(entry, Entry):
                for_readers.add(entry)
                for_programs.add(entry)
                if isinstance(entry.body, SubagentSpawned):
                    agents[entry.body.name] = entry.body
        opened = await stream.result(SessionOpened)
    told = "".join(markdown(for_readers.transcript(opened.session_id, opened.cwd, title)))
    try:
        trajectory = for_programs.atif(opened.session_id)
    except atif.NoSteps:
        trajectory = ""
    return SessionTexts(told, trajectory, agents)
