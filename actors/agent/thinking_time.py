"""How long is thought before an answer says anything: noted by the agent, for a screen may die in between."""

import time

from msgspec.structs import replace

from actors.messages.model import Answer, Retrying, TextDelta, ThinkingDelta

Delta = TextDelta | ThinkingDelta | Retrying


class ThinkingTime:
    """Of one answer."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._until: float | None = None

    def heard(self, delta: Delta) -> Delta:
        """With its time where thinking begins or ends with it."""
        match delta:
            case ThinkingDelta() if self._since is None and delta.text.strip():
                self._since = time.time()
                return replace(delta, at=self._since)
            case TextDelta() if self._since is not None and self._until is None:
                self._until = max(time.time(), self._since)
                return replace(delta, at=self._until)
            case Retrying():
                self._since = self._until = None
            case _:
                pass
        return delta

    def of(self, answer: Answer) -> Answer:
        """The whole one, which is there now."""
        if self._since is None:
            return answer
        until = max(time.time(), self._since) if self._until is None else self._until
        thought_ms = round((until - self._since) * 1000)
        return replace(answer, message=replace(answer.message, thought_ms=thought_ms))
