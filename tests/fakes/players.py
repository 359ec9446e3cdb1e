"""Actors of one habit each, for the scenes of the troupe."""

import json

import msgspec

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.turn import Notice
from actors.settings.config import Settings


async def knowing(mailbox: Mailbox, settings: Settings) -> None:
    """Answers with what it was told of the providers."""
    async for request in mailbox:
        request.reply(Notice(text=json.dumps(msgspec.to_builtins(settings.providers["own"]))))


async def passing(mailbox: Mailbox, _settings: Settings) -> None:
    """Answers once and leaves."""
    async for request in mailbox:
        request.reply(Done())
        return


async def early(mailbox: Mailbox, _settings: Settings) -> None:
    """Asks one that is started after it, before anybody else says anything."""
    await mailbox.ask("ui", Notice(text="are you there?"), Done)
    async for _ in mailbox:
        continue


async def fragile(_mailbox: Mailbox, _settings: Settings) -> None:
    raise ValueError("it never lives")
