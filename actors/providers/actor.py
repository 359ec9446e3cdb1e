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
from actors.messages.model import (
    AskModel,
    CheckOutgoing,
    FindCheapest,
    ListModels,
    MergeEdit,
    ResolveModel,
    SearchWeb,
    TryService,
)
from actors.providers import known_secrets
from actors.providers.auth import credentials
from actors.providers.models.consent import Consent
from actors.providers.requests.model_request import ModelRequests, Seams
from actors.providers.services.registry import Registry
from actors.settings.config import Settings

if TYPE_CHECKING:
    from actors.providers.auth.user_requests import UserRequests

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
        model_requests = ModelRequests(settings, registry, seams)
        model_requests.warm_up()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(model_requests.open_connection)
                async for request in mailbox:
                    handler = _handler(model_requests, access, request)
                    if request.sender == GATE and isinstance(request.message, CheckOutgoing):
                        handler = partial(known_secrets.check, settings, registry, request.message)
                    nursery.start_soon(request.serve, handler)
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await model_requests.aclose()
        lasting.cancel_scope.cancel()


def _handler(model_requests: ModelRequests, access: credentials.Credentials, request: Request) -> Handler:
    message = request.message
    if not _may_ask(request.sender, message):
        return _refuse
    match message:
        case MergeEdit():
            return partial(model_requests.merge, message)
        case SearchWeb():
            return partial(model_requests.search, message)
        case AskModel():
            return partial(model_requests.answer, message)
        case ResolveModel():
            return partial(model_requests.resolve, message)
        case FindCheapest():
            return partial(model_requests.find_cheapest, message)
        case TryService():
            return partial(model_requests.try_service, message)
        case ListModels():
            return partial(model_requests.list_models, message)
        case _:
            return _for_credentials(access.user_requests, message) if request.sender == USER else _refuse


def _may_ask(sender: str, message: Message) -> bool:
    """Workers may each ask one thing: what runs in them is not trusted with models or keys."""
    if sender == WEB:
        return isinstance(message, SearchWeb)
    if sender.startswith(WORKERS):
        return isinstance(message, MergeEdit)
    return not isinstance(message, MergeEdit | SearchWeb)


def _for_credentials(user_requests: "UserRequests", message: Message) -> Handler:
    match message:
        case SetKey():
            return partial(user_requests.set_key, message)
        case LogIn():
            return partial(user_requests.log_in, message)
        case GiveRedirect():
            return partial(user_requests.give_redirect, message)
        case LogOut():
            return partial(user_requests.log_out, message)
        case FindPrograms():
            return partial(user_requests.find_programs, message)
        case TakeOver():
            return partial(user_requests.take_over, message)
        case ListCredentials():
            return partial(user_requests.list_credentials, message)
        case _:
            raise UnexpectedMessage(message)


async def _refuse(request: Request) -> None:
    raise failed("not_allowed", f"{request.sender} may not ask that of the providers.")
