"""A model that says what it was given, in order, and remembers what it was asked."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from actors.errors import UnexpectedMessage, failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Problem
from actors.messages.conversation import AssistantMessage, StopReason, Text, ToolCall
from actors.messages.model import (
    Answer,
    AskModel,
    CheckOutgoing,
    FindCheapest,
    ModelFacts,
    Outgoing,
    ResolvedModel,
    ResolveModel,
    TextDelta,
)

EMPTY: Mapping[str, ModelFacts] = MappingProxyType({})


def say(text: str, *calls: ToolCall, stop_reason: StopReason | None = None, cut_call: str = "") -> Answer:
    blocks = (*((Text(text=text),) if text else ()), *calls)
    reason: StopReason = stop_reason or ("tool_calls" if calls else "end_turn")
    return Answer(message=AssistantMessage(blocks=blocks, stop_reason=reason, model="fake/model"), cut_call=cut_call)


class FakeModel:
    """In the place of the providers actor."""

    def __init__(self, answers: Sequence[Answer | Problem], facts: Mapping[str, ModelFacts] = EMPTY) -> None:
        """facts: what is known of its models; of others nothing is."""
        self._answers = list(answers)
        self._facts = facts
        self.requests: list[AskModel] = []

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            await request.serve(self._answer)

    async def _answer(self, request: Request) -> None:
        if isinstance(request.message, ResolveModel):
            request.reply(self._resolved(request.message))
            return
        if isinstance(request.message, FindCheapest):
            request.reply(ResolvedModel(model=""))
            return
        if isinstance(request.message, CheckOutgoing):
            request.reply(Outgoing())
            return
        if not isinstance(request.message, AskModel):
            raise UnexpectedMessage(request.message)
        self.requests.append(request.message)
        answer = self._answers.pop(0)
        if isinstance(answer, Problem):
            request.fail(answer)
            return
        if answer.message.text:
            await request.send(TextDelta(text=answer.message.text))
        request.reply(answer)

    def _resolved(self, wanted: ResolveModel) -> ResolvedModel:
        """Raises Failed."""
        if wanted.model.endswith("/unknown"):
            raise failed("unknown_model", f"there is no {wanted.model}.")
        facts = self._facts.get(wanted.model, ModelFacts())
        if wanted.effort and facts.efforts and wanted.effort not in facts.efforts:
            raise failed("bad_request", f'{wanted.model} knows no effort "{wanted.effort}".')
        return ResolvedModel(model=wanted.model or "fake/model", facts=facts)
