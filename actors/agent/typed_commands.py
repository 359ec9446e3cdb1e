"""A prompt such as "/release 1.2" becomes what its template says; `!command` lines in it are calls like any other.

They run before the prompt is accepted. That one was begun is with the store before it runs, and its output after: a
prompt that is sent again, because somebody died, runs none of them twice.
"""

from functools import partial
from pathlib import Path

import msgspec

from actors.agent.hook_moments import Hooks
from actors.agent.session.history import OUTCOME_UNKNOWN
from actors.agent.session.watchers import Watchers
from actors.agent.tool_call import ToolCalls
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import Authorise
from actors.messages.turn import Prompt
from actors.settings.config import Settings
from actors.texts import templates
from actors.texts.documents import hidden_by

SHELL = "bash"
"""The tool that runs them."""
BEGUN = ""


class TypedCommands:
    def __init__(self, mailbox: Mailbox, settings: Settings, session_id: str, hooks: Hooks) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._session_id = session_id
        self._hooks = hooks

    async def expanded(self, prompt: Prompt) -> str:
        """The text of the prompt; of one that names no template as it is. Raises Failed."""
        first, _, rest = prompt.text.partition(" ")
        if not first.startswith("/") or not templates.NAME.fullmatch(first[1:]):
            return prompt.text
        hidden = hidden_by(self._settings.rules)
        template = templates.find(self._settings, Path.home(), hidden).named(first[1:])
        if template is None:
            return prompt.text
        arguments, text = rest.strip(), []
        for number, (line, command) in enumerate(templates.lines(template, self._settings, hidden)):
            filled = templates.filled(command or line, arguments)
            text.append(await self._output(f"{prompt.prompt_id}/{number}", filled) if command else filled)
        return templates.told(template, "\n".join(text))

    async def _output(self, name: str, command: str) -> str:
        """Raises Failed."""
        key = f"template/{self._session_id}/{name}"
        known = (await self._mailbox.insist("store", Recall(key=key), Recalled)).value
        if known is not None:
            return known or f"`{command}`: {OUTCOME_UNKNOWN}"
        call = ToolCall(call_id=name, name=SHELL, arguments=msgspec.json.encode({"command": command}).decode())
        calls = ToolCalls(self._mailbox, Watchers(), self._hooks, self._wanted, partial(self._begun, key))
        result = await calls.run(call)
        said = (
            f"`{command}` {'did not run' if result.denied else 'failed' if result.failed else 'gave'}: {result.output}"
        )
        await self._mailbox.insist("store", Remember(key=key, value=said), Done)
        return said

    async def _begun(self, key: str, _call: ToolCall) -> None:
        """Raises Failed."""
        await self._mailbox.insist("store", Remember(key=key, value=BEGUN), Done)

    def _wanted(self, call: ToolCall) -> Authorise:
        return Authorise(call=call, session_id=self._session_id)
