"""A prompt such as "/release 1.2" becomes what its template says; `!command` lines in it are calls like any other.

They run before the prompt is accepted, and hooks after them. That one was begun is with the store before it runs, and
its output after: a prompt that is sent again, because somebody died, runs none of them twice. Before the first that may
write the files are recorded, as of that prompt. Whoever cancels waits until all has ended; then it is not accepted.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.agent.calls.tool_call import ToolCalls, Ways
from actors.agent.hook_moments import Hooks
from actors.agent.prompt_checkpoints import PromptCheckpoints
from actors.agent.session.history import OUTCOME_UNKNOWN
from actors.agent.session.watchers import Watchers
from actors.errors import Failed, UnexpectedMessage
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.checkpoint import Checkpointed
from actors.messages.conversation import Body, ToolCall, ToolResult
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import Authorise
from actors.messages.turn import Prompt
from actors.settings.config import Settings
from actors.texts import templates
from actors.texts.documents import hidden_by

SHELL = "bash"
"""The tool that runs them."""
BEGUN = ""


class Expanded(msgspec.Struct, frozen=True):
    text: str
    recorded: tuple[Body, ...] = ()
    """What is to be saved with the prompt, or without it where it is not accepted."""
    cancelled: bool = False
    refusal: Failed | None = None


class _Running:
    """The commands and hooks of one prompt."""

    def __init__(self, prompt_id: str) -> None:
        self.prompt_id = prompt_id
        self.scope = trio.CancelScope()
        self.over = trio.Event()
        self.recorded: tuple[Checkpointed, ...] = ()


class TypedCommands:
    def __init__(
        self, mailbox: Mailbox, settings: Settings, session_id: str, hooks: Hooks, checkpoints: PromptCheckpoints
    ) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._session_id = session_id
        self._hooks = hooks
        self._checkpoints = checkpoints
        self._running: set[_Running] = set()

    async def cancel(self) -> tuple[Checkpointed, ...]:
        """Nothing of them runs any more when this returns; what was recorded for them is to be saved."""
        recorded: list[Checkpointed] = []
        for running in tuple(self._running):
            running.scope.cancel()
            await running.over.wait()
            recorded += running.recorded
            running.recorded = ()
        return tuple(recorded)

    async def expanded(self, prompt: Prompt, past_hooks: Callable[[str], Awaitable[str]]) -> Expanded:
        """The text of the prompt; of one that names no template as it is. past_hooks: as they leave it."""
        running, text, refusal = _Running(prompt.prompt_id), prompt.text, None
        self._running.add(running)
        try:
            with running.scope:
                text = await past_hooks(await self._filled(prompt, running))
        except Failed as failure:
            refusal = failure
        finally:
            self._running.remove(running)
            running.over.set()
        return Expanded(text, running.recorded, running.scope.cancelled_caught, refusal)

    async def _filled(self, prompt: Prompt, running: _Running) -> str:
        """Raises Failed."""
        first, _, rest = prompt.text.partition(" ")
        if not first.startswith("/") or not templates.NAME.fullmatch(first[1:]):
            return prompt.text
        hidden = hidden_by(self._settings.rules)
        template = templates.find(self._settings, Path.home(), hidden).named(first[1:])
        if template is None:
            return prompt.text
        lines = templates.lines(template, self._settings, hidden)
        filled = [(templates.filled(line, rest.strip()), templates.filled(run, rest.strip())) for line, run in lines]
        if any(run for _, run in filled):
            running.recorded = await self._known_record(running)
        text = [await self._output(running, number, run) if run else line for number, (line, run) in enumerate(filled)]
        return templates.told(template, "\n".join(text))

    async def _output(self, running: _Running, number: int, command: str) -> str:
        """Raises Failed."""
        name = f"{running.prompt_id}/{number}"
        key = self._key(name)
        known = (await self._mailbox.insist("store", Recall(key=key), Recalled)).value
        if known is not None:
            return known or f"`{command}`: {OUTCOME_UNKNOWN}"
        call = ToolCall(call_id=name, name=SHELL, arguments=msgspec.json.encode({"command": command}).decode())
        ways = Ways(self._wanted, partial(self._begun, running, key), not_ours)
        calls = ToolCalls(self._mailbox, Watchers(), self._hooks, ways)
        result = await calls.run(call)
        said = (
            f"`{command}` {'did not run' if result.denied else 'failed' if result.failed else 'gave'}: {result.output}"
        )
        await self._mailbox.insist("store", Remember(key=key, value=said), Done)
        return said

    async def _begun(self, running: _Running, key: str, _call: ToolCall) -> None:
        """Raises Failed."""
        if not running.recorded:
            recorded = await self._checkpoints.before_command(running.prompt_id)
            packed = msgspec.json.encode(recorded).decode()
            await self._mailbox.insist("store", Remember(key=self._record_key(running), value=packed), Done)
            running.recorded = (recorded,)
        await self._mailbox.insist("store", Remember(key=key, value=BEGUN), Done)

    async def _known_record(self, running: _Running) -> tuple[Checkpointed, ...]:
        """Of an earlier life. Raises Failed."""
        known = (await self._mailbox.insist("store", Recall(key=self._record_key(running)), Recalled)).value
        return () if known is None else (msgspec.json.decode(known, type=Checkpointed),)

    def _key(self, name: str) -> str:
        return f"template/{self._session_id}/{name}"

    def _record_key(self, running: _Running) -> str:
        return self._key(f"{running.prompt_id}/checkpoint")

    async def _wanted(self, call: ToolCall) -> Authorise:
        return Authorise(call=call, session_id=self._session_id)


async def not_ours(call: ToolCall) -> ToolResult:
    raise UnexpectedMessage(call)  # a command is run by a worker
