"""The agent's moments at which hooks are run. Without hooks in the settings nobody is asked anything."""

from collections.abc import Awaitable, Callable, Iterable, Mapping

import msgspec
import trio

from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import Body, ToolCall, ToolResult, UserMessage
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import HookEvent, HooksRan, RunHooks
from actors.settings.brought import to_ask_about
from actors.settings.config import Settings

MOST_STOPS = 3
"""How often in one turn a stop hook may make the model go on."""
NOT_YET = "You may not end here yet: "
"""What every note of a stop hook begins with."""


class Hooks:
    def __init__(
        self, mailbox: Mailbox, settings: Settings, session_id: str, save: Callable[[], Awaitable[None]]
    ) -> None:
        """save: so that what a hook hears of is on disk."""
        self._mailbox = mailbox
        self._settings = settings
        self._session_id = session_id
        self._save = save
        self._started: str | None = None
        self._starting = trio.Lock()

    async def prompt(self, text: str) -> str:
        """The prompt as hooks have left it. Raises Failed when one refuses it, or the session."""
        await self.session_start()
        ran = await self._run("prompt", {"prompt": text})
        if ran.verdict == "deny":
            raise failed("refused", f"The prompt was not sent: {ran.reason.rstrip('.')}.")
        return text + of_hook(ran.context)

    async def session_start(self) -> str:
        """What hooks said when the session began: they run once, whoever dies.

        Raises Failed when one refuses it; then it has not begun, and they are run again for the next prompt.
        """
        if not self._exist("session_start"):
            return ""
        async with self._starting:
            if self._started is None:
                self._started = await self._start()
        return self._started

    async def _start(self) -> str:
        key = f"session_start/{self._session_id}"
        known = (await self._mailbox.insist("store", Recall(key=key), Recalled)).value
        if known is not None:
            return known
        ran = await self._run("session_start", {})
        if ran.verdict == "deny":
            raise failed("refused", f"The session was not begun: {ran.reason.rstrip('.')}.")
        await self._mailbox.insist("store", Remember(key=key, value=ran.context), Done)
        return ran.context

    async def post_tool(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """The result with what hooks say of it."""
        facts = {"tool": call.name, "arguments": call.arguments, "output": result.output, "failed": result.failed}
        try:
            ran = await self._run("post_tool", facts, call.name)
        except Failed as failure:
            ran = HooksRan(context=f"hooks could not be run: {failure}")
        refused = ran.reason if ran.verdict == "deny" else ""
        return with_context(result, "\n".join(filter(None, (refused, ran.context))))

    async def stop(self, turn: Iterable[Body], answer: str) -> str:
        """What a hook has against the end of the turn; "" for nothing."""
        stops = sum(isinstance(body, UserMessage) and body.text.startswith(NOT_YET) for body in turn)
        if stops >= MOST_STOPS:
            return ""
        ran = await self._run("stop", {"answer": answer})
        return f"{NOT_YET}{ran.reason}" if ran.verdict == "deny" else ""

    async def before_call(self) -> None:
        """The gate runs the hooks of a call before it decides about it. Raises Failed."""
        if self._exist("pre_tool"):
            await self._save()

    def _exist(self, event: HookEvent) -> bool:
        """Or may exist: the gate knows what the user has said to those that the workspace brings."""
        settings = self._settings
        all_of = (settings.hooks, settings.workspace_hooks, *(one.says.hooks for one in to_ask_about(settings)))
        return any(getattr(hooks, event) for hooks in all_of)

    async def _run(self, event: HookEvent, facts: Mapping[str, object], tool: str = "") -> HooksRan:
        """Raises Failed."""
        if not self._exist(event):
            return HooksRan()
        await self._save()
        payload = msgspec.json.encode({"session": self._session_id, **facts}).decode()
        return await self._mailbox.insist("gate", RunHooks(event=event, payload=payload, tool=tool), HooksRan)


def with_context(result: ToolResult, context: str) -> ToolResult:
    return msgspec.structs.replace(result, output=result.output + of_hook(context))


def of_hook(context: str) -> str:
    """As it is added to what the model reads."""
    return f"\n\n[hook: {context}]" if context else ""
