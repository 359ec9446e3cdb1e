"""What goes on in the place of entries that are sent no more: the user's words, the plan, the todo list, a summary.

Short messages of the user are never cut. Only where all of them together are more than the share of the window that
is theirs, the oldest long ones are cut first, and at last the oldest are left out, which is said. Pure.
"""

from collections.abc import Iterable, Sequence

import msgspec

from actors.agent.compaction import cut, estimate
from actors.agent.compaction.window import PLAN, SAID, SAID_IN_ALL, SUMMARY, TODO, Window
from actors.common.attachments import leave_out
from actors.messages.conversation import (
    AssistantMessage,
    Carried,
    ModelInput,
    ToolCall,
    ToolResult,
    UserMessage,
)

SHORT = 1000
"""Characters of a message that is never cut."""
HUGE = 8000
"""Of one that is cut whatever room there is: a paste."""
NUMBER = 2
"""Tokens before each of them."""
ATTACHED = "it was sent with this message, and is not sent again"
LEFT_OUT = "[{number} earlier messages of the user are left out here: they no longer fit]"
PRESENT_PLAN, APPROVED = "present_plan", "plan approved"
"""A tool of the gate, and the summary of its result."""
TODO_TOOL = "todo"
OPENING = (
    "These are the program's words, not the user's. The conversation grew too long to be sent whole: what was before "
    "this is replaced by the following. Go on from it as if you remembered it; do not answer it."
)
SAID_HEAD = (
    "What the user said until then, word for word, oldest first, each with its number. It still holds; where two of "
    "these contradict each other, the later one counts:"
)
PLAN_HEAD = "The plan that the user approved, word for word:"
TODO_HEAD = "The list of steps (`todo`) as it was noted last:"
SUMMARY_HEAD = (
    "A summary of all the rest. It reports; nothing in it is an order of the user. What exactly was said or printed is "
    "found with the tool `recall`:"
)


def gathered(before: Carried, dropped: Sequence[ModelInput], summary: str) -> Carried:
    """before: what was carried until now."""
    said = (leave_out(one, lambda _one: ATTACHED) for one in dropped if isinstance(one, UserMessage) and one.prompt_id)
    return Carried(
        said=(*before.said, *(one.text for one in said if isinstance(one, UserMessage))),
        plan=_argument_plan(dropped) or before.plan,
        todo=_last(TODO_TOOL, dropped) or before.todo,
        summary=summary,
    )


def fitted(carried: Carried, window: Window) -> Carried:
    """Cut to its shares of the window; as it is where that is not known."""
    if not window.tokens:
        return carried
    chars = estimate.BYTES
    return Carried(
        said=_said(carried.said, window),
        plan=cut.middle(carried.plan, window.share(PLAN) * chars),
        todo=cut.middle(carried.todo, window.share(TODO) * chars),
        summary=cut.middle(carried.summary, window.share(SUMMARY) * chars),
    )


def _said(said: tuple[str, ...], window: Window) -> tuple[str, ...]:
    texts = [cut.middle(text, HUGE) for text in said]
    over = _tokens(texts) - window.share(SAID)
    for place, text in enumerate(texts):
        if over > 0 and len(text) > SHORT:
            texts[place] = cut.middle(text, SHORT)
            over -= estimate.of_text(text) - estimate.of_text(texts[place])
    over = _tokens(texts) - window.share(SAID_IN_ALL)
    first = 0
    while over > 0 and first < len(texts) - 1:
        over -= estimate.of_text(texts[first]) + NUMBER
        first += 1
    if first:
        return (LEFT_OUT.format(number=_left_out(texts[:first])), *texts[first:])
    return tuple(texts)


def _left_out(texts: Sequence[str]) -> int:
    """Also those that an earlier such line counts."""
    head, tail = LEFT_OUT.split("{number}")
    first = texts[0]
    before = first[len(head) : -len(tail)] if first.startswith(head) and first.endswith(tail) else ""
    return len(texts) - 1 + int(before) if before.isdigit() else len(texts)


def as_message(carried: Carried) -> UserMessage:
    said = "\n".join(f"[{number}] {text}" for number, text in enumerate(carried.said, 1))
    parts = ((SAID_HEAD, said), (PLAN_HEAD, carried.plan), (TODO_HEAD, carried.todo), (SUMMARY_HEAD, carried.summary))
    text = "\n\n".join([OPENING, *(f"{head}\n\n{part}" for head, part in parts if part)])
    return UserMessage(text=text, turn_id="")


def _tokens(texts: Iterable[str]) -> int:
    return sum(estimate.of_text(text) + NUMBER for text in texts)


def _argument_plan(messages: Sequence[ModelInput]) -> str:
    arguments = _last(PRESENT_PLAN, messages, APPROVED)
    if not arguments:
        return ""
    try:
        return msgspec.json.decode(arguments, type=_Plan).plan
    except msgspec.DecodeError:
        return arguments


class _Plan(msgspec.Struct):
    plan: str


def _last(tool: str, messages: Iterable[ModelInput], summary: str = "") -> str:
    """Arguments of the last call of a tool that has worked; summary: of its result, "" for any."""
    calls: dict[str, ToolCall] = {}
    found = ""
    for message in messages:
        match message:
            case AssistantMessage(calls=made):
                calls |= {call.call_id: call for call in made if call.name == tool}
            case ToolResult(call_id=call_id, failed=False, denied=False) if call_id in calls:
                found = calls[call_id].arguments if summary in ("", message.summary) else found
            case _:
                continue
    return found
