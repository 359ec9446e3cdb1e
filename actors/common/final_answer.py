"""The answer of a turn: all of its text after the last tool call, also where the model went on in further requests."""

from collections.abc import Iterable

from actors.messages.conversation import AssistantMessage, Body, StopReason

CUT: tuple[StopReason, ...] = ("max_tokens", "pause")
"""What comes after one of these goes on in the middle of a sentence."""


def extended(answer: str, before: AssistantMessage | None, message: AssistantMessage) -> str:
    """With one more message. before: the one that `answer` ends with."""
    if before is None or before.calls:
        return message.text
    between = "" if before.stop_reason in CUT or not (answer and message.text) else "\n\n"
    return answer + between + message.text


def answer_of(turn: Iterable[Body]) -> str:
    answer, before = "", None
    for body in turn:
        if isinstance(body, AssistantMessage):
            answer, before = extended(answer, before, body), body
    return answer
