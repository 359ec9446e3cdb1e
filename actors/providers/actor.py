"""The providers actor: one mailbox for asking models, for listing them and for signing in."""

import os
from collections.abc import Awaitable, Callable
from functools import partial

import trio

from actors.config import Settings
from actors.errors import UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Message
from actors.messages.model import AskModel, ResolveModel
from actors.providers.answering import Answering
from actors.providers.registry import Registry

Handler = Callable[[Request], Awaitable[None]]


async def run(mailbox: Mailbox, settings: Settings) -> None:
    await serve(mailbox, settings, Registry(settings.providers, os.environ, models=settings.models))


async def serve(mailbox: Mailbox, settings: Settings, registry: Registry) -> None:
    answering = Answering(settings, registry)
    answering.warm_up()
    try:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, _handler(answering, request.message))
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await answering.aclose()


def _handler(answering: Answering, message: Message) -> Handler:
    match message:
        case AskModel():
            return partial(answering.answer, message)
        case ResolveModel():
            return partial(answering.resolve, message)
        case _:
            raise UnexpectedMessage(message)
