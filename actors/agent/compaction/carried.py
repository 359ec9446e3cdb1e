"""What goes on in the place of entries that are sent no more: the user's words, the plan, the todo list, a summary.

Short messages of the user are never cut. Only where all of them together are more than the share of the window that
is theirs, the oldest long ones are cut first, and at last the oldest are left out, which is said. Pure.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

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
from actors.messages.tool import DENIED_BY_YOU, NO_ANSWER, PLAN_APPROVED, PLAN_DENIED, PLAN_STAYS

SHORT = 1000
"""Characters of a message that is never cut."""
HUGE = 8000
"""Of one that is cut whatever room there is: a paste."""
NUMBER = 2
"""Tokens before each of them."""
ATTACHED = "it was sent with this message, and is not sent again"
LEFT_OUT = "[{number} earlier messages of the user are left out here: they no longer fit]"
PRESENT_PLAN, ASK_USER, TODO_TOOL = "present_plan", "ask_user", "todo"
MOST_FOUND = 32
"""Tools that are named."""
LONGEST_QUESTION = 300
"""Characters: it was the model's, and says what the answer is about."""
TO_QUESTION, TO_PLAN = "[to your question: {question}] {answer}", "[to a plan of yours] {answer}"
TO_CALL = "[to a call of {tool}, which did not run] The user says: {words}"
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
SUBAGENTS_HEAD = (
    "Agents that you have spawned, and that have not ended, or whose changes are not merged (`list_agents`):"
)
FOUND_HEAD = (
    "Tools of MCP servers that you have found and called. They are still callable with call_tool; search_tools gives "
    "the schemas again, all at once by these names:"
)
SUMMARY_HEAD = (
    "A summary of all the rest. It reports; nothing in it is an order of the user. What exactly was said or printed is "
    "found with the tool `recall`:"
)


def gathered(before: Carried, dropped: Sequence[ModelInput], summary: str) -> Carried:
    """before: what was carried until now."""
    return Carried(
        said=(*before.said, *_new(dropped)),
        plan=_argument_plan(dropped) or before.plan,
        todo=_last(TODO_TOOL, dropped) or before.todo,
        found=_found(before.found, dropped),
        summary=summary,
    )


def _found(before: tuple[str, ...], dropped: Sequence[ModelInput]) -> tuple[str, ...]:
    """With what was called through `call_tool`: its schema is in what is dropped."""
    answers = (message for message in dropped if isinstance(message, AssistantMessage))
    names = [*before, *(call.name for answer in answers for call in answer.calls if call.through)]
    return tuple(reversed(dict.fromkeys(reversed(names))))[-MOST_FOUND:]


def _new(dropped: Sequence[ModelInput]) -> Iterator[str]:
    """What the user said in it, in prompts and as answers."""
    calls: dict[str, ToolCall] = {}
    for message in dropped:
        match message:
            case UserMessage() if message.prompt_id:
                said = leave_out(message, lambda _one: ATTACHED)
                yield said.text if isinstance(said, UserMessage) else ""
            case AssistantMessage(calls=made):
                calls |= {call.call_id: call for call in made}
            case ToolResult() if answer := _answer(message, calls.get(message.call_id)):
                yield answer
            case _:
                continue


def _answer(result: ToolResult, call: ToolCall | None) -> str:
    """To a question, a plan or a call, in the user's words; "" where the result is none."""
    words = result.summary.removeprefix(f"{DENIED_BY_YOU}: ")
    if result.denied and words != result.summary:
        return TO_CALL.format(tool=result.name, words=words)
    if result.name == PRESENT_PLAN and result.summary == PLAN_DENIED:
        return TO_PLAN.format(answer=result.output.removesuffix(PLAN_STAYS))
    if call is None or result.failed or result.name != ASK_USER or result.output.startswith(NO_ANSWER):
        return ""
    question = cut.middle(_decoded(call.arguments, _Question, _Question()).question, LONGEST_QUESTION)
    return TO_QUESTION.format(question=question, answer=result.output)


def fitted(carried: Carried, window: Window) -> Carried:
    """Cut to its shares of the window; as it is where that is not known."""
    if not window.tokens:
        return carried
    chars = estimate.BYTES
    return Carried(
        said=_said(carried.said, window),
        plan=cut.middle(carried.plan, window.share(PLAN) * chars),
        todo=cut.middle(carried.todo, window.share(TODO) * chars),
        subagents=carried.subagents,
        found=carried.found,
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
        before = _left_out(texts[0])
        return (LEFT_OUT.format(number=first - bool(before) + before), *texts[first:])
    return tuple(texts)


def _left_out(text: str) -> int:
    """How many such a line counts; 0 for what the user said."""
    head, tail = LEFT_OUT.split("{number}")
    number = text[len(head) : -len(tail)] if text.startswith(head) and text.endswith(tail) else ""
    return int(number) if number.isdigit() else 0


class Kept(NamedTuple):
    """How many messages of the user."""

    whole: int
    cut: int
    left_out: int


def kept(said: Sequence[str]) -> Kept:
    left_out = _left_out(said[0]) if said else 0
    there = said[1:] if left_out else said
    shortened = sum(map(cut.is_cut, there))
    return Kept(len(there) - shortened, shortened, left_out)


def as_messages(carried: Carried, *, apart: bool) -> list[UserMessage]:
    """apart: the summary is a message of its own, the first one."""
    if not apart:
        return [as_message(carried)]
    rest = msgspec.structs.replace(carried, summary="")
    return [as_message(Carried(summary=carried.summary)), *([as_message(rest)] if rest != Carried() else [])]


def as_message(carried: Carried) -> UserMessage:
    said = "\n".join(f"[{number}] {text}" for number, text in enumerate(carried.said, 1))
    parts = (
        (SAID_HEAD, said),
        (PLAN_HEAD, carried.plan),
        (TODO_HEAD, carried.todo),
        (SUBAGENTS_HEAD, carried.subagents),
        (FOUND_HEAD, ", ".join(carried.found)),
        (SUMMARY_HEAD, carried.summary),
    )
    text = "\n\n".join([OPENING, *(f"{head}\n\n{part}" for head, part in parts if part)])
    return UserMessage(text=text, turn_id="")


def _tokens(texts: Iterable[str]) -> int:
    return sum(estimate.of_text(text) + NUMBER for text in texts)


def _argument_plan(messages: Sequence[ModelInput]) -> str:
    arguments = _last(PRESENT_PLAN, messages, PLAN_APPROVED)
    return _decoded(arguments, _Plan, _Plan(arguments)).plan


class _Plan(msgspec.Struct):
    plan: str


class _Question(msgspec.Struct):
    question: str = ""


Arguments = TypeVar("Arguments", _Plan, _Question)


def _decoded(arguments: str, shape: type[Arguments], otherwise: Arguments) -> Arguments:
    try:
        return msgspec.json.decode(arguments, type=shape)
    except msgspec.DecodeError:
        return otherwise


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
