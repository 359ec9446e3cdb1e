"""A model server of this machine that nobody has named: the user hears of it before anything is sent to it.

At the screen it is asked about once; a yes is kept for its address in TROUPER_HOME. Elsewhere it is said.
"""

from collections.abc import Collection
from pathlib import Path

import msgspec
import trio

from actors.common.small_files import read_regular, replace_file
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAnswered, UserAsked
from actors.messages.turn import Notice
from actors.providers.endpoint import Target
from actors.settings.config import Settings

MOST = 1024 * 1024
"""Bytes of the file."""
YES = Choice(id="use", key="y", label="yes, and do not ask about this address again")
NO = Choice(id="leave", key="n", label="no", refuses=True)


class Consent:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._interactive = settings.interactive
        self._path = Path(settings.home) / "local_servers.json"
        self._refused: set[str] = set()

    async def given(self, target: Target) -> None:
        """Raises Failed: no_credentials when the user does not want it."""
        url = target.endpoint.base_url
        agreed = await trio.to_thread.run_sync(_agreed, self._path) if self._interactive else [url]
        if url in agreed:
            text = f"No model is chosen: {target.model} answers, of the server that was found at {url}."
            self._mailbox.tell("ui", Notice(text=text))
            return
        if url not in self._refused:
            answer = await self._mailbox.insist("ui", _question(target), UserAnswered)
            if answer.choice == YES.id:
                await self._remember(url, agreed)
                return
            self._refused.add(url)
        what = f"No model is chosen, and {target.endpoint.provider} at {url} is not to be asked."
        raise failed("no_credentials", what, "Choose one: /model PROVIDER/NAME, or trouper --model PROVIDER/NAME.")

    async def _remember(self, url: str, agreed: Collection[str]) -> None:
        """What cannot be written down counts this time all the same."""
        data = msgspec.json.encode(sorted({*agreed, url}))
        try:
            await trio.to_thread.run_sync(replace_file, self._path, data)
        except OSError as error:
            self._mailbox.tell("ui", Notice(text=f"It will be asked about again: {error}", level="warning"))


def _agreed(path: Path) -> list[str]:
    """Addresses. A file that cannot be read allows none."""
    try:
        return msgspec.json.decode(read_regular(path, MOST, follow=False), type=list[str])
    except (OSError, msgspec.DecodeError):
        return []


def _question(target: Target) -> UserAsked:
    return UserAsked(
        agent="agent:main",
        kind="server",
        title=f"No model is chosen. A server of this machine offers {target.model}.",
        detail=f"{target.endpoint.provider}: {target.endpoint.base_url}",
        risk="it gets your prompts and what the agent reads; any program may be at that port",
        choices=(YES, NO),
        default=NO.id,
        escape=NO.id,
        call=ToolCall(call_id="server", name="server", arguments="{}"),
    )
