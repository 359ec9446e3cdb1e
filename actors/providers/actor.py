"""The providers actor: one mailbox for asking models, for listing them and for signing in."""

import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

import trio

from actors.errors import UnexpectedMessage, failed
from actors.mailbox import Mailbox, Request
from actors.messages.auth import FindPrograms, GiveRedirect, ListCredentials, LogIn, LogOut, SetKey, TakeOver
from actors.messages.base import Message
from actors.messages.model import AskModel, ListModels, MergeEdit, ResolveModel, TryService
from actors.messages.web import CheckOutgoing, SearchWeb
from actors.providers import known_secrets
from actors.providers.auth import credentials
from actors.providers.models.consent import Consent
from actors.providers.requests.model_request import Answering, Seams
from actors.providers.services.registry import Registry
from actors.settings.config import Settings

if TYPE_CHECKING:
    from actors.providers.auth.user_requests import Keeping

Handler = Callable[[Request], Awaitable[None]]
WORKERS = "tools:"
WEB = "web"
"""The worker that has a network."""
GATE = "gate"
USER = "ui"
"""Only the user keeps and forgets credentials."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    await serve(mailbox, settings, credentials.registry(settings, os.environ))


async def serve(mailbox: Mailbox, settings: Settings, registry: Registry) -> None:
    async with credentials.opened(settings, registry) as access, trio.open_nursery() as lasting:
        noted = partial(mailbox.tell, "supervisor")
        seams = Seams(access.sign_ins, Consent(mailbox, settings).given, lasting, noted)
        answering = Answering(settings, registry, seams)
        answering.warm_up()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(answering.open_connection)
                async for request in mailbox:
                    handler = _handler(answering, access, request)
                    if request.sender == GATE and isinstance(request.message, CheckOutgoing):
                        handler = partial(known_secrets.check, settings, registry, request.message)
                    nursery.start_soon(request.serve, handler)
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await answering.aclose()
        lasting.cancel_scope.cancel()


def _handler(answering: Answering, access: credentials.Access, request: Request) -> Handler:
    message = request.message
    if not _may_ask(request.sender, message):
        return _refuse
    match message:
        case MergeEdit():
            return partial(answering.merge, message)
        case SearchWeb():
            return partial(answering.search, message)
        case AskModel():
            return partial(answering.answer, message)
        case ResolveModel():
            return partial(answering.resolve, message)
        case TryService():
            return partial(answering.try_service, message)
        case ListModels():
            return partial(answering.list_models, message)
        case _:
            return _for_credentials(access.keeping, message) if request.sender == USER else _refuse


def _may_ask(sender: str, message: Message) -> bool:
    """Workers may each ask one thing: what runs in them is not trusted with models or keys."""
    if sender == WEB:
        return isinstance(message, SearchWeb)
    if sender.startswith(WORKERS):
        return isinstance(message, MergeEdit)
    return not isinstance(message, MergeEdit | SearchWeb)


def _for_credentials(keeping: "Keeping", message: Message) -> Handler:
    match message:
        case SetKey():
            return partial(keeping.set_key, message)
        case LogIn():
            return partial(keeping.log_in, message)
        case GiveRedirect():
            return partial(keeping.give_redirect, message)
        case LogOut():
            return partial(keeping.log_out, message)
        case FindPrograms():
            return partial(keeping.find_programs, message)
        case TakeOver():
            return partial(keeping.take_over, message)
        case ListCredentials():
            return partial(keeping.list_credentials, message)
        case _:
            raise UnexpectedMessage(message)


async def _refuse(request: Request) -> None:
    raise failed("not_allowed", f"{request.sender} may not ask that of the providers.")
