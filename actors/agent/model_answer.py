"""Asking the model: the request from the history, the deltas to the watchers, a dead providers actor asked again."""

from collections.abc import Mapping

import msgspec

from actors.agent.own_budget import of_session
from actors.agent.prompt.mode_notes import mode_note
from actors.agent.prompt.told_prompt import More, ToldPrompt
from actors.agent.session import ledger
from actors.agent.session.history import History
from actors.agent.session.journal import Journal
from actors.agent.session.model_choice import choice
from actors.agent.session.watchers import Watchers
from actors.agent.thinking_time import ThinkingTime
from actors.errors import ActorDied, Failed, UnexpectedMessage
from actors.mailbox import INSIST, Mailbox, Stream
from actors.messages.conversation import Block, BrokenTry, Section, ToolCall, UserMessage
from actors.messages.model import Answer, AskModel, Retrying, TextDelta, ThinkingDelta, ToolSpec
from actors.messages.tool import OfferTools, Tools
from actors.messages.usage import Usage
from actors.settings.config import Settings
from actors.settings.mcp.names import shown
from actors.settings.tool_names import CALL_TOOL
from actors.spending_limit import SpendingLimit

CLOSING = (
    "You have reached the limit of model requests for this turn and can call no more tools. Sum up for the user: what "
    "is done, what is not, and what should come next."
)


class ModelRequests:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        history: History,
        watchers: Watchers,
        journal: Journal,
    ) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._history = history
        self._watchers = watchers
        self._save = journal.save
        self._spending_limit = SpendingLimit(
            mailbox, history.session_id, of_session(settings, history.session_id), journal.save
        )
        self._prompt = ToldPrompt(settings, history, journal.save_soon, watchers.emit)
        self._has_begun = False
        """Something of the answer to this try has come."""
        self._thinking = ThinkingTime()
        """Of this try."""
        self.tools: dict[str, ToolSpec] = {}
        """Those the model was offered last, and those it could find, by name."""
        self._offer: Tools | None = None
        """None: to be asked for."""
        self._offers_changed = 0

    async def begin_turn(self, more: More) -> None:
        """Raises Failed."""
        self._offer = None  # the gate may have died and not have told
        await self._prompt.begin_turn((await self._offered()).servers, more)

    @property
    def sections(self) -> tuple[Section, ...]:
        """Of the system prompt, once a turn has begun."""
        return self._prompt.sections

    def offer_changed(self) -> None:
        self._offer = None
        self._offers_changed += 1

    async def _offered(self) -> Tools:
        while self._offer is None:
            changes = self._offers_changed
            offered = await self._mailbox.insist("gate", self._offer_wanted(), Tools)
            if changes == self._offers_changed:  # else it may be from before the change
                self._offer = offered
                self.tools = {tool.name: tool for tool in (*offered.tools, *offered.findable)}
        return self._offer

    def _offer_wanted(self) -> OfferTools:
        return OfferTools(session_id=self._history.session_id, turn_id=self._history.turn_id)

    async def answer_to(self, request: AskModel, tokens: int, *, aside: bool = False) -> Answer:
        """tokens: about so many are in it. aside: it is no part of the conversation, and nobody is shown what it says.

        What it costs is to be saved, or `wasted`. Raises Failed.
        """
        try:
            return with_shown_names(await self._answer_to(request, tokens, aside), self.tools)
        except Failed:
            await self._spending_limit.release()
            raise

    async def wasted(self, usage: Usage) -> None:
        """An answer that there is no use for is billed, too. Raises Failed."""
        await self._save(BrokenTry(usage=usage))
        await self._spending_limit.release()

    async def left(self) -> None:
        """A request was cancelled; what it had said by then is saved."""
        await self._spending_limit.release()

    async def _answer_to(self, request: AskModel, tokens: int, aside: bool) -> Answer:
        """Raises Failed."""
        await self._spending_limit.reserve(request.model, tokens)
        for _ in range(INSIST - 1):
            try:
                return await self._ask_once(request, tokens, aside)
            except ActorDied as death:
                if self._has_begun:  # so it is billed, and who would have counted it is dead
                    await self._save(BrokenTry(usage=Usage()))
                    await self._spending_limit.reserve(request.model, tokens)
                await self._watchers.emit(Retrying(why=str(death), wait_s=0.0, failed=True))
        return await self._ask_once(request, tokens, aside)

    async def tell_what_is_new(self) -> None:
        """Raises Failed."""
        offered = await self._offered()
        if self._settings.subagent is None and (note := mode_note(self._history.model_input(), offered.mode)):
            await self._save(UserMessage(text=note, turn_id=self._history.turn_id))
        if note := ledger.note(self._history.subagents.untold):
            await self._save(UserMessage(text=note, turn_id=self._history.turn_id))
        if note := self._history.untold:
            await self._save(UserMessage(text=note, turn_id=self._history.turn_id))
        if untold := self._prompt.untold(offered.servers):
            await self._save(*untold)

    async def request(self, closing: bool = False) -> AskModel:
        """As it would be sent now. Raises Failed."""
        offered = await self._offered()
        history = self._history.model_input()
        if closing:
            history = (*history, UserMessage(text=CLOSING, turn_id=self._history.turn_id))
        chosen = choice(self._history, self._settings)
        return AskModel(
            model=chosen.model,
            session_id=self._history.session_id,
            system=self._prompt.text,
            history=history,
            tools=() if closing else offered.tools,
            effort=chosen.effort,
            web_search=self._settings.web_search,
            sealed=self._history.base.sealed,
        )

    async def _ask_once(self, request: AskModel, tokens: int, aside: bool) -> Answer:
        self._has_begun, self._thinking = False, ThinkingTime()
        async with self._mailbox.stream("providers", request) as stream:
            await self._pass_on(stream, request.model, tokens, aside)
            return _as_meant(self._thinking.of(await stream.result(Answer)))

    async def _pass_on(self, stream: Stream, model: str, tokens: int, aside: bool) -> None:
        async for item in stream:
            match item:
                case BrokenTry():
                    await self._save(item)
                    await self._spending_limit.reserve(model, tokens)
                case TextDelta() | ThinkingDelta() | Retrying():
                    self._has_begun = not isinstance(item, Retrying)
                    if self._has_begun and aside:
                        continue
                    await self._watchers.emit(self._thinking.heard(item))
                case _:
                    raise UnexpectedMessage(item)


def _as_meant(answer: Answer) -> Answer:
    if not any(call.name == CALL_TOOL for call in answer.message.calls):
        return answer
    from actors.settings.mcp.through import as_meant  # only who has such calls pays for it

    return msgspec.structs.replace(answer, message=as_meant(answer.message))


def with_shown_names(answer: Answer, tools: Mapping[str, ToolSpec]) -> Answer:
    """Its calls of servers' tools with what people call those: later that cannot be told from their names for models.

    tools: that the model was offered, by name.
    """
    blocks = tuple(_shown(block, tools) for block in answer.message.blocks)
    return msgspec.structs.replace(answer, message=msgspec.structs.replace(answer.message, blocks=blocks))


def _shown(block: Block, tools: Mapping[str, ToolSpec]) -> Block:
    tool = tools.get(block.name) if isinstance(block, ToolCall) else None
    if not isinstance(block, ToolCall) or tool is None or not tool.server:
        return block
    return msgspec.structs.replace(block, shown=shown(tool.server, tool.server_tool))
