"""The smallest actor: it answers whatever it is asked."""

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.settings.config import Settings


async def run(mailbox: Mailbox, _settings: Settings) -> None:
    async for request in mailbox:
        request.reply(Done())
