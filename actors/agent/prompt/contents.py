"""What the system prompt of a session is made of, for who shows where the window goes."""

import msgspec

from actors.agent.prompt.changes import told
from actors.agent.session.history import History


class Part(msgspec.Struct, frozen=True):
    name: str
    """As of Section."""
    origin: str
    """Path of the file that it is from; "" for none."""
    characters: int


def contents(history: History) -> list[Part]:
    """In the order of the prompt; what has changed since counts as it is now, though the note about it is a message."""
    return [Part(part.name, part.origin, len(part.text)) for part in told(history.instructed)]
