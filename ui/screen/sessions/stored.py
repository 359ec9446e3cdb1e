"""What the store has of a session, read whole; whoever dies meanwhile, it is read again."""

from typing import TypeVar

from actors.errors import ActorDied
from actors.mailbox import INSIST, Mailbox
from actors.messages.base import Message
from actors.messages.store import SessionOpened

Item = TypeVar("Item", bound=Message)


async def read(mailbox: Mailbox, wanted: Message, kind: type[Item]) -> list[Item]:
    """The items of a stream. Raises Failed."""
    for _ in range(INSIST - 1):
        try:
            return await _read_once(mailbox, wanted, kind)
        except ActorDied:
            continue
    return await _read_once(mailbox, wanted, kind)


async def _read_once(mailbox: Mailbox, wanted: Message, kind: type[Item]) -> list[Item]:
    async with mailbox.stream("store", wanted) as stream:
        items = [item async for item in stream if isinstance(item, kind)]
        await stream.result(SessionOpened)
    return items
