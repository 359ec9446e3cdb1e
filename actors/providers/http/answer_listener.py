"""Who asks a model service: what it is told while the answer comes."""

from collections.abc import Awaitable, Callable, Mapping

import msgspec
import trio

from actors.messages.model import Answer
from actors.providers.formats.wire_format import Delta


class Listener(msgspec.Struct, frozen=True):
    accepted: Callable[[Mapping[str, str]], None]
    """The service has taken the request; these are its headers, lower case."""
    send: Callable[[Delta], Awaitable[None]]
    deliver: Callable[[Answer], None]
    """Exactly once, and only when the answer is whole."""
    asked: trio.Event = msgspec.field(default_factory=trio.Event)
    """Set when the connection stands and the request goes out."""
