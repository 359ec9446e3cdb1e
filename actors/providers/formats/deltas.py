"""What of an answer is told to whoever asked while it comes. No I/O."""

from collections.abc import Iterable, Iterator

from actors.messages.model import TextDelta, ThinkingDelta
from actors.providers.faults.fault import ServiceFailed
from actors.providers.formats.wire_format import Delta


def merged(deltas: Iterable[Delta]) -> Iterator[Delta]:
    """One delta for neighbours of one kind: a screen or a log is not interested in tokens.

    When reading them fails, what came before is told first.
    """
    texts: list[str] = []
    kind: type[TextDelta] | type[ThinkingDelta] = TextDelta
    failure: ServiceFailed | None = None
    try:
        for delta in deltas:
            if not isinstance(delta, kind) and texts:
                yield kind(text="".join(texts))
                texts.clear()
            if isinstance(delta, TextDelta | ThinkingDelta):
                kind = type(delta)
                texts.append(delta.text)
            else:
                yield delta
    except ServiceFailed as error:
        failure = error
    if texts:
        yield kind(text="".join(texts))
    if failure is not None:
        raise failure
