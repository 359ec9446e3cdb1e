"""Following one prompt through an agent's events, whatever dies on the way: shared by the headless fronts."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Literal

import trio

from actors.errors import ActorDied, Failed, failed
from actors.mailbox import Mailbox
from actors.messages.base import Problem, ProblemCode
from actors.messages.conversation import AssistantMessage, BrokenTry, Compacted, EndReason, UserMessage
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.tool import ToolProgress
from actors.messages.turn import Accepted, EntryAdded, Event, Notice, Prompt, SessionInfo, Subscribe, TurnStopped
from actors.settings.config import Settings
from ui.common.attached_files import AttachedFile
from ui.common.prompt_files import may_name, with_files
from ui.headless.report import Tally, ended


class Watch:
    """Sends the prompt and passes on what happens in its turn; the same prompt id is never two prompts."""

    def __init__(
        self,
        mailbox: Mailbox,
        agent: str,
        prompt: Prompt,
        on_event: Callable[[Event], Awaitable[None]],
        files: Iterable[AttachedFile] = (),
    ) -> None:
        """on_event: of the turn, from the entry of its prompt on. files: to go with the prompt."""
        self._mailbox = mailbox
        self._agent = agent
        self._prompt = prompt
        self._on_event = on_event
        self._files = files
        self._reading = trio.CancelScope()
        self._turn_id = ""
        """Of the prompt's turn: its own, or one that an earlier run left open."""
        self._last_entry = ""
        self._in_turn = False
        self.has_asked = False
        """A model was asked: something has come of it."""
        self.tally = Tally()
        self.code: ProblemCode | Literal[""] = ""
        """Of the problem that ended the turn."""

    @property
    def is_accepted(self) -> bool:
        """The prompt is on disk."""
        return bool(self._turn_id)

    async def follow(
        self, typed: str = "", of_agent: Settings | None = None, session_id: str = ""
    ) -> tuple[EndReason, str]:
        """To the end of the turn: its reason, and why when it is not "done". Raises Failed.

        typed: what of the prompt the user has written; what that names goes with it. of_agent: the
        agent's own settings, with the folder that it works in; None where nothing is typed.
        session_id: that it has open; "" for the one that the program was started for.
        """
        prompt = await with_files(self._prompt, self._files)
        if of_agent is not None and may_name(typed):
            prompt = await self._with_mentions(prompt, typed, of_agent, session_id)
        self._turn_id = (await self._mailbox.insist(self._agent, prompt, Accepted)).turn_id
        while True:
            try:
                return await self._follow_once()
            except ActorDied:
                continue  # the next subscription waits until the agent is back

    async def _with_mentions(self, prompt: Prompt, typed: str, of_agent: Settings, session_id: str) -> Prompt:
        """Raises Failed, also when it is not to be sent any more."""
        from ui.common.mentions.fetching import Whose
        from ui.common.mentions.going_along import with_mentions

        said: list[str] = []
        whose = Whose(self._agent, of_agent, session_id)
        with self._reading:
            prompt = await with_mentions(self._mailbox, prompt, typed, whose, said.append)
            for text in said:
                await self._on_event(Notice(text=text, level="warning"))
            return prompt
        raise failed("refused", "the prompt was not sent.")

    def stop_reading(self) -> None:
        """Of what is to go with the prompt, where that is under way."""
        self._reading.cancel()

    async def _follow_once(self) -> tuple[EndReason, str]:
        wanted = Subscribe(after=self._last_entry, prompt_id=self._prompt.prompt_id)
        async with self._mailbox.stream(self._agent, wanted) as stream:
            async for event in stream:
                if (end := await self._take(event)) is not None:  # type: ignore[arg-type]  # the mailbox knows only that it is a message
                    return end
        raise Failed(_gone(self._agent))

    async def _take(self, event: Event) -> tuple[EndReason, str] | None:
        self.has_asked = self.has_asked or _is_of_a_request(event)
        if self._in_turn:
            self.tally.hear(event)
        match event:
            case SessionInfo(session_id=session_id, unrestricted=unrestricted):
                if not self.tally.session_id:
                    self.tally.session_usage = event.used
                    await self._on_event(event)
                self.tally.session_id, self.tally.unrestricted = session_id, unrestricted
            case EntryAdded(entry=entry):
                self._last_entry = entry.id
                self.tally.see(entry.body)
                if isinstance(entry.body, UserMessage) and entry.body.prompt_id == self._prompt.prompt_id:
                    self._in_turn = True
                if self._in_turn:
                    self.tally.add(entry.body)
                    await self._on_event(event)
                    if end := ended(entry.body, self._turn_id):
                        self.code = end.code
                        return self.tally.reason(end.reason), end.text
            case TurnStopped(text=text):
                return "failed", text
            case _ if self._in_turn:
                await self._on_event(event)
            case _:
                pass
        return None


def _is_of_a_request(event: Event) -> bool:
    """Also of a turn that an earlier run left open, which the prompt waits for."""
    match event:
        case TextDelta() | ThinkingDelta() | Retrying() | ToolProgress():
            return True
        case EntryAdded(entry=entry):
            return isinstance(entry.body, AssistantMessage | BrokenTry | Compacted)
        case _:
            return False


def _gone(agent: str) -> Problem:
    return Problem(code="gone", text=f"{agent} ended its events.")
