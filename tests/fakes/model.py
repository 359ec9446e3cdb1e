"""A model that says what it was given, in order, and remembers what it was asked."""

from collections.abc import Sequence

from actors.errors import UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Problem
from actors.messages.conversation import AssistantMessage, StopReason, Text, ToolCall
from actors.messages.model import Answer, AskModel, TextDelta


def say(text: str, *calls: ToolCall, stop_reason: StopReason | None = None, cut_call: str = "") -> Answer:
    blocks = (*((Text(text=text),) if text else ()), *calls)
    reason: StopReason = stop_reason or ("tool_calls" if calls else "end_turn")
    return Answer(message=AssistantMessage(blocks=blocks, stop_reason=reason, model="fake/model"), cut_call=cut_call)


class FakeModel:
    """In the place of the providers actor."""

    def __init__(self, answers: Sequence[Answer | Problem]) -> None:
        self._answers = list(answers)
        self.requests: list[AskModel] = []

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            await request.serve(self._answer)

    async def _answer(self, request: Request) -> None:
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
