"""Whether a turn still learns anything: the same calls with the same results, answer after answer, are no progress.

Repetition alone says nothing (tests are run again, logs looked at again): what counts is that nothing was new. Pure.
"""

from collections.abc import Iterator, Sequence

import msgspec

from actors.messages.conversation import AssistantMessage, Body, ToolResult, UserMessage

NUDGES_AT = (3, 10, 20, 30)
"""It is only said: who has a reason to go on does, and the turn's own limit ends what never stops."""
WAITING = ("bash_output", "ask_user")
"""Calls that may well say the same for a long time."""
NOTE = "\n\n[You have made the same calls {times} times in a row and got the same results"
REST = ". Nothing new will come of it: try something else, or say what is in the way.]"

_Step = frozenset[tuple[str, str, str]]


def repeated(turn: Sequence[Body]) -> int:
    """How many answers there are in a row, the latest ones, that made the same calls and got the same results."""
    steps = _steps(turn)
    latest = next(steps, frozenset[tuple[str, str, str]]())
    if not latest or any(name in WAITING for name, _, _ in latest):
        return 0
    count = 1
    for step in steps:
        if step != latest:
            break
        count += 1
    return count


def noted(turn: Sequence[Body], result: ToolResult) -> ToolResult:
    """The result of a call of this turn, before it is saved; with a note for the model where it is one too many."""
    times = repeated([*turn, result])
    if times not in NUDGES_AT:
        return result
    return msgspec.structs.replace(result, output=result.output + NOTE.format(times=times) + REST)


def _steps(turn: Sequence[Body]) -> Iterator[_Step]:
    """The answers with what their calls gave, the latest first; ends where the user said something."""
    results: dict[str, str] = {}
    for body in reversed(turn):
        match body:
            case ToolResult(call_id=call_id, output=output):
                results[call_id] = output.partition(NOTE.partition("{")[0])[0]
            case AssistantMessage(calls=calls):
                yield frozenset((call.name, call.arguments, results.get(call.call_id, "")) for call in calls)
            case UserMessage(prompt_id=prompt_id) if prompt_id:
                return
            case _:
                continue
