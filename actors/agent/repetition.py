"""Whether a turn still learns anything: the same calls with the same results, answer after answer, are no progress.

Repetition alone says nothing (tests are run again, logs looked at again): what counts is that nothing was new. Pure.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from actors.messages.conversation import AssistantMessage, Body, ToolResult, UserMessage

NUDGES_AT = (3, 10, 20)
"""Until then it is only said: who has a reason to go on does."""
PAUSES_AT = 30
"""Answers without anything new: after the last nudge, too."""
LONGEST_ROUND = 4
"""Answers that take turns: who looks at two files again and again learns as little as who looks at one."""
WAITING = frozenset(("bash_output", "ask_user", "agent_result", "list_agents"))
"""Calls that may well say the same for a long time."""
NOTE = "\n\n[You have made the same calls {times} times in a row and got the same results"
REST = ". Nothing new will come of it: try something else, or say what is in the way.]"
PAUSED = (
    "no progress: {number} answers in a row made calls that were made before and got the same results. "
    'Say "go on", or what to do instead.'
)

_Step = frozenset[tuple[str, str, str]]


def repeated(turn: Sequence[Body]) -> int:
    """How often in a row the latest answer, or the latest few, made the same calls and got the same results."""
    return next((rounds for rounds, _ in _rounds(turn)), 0)


def noted(turn: Sequence[Body], result: ToolResult) -> ToolResult:
    """The result of a call of this turn, before it is saved; with a note for the model where it is one too many."""
    times = repeated([*turn, result])
    if times not in NUDGES_AT:
        return result
    return msgspec.structs.replace(result, output=result.output + NOTE.format(times=times) + REST)


def pause(turn: Sequence[Body]) -> str:
    """Why the turn has to stop until the user says something; "" while it may still learn something."""
    for rounds, length in _rounds(turn):
        if rounds > NUDGES_AT[0] and rounds * length >= PAUSES_AT:
            return PAUSED.format(number=rounds * length)
    return ""


def _rounds(turn: Sequence[Body]) -> Iterator[tuple[int, int]]:
    """How often, and how many answers each time; nothing where something is waited for."""
    steps = list(islice(_steps(turn), PAUSES_AT + LONGEST_ROUND))
    if not steps or not steps[0]:
        return
    for length in range(1, LONGEST_ROUND + 1):
        if any(name in WAITING for step in steps[:length] for name, _, _ in step):
            return
        alike = _alike(steps, length)
        if alike and alike % length == 0:
            yield 1 + alike // length, length


def _alike(steps: Sequence[_Step], apart: int) -> int:
    """So many of the latest are as the one so many before it was."""
    count = 0
    for later, earlier in zip(steps, steps[apart:], strict=False):
        if later != earlier:
            break
        count += 1
    return count


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
