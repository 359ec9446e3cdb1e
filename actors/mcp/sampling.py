"""A server asks for an answer of our model: only where the user has read what is asked and says yes, each time.

What it costs is no turn's, so where the session has a budget it is not offered: no room could be kept for it.
"""

from mcp.client.session import ClientRequestContext
from mcp_types import (
    INVALID_REQUEST,
    CreateMessageRequestParams,
    CreateMessageResult,
    ErrorData,
    SamplingMessage,
    TextContent,
)

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.mcp.forms import DECLINE
from actors.mcp.questions import Questions
from actors.mcp.results.content import encodable
from actors.messages.conversation import AssistantMessage, ModelInput, Text, UserMessage
from actors.messages.model import Answer, AskModel
from actors.messages.tool import Choice
from actors.settings.config import Settings

ALLOW = Choice(id="allow", key="y", label="let the model answer it, this once")
REFUSED = -1
"""Code of what the user does not want, https://modelcontextprotocol.io/specification/2025-11-25/client/sampling."""
ASKED_CHARS = 200_000


class Sampling:
    """Of one server."""

    def __init__(self, mailbox: Mailbox, settings: Settings, questions: Questions) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._questions = questions

    @property
    def is_offered(self) -> bool:
        return self._settings.interactive and not self._settings.budgets

    async def sample(
        self,
        context: ClientRequestContext,  # noqa: ARG002  # the SDK names it
        params: CreateMessageRequestParams,
    ) -> CreateMessageResult | ErrorData:
        history = tuple(_spoken(message) for message in params.messages)
        system = encodable(params.system_prompt or "")
        if sum(len(_text(message)) for message in params.messages) + len(system) > ASKED_CHARS:
            return ErrorData(code=INVALID_REQUEST, message="it is too long to be asked")
        try:
            if not await self._is_wanted(params, system):
                return ErrorData(code=REFUSED, message="the user has refused it")
            answer = await self._answer(system, history)
        except Failed as failure:
            return ErrorData(code=INVALID_REQUEST, message=f"there is no answer: {failure.problem.text}")
        reason = "maxTokens" if answer.stop_reason == "max_tokens" else "endTurn"
        return CreateMessageResult(
            role="assistant", content=TextContent(text=answer.text), model=answer.model, stop_reason=reason
        )

    async def _is_wanted(self, params: CreateMessageRequestParams, system: str) -> bool:
        """Raises Failed."""
        told = [f"system: {system}", *(f"{message.role}: {_text(message)}" for message in params.messages)]
        detail = "An answer of your model, to this:\n\n" + "\n\n".join(told)
        return (await self._questions.ask("", detail, (ALLOW, DECLINE))).choice == ALLOW.id

    async def _answer(self, system: str, history: tuple[ModelInput, ...]) -> AssistantMessage:
        """Raises Failed."""
        asked = AskModel(
            model=self._settings.model,
            session_id=f"{self._settings.session_id}-mcp",
            system=system,
            history=history,
            effort=self._settings.effort,
            aside=True,
        )
        async with self._mailbox.stream("providers", asked) as stream:
            return (await stream.result(Answer)).message


def _spoken(message: SamplingMessage) -> ModelInput:
    text = encodable(_text(message))
    if message.role == "user":
        return UserMessage(text=text, turn_id="")
    return AssistantMessage(blocks=(Text(text=text),), stop_reason="end_turn", model="")


def _text(message: SamplingMessage) -> str:
    """Of what is no text its kind."""
    parts = message.content_as_list
    return "\n".join(part.text if isinstance(part, TextContent) else f"[{part.type} left out]" for part in parts)
