"""What is to be fetched or searched is compared with the secrets that we know, before it leaves. Only the gate asks."""

from functools import partial
from pathlib import Path

import trio

from actors.mailbox import Request
from actors.messages.web import CheckOutgoing, Outgoing
from actors.providers import known_secrets, leaks
from actors.providers.registry import Registry
from actors.settings import credential_files
from actors.settings.config import Settings

OWN_KEYS = "auth.json"


async def check(settings: Settings, registry: Registry, wanted: CheckOutgoing, request: Request) -> None:
    work = partial(_carried, settings, registry, wanted)
    request.reply(Outgoing(secret=await trio.to_thread.run_sync(work, abandon_on_cancel=True)))


def _carried(settings: Settings, registry: Registry, wanted: CheckOutgoing) -> str:
    hidden = known_secrets.hidden(Path(wanted.workspace), wanted.hidden)
    places = (Path(settings.home) / OWN_KEYS, *credential_files.of_programs(), *hidden)  # what a repository brings last
    return leaks.carried(wanted.text, known_secrets.known({**registry.dot_env, **registry.environ}, places))
