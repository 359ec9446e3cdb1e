"""The web: what a tool worker asks of the providers, who hold the keys and have the network, and what the gate does."""

import msgspec

from actors.messages.base import Message

LONGEST_OUTGOING = 128 * 1024
"""Characters that are compared with the secrets: about a second's work."""


class SearchWeb(Message, frozen=True, kw_only=True):
    """Answered by Found."""

    query: str
    limit: int = 5


class CheckOutgoing(Message, frozen=True, kw_only=True):
    """Asked of the providers by the gate: does what is to leave carry the value of a secret? Answered by Outgoing."""

    text: str
    """At most LONGEST_OUTGOING characters."""
    workspace: str
    hidden: tuple[str, ...] = ()
    """Patterns of files whose secrets do not leave either, as in Read(...) rules."""


class Outgoing(Message, frozen=True, kw_only=True):
    secret: str = ""
    """Where the secret is from that it carries: a variable's name, a file's path. Never its value; "" for none."""


class FoundPage(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    title: str
    excerpt: str = ""


class Found(Message, frozen=True, kw_only=True):
    service: str
    pages: tuple[FoundPage, ...]
