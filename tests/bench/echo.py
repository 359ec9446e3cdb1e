"""The smallest actor: it answers whatever it is asked."""

from actors.config import Settings
from actors.mailbox import Mailbox
from actors.messages.base import Done


async def run(mailbox: Mailbox, _settings: Settings) -> None:
    async for request in mailbox:
        request.reply(Done())
