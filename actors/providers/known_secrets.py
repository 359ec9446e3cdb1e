"""The secrets whose values do not leave in a fetch or a search: of the environment, of files that keep or hide them.

Only the gate asks whether a text carries one.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import trio

from actors.mailbox import Request
from actors.messages.model import CheckOutgoing, Outgoing
from actors.providers.services.registry import Registry
from actors.settings import covered_files, credential_files
from actors.settings.config import Settings
from actors.settings.secrets.search import carried
from actors.settings.secrets.values import known, own

WITHIN_S = 3.0
"""For finding the files that rules hide; what is nearest to the workspace is found first."""


async def check(settings: Settings, registry: Registry, wanted: CheckOutgoing, request: Request) -> None:
    """What is to be fetched or searched is compared with them before it leaves."""
    work = partial(_carried, settings, registry, wanted)
    request.reply(Outgoing(secret=await trio.to_thread.run_sync(work, abandon_on_cancel=True)))


def _carried(settings: Settings, registry: Registry, wanted: CheckOutgoing) -> str:
    rules = hidden(Path(wanted.workspace), wanted.hidden)
    places = (*own(Path(settings.home)), *credential_files.of_programs(), *rules)  # what a repository brings last
    return carried(wanted.text, known({**registry.dot_env, **registry.environ}, places))


def hidden(workspace: Path, patterns: Sequence[str]) -> list[Path]:
    """What rules hide, as far as it is found in time."""
    found: list[Path] = []
    with suppress(TimeoutError):
        found += (path for path, _ in covered_files.candidates(workspace, patterns, WITHIN_S))
    return found
