"""What a server may ask of us while it works: the user's words, and which folder is worked in."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import trio
from mcp.client.session import ClientRequestContext
from mcp_types import (
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
    ListRootsResult,
    Root,
)

from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.mcp import forms, limits
from actors.mcp.forms import DECLINE, Field, NoValue, Value
from actors.mcp.process.server_log import ServerLog
from actors.mcp.results.content import one_line, plain
from actors.messages.conversation import ToolCall
from actors.messages.mcp import Elicit
from actors.messages.tool import Choice, UserAnswered, UserAsked
from actors.settings.config import Settings
from actors.settings.mcp.entries import mistaken_url
from actors.settings.mcp.servers import McpServer
from actors.settings.mcp.words import host_of

DECLINED = ElicitResult(action="decline")
MESSAGE_CHARS = 2000
VISITED = Choice(id="visited", key="y", label="I have opened the address and done what it wants")


def tells_roots(server: McpServer, workspace: str) -> bool:
    """Not to one whose command line names a folder: it may take our roots in place of those. See DECISIONS."""
    if not server.roots:
        return False
    return not any(Path(workspace, word).expanduser().is_dir() for word in server.args if not word.startswith("-"))


class Questions:
    """Those of one server."""

    def __init__(self, mailbox: Mailbox, settings: Settings, server: McpServer, log: ServerLog) -> None:
        self._log = log
        self._mailbox = mailbox
        self._settings = settings
        self._server = server
        self.open = 0
        """So many wait for the user; no call of the server runs out of time meanwhile."""
        self._one_by_one = trio.Lock()
        self._refused = 0
        """So many in a row."""
        self._silent_until = 0.0
        self._raw: list[Elicit] = []

    @contextmanager
    def answered(self, how: Elicit) -> Iterator[None]:
        """As long as a call of the command line runs: how it wants questions answered."""
        self._raw.append(how)
        try:
            yield
        finally:
            self._raw.remove(how)

    @property
    def _how(self) -> Elicit:
        if self._raw:
            return self._raw[-1]
        return "ask" if self._settings.interactive else "decline"

    async def roots(
        self,
        context: ClientRequestContext,  # noqa: ARG002  # the SDK names it
    ) -> ListRootsResult | ErrorData:
        folder = Path(self._settings.cwd)
        return ListRootsResult(roots=[Root(uri=folder.as_uri(), name=folder.name)])  # type: ignore[arg-type]

    async def elicit(
        self,
        context: ClientRequestContext,  # noqa: ARG002  # the SDK names it
        params: ElicitRequestParams,
    ) -> ElicitResult | ErrorData:
        how = self._how
        try:
            match params:
                case ElicitRequestFormParams():
                    return await self._form(params, how)
                case ElicitRequestURLParams():
                    return await self._address(params) if how == "ask" else DECLINED
        except (NoValue, Failed) as why:
            self._log.write(f"[trouper: a question of it was declined: {why}]\n")
            return DECLINED

    async def _form(self, params: ElicitRequestFormParams, how: Elicit) -> ElicitResult:
        """Raises NoValue, Failed."""
        asked = forms.fields(cast("dict[str, object]", params.requested_schema))
        if how == "defaults":
            known = forms.defaults(asked)
            return DECLINED if known is None else ElicitResult(action="accept", content=known)
        if how == "decline":
            return DECLINED
        content: dict[str, Value] = {}
        for field in asked:
            answer = await self._value(params.message, field)
            if answer is None:
                return DECLINED
            content |= answer
        return ElicitResult(action="accept", content=content)

    async def _value(self, message: str, field: Field) -> dict[str, Value] | None:
        """{}: it is left out. None: the user tells nothing. Raises Failed."""
        mistake = ""
        for _ in range(limits.TRIES):
            answer = await self.ask(message, f"{field.title}{mistake}", forms.choices(field))
            if answer.choice == DECLINE.id:
                return None
            if answer.choice == forms.SKIP:
                return {}
            try:
                return {field.name: forms.value(field, answer.choice, answer.text)}
            except NoValue as why:
                mistake = f" ({why})"
        return None

    async def _address(self, params: ElicitRequestURLParams) -> ElicitResult:
        """It is shown, never opened. Raises NoValue, Failed."""
        if why := mistaken_url(params.url):
            raise NoValue(why)
        wanted = f"It wants you to open: {params.url}{host_of(params.url)}"
        answer = await self.ask(params.message, wanted, (VISITED, DECLINE))
        return ElicitResult(action="accept") if answer.choice == VISITED.id else DECLINED

    async def ask(self, message: str, detail: str, choices: tuple[Choice, ...]) -> UserAnswered:
        """One at a time, and not on and on: no other question is to stand behind those of a server. Raises Failed."""
        asked = UserAsked(
            agent="agent:main",
            kind="question",
            title=f"The MCP server {self._server.name} asks: {one_line([plain(detail)])}",
            detail=plain(f"{_set_off(message[:MESSAGE_CHARS])}\n\n{detail}".strip()),
            risk="the server gets the answer; give it no password",
            choices=choices,
            default=choices[0].id if choices[0].takes_text else DECLINE.id,  # enter alone says yes to no server
            escape=DECLINE.id,
            call=ToolCall(call_id="mcp", name=f"{self._server.name}:question", arguments="{}"),
        )
        self._check()
        self.open += 1
        try:
            async with self._one_by_one:
                self._check()
                answer = await self._mailbox.ask("ui", asked, UserAnswered)
                self._note(refused=answer.choice == DECLINE.id)
                return answer
        finally:
            self.open -= 1

    def _check(self) -> None:
        """Raises Failed: this question is one too many."""
        if self.open > limits.QUESTIONS:
            raise failed("not_allowed", f"{limits.QUESTIONS} of its questions wait already.")
        if trio.current_time() < self._silent_until:
            raise failed("not_allowed", f"its last {limits.REFUSALS} questions were refused.")

    def _note(self, *, refused: bool) -> None:
        self._refused = self._refused + 1 if refused else 0
        if self._refused >= limits.REFUSALS:
            self._refused, self._silent_until = 0, trio.current_time() + limits.SILENT_S


def _set_off(message: str) -> str:
    """So that it cannot pass for something that we say."""
    return "\n".join(f"| {line}" for line in message.splitlines())
