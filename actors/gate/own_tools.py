"""The gate's own tools: their arguments, and of those that ask the user questions and answers. Pure."""

from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec

from actors.common.own_tools import parsed, spec
from actors.errors import failed
from actors.messages.conversation import Effect, ToolCall
from actors.messages.model import ToolSpec
from actors.messages.tool import NO_ANSWER, Choice, Mode, UserAnswered, UserAsked
from actors.settings.tool_names import CALL_TOOL, SEARCH_TOOLS
from actors.texts import memory
from actors.texts.memory import NotRemembered

MOST_CHOICES = 6
UNANSWERED = "unanswered"
"""What Esc gives to a question of the model: it is none of the choices."""
SAYS_NOTHING = f"{NO_ANSWER} Decide it yourself and say what you assumed, or go on with something else."


class AskUser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    question: Annotated[str, msgspec.Meta(min_length=1, description="One question, complete in itself.")]
    choices: Annotated[
        tuple[Annotated[str, msgspec.Meta(min_length=1)], ...],
        msgspec.Meta(max_length=MOST_CHOICES, description="Short answers, the recommended one first."),
    ] = ()
    details: Annotated[str, msgspec.Meta(description="What the user has to know to answer; Markdown.")] = ""


class PresentPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    plan: Annotated[str, msgspec.Meta(min_length=1, description="The whole plan; Markdown.")]


class ProposeMemory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=memory.LONGEST, description="One sentence.")]


class LoadSkill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, description="As your instructions list it.")]
    file: Annotated[
        str, msgspec.Meta(description="A file of the skill, relative to it; left out: the skill itself.")
    ] = ""


class RecallSaid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            description="All of them have to be in one message; the last one may be the beginning of a word.",
        ),
    ]


class SearchTools(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[
        str, msgspec.Meta(min_length=1, max_length=1000, description="Words of what you want to do, or names of tools.")
    ]


class CallTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tool: Annotated[str, msgspec.Meta(min_length=1, description="Its name, as search_tools gave it.")]
    arguments: Annotated[dict[str, Any], msgspec.Meta(description="As its schema says.")] = {}


def _spec(name: str, arguments: type[msgspec.Struct], effect: Effect = "meta") -> ToolSpec:
    return spec(name, arguments, "gate", Path(__file__).parent, effect)


ASK_USER = _spec("ask_user", AskUser)
PRESENT_PLAN = _spec("present_plan", PresentPlan)
SKILL = _spec("skill", LoadSkill, "read")
RECALL = _spec("recall", RecallSaid, "read")
REMEMBER = _spec("remember", ProposeMemory)
FINDING = (_spec(SEARCH_TOOLS, SearchTools, "read"), _spec(CALL_TOOL, CallTool))
"""In the place of tools of MCP servers that are many."""
ASKING = (ASK_USER, PRESENT_PLAN, REMEMBER)
ALL = (*ASKING, SKILL, RECALL, *FINDING)

PLAN_CHOICES = (
    Choice(id="approve", key="1", label="approve: write PLAN.md and carry it out"),
    Choice(id="deny", key="2", label="deny, and say what has to be different", takes_text=True, refuses=True),
    Choice(id="leave", key="3", label="leave plan mode without approving it"),
    Choice(id="fresh", key="4", label="approve, and carry it out in a fresh session that knows only the plan"),
)

MEMORY_CHOICES = (
    Choice(id="remember", key="y", label="yes, in every session from now on"),
    Choice(id="reword", key="w", label="yes, in other words", takes_text=True),
    Choice(id="no", key="n", label="no", refuses=True),
)


def offered(*, interactive: bool, skilled: bool) -> tuple[ToolSpec, ...]:
    """skilled: there may be a skill."""
    return (*(ASKING if interactive else ()), *((SKILL,) if skilled else ()), RECALL)


def asks(name: str) -> bool:
    """Whether the tool of this name is a question to the user."""
    return any(tool.name == name for tool in ASKING)


def check(agent: str, call: ToolCall) -> None:
    """Raises Failed for arguments that the tool does not take."""
    if call.name == SKILL.name:
        parsed(call, LoadSkill)
    elif call.name == RECALL.name:
        parsed(call, RecallSaid)
    elif call.name == SEARCH_TOOLS:
        parsed(call, SearchTools)
    elif call.name == CALL_TOOL:
        refuse_made(call)
    else:
        question(agent, call)


def refuse_made(call: ToolCall) -> NoReturn:
    """Its agent makes it the call that is meant; what comes here is none. Raises Failed."""
    name = parsed(call, CallTool).tool
    raise failed("no_such_tool", f'"{name}" is no tool of an MCP server.', "Find one with search_tools.")


def refusal(name: str, mode: Mode, *, interactive: bool) -> str:
    """Why this tool cannot be used now; "" where it can."""
    if name == PRESENT_PLAN.name and mode != "plan":
        return "there is no plan to be approved: this is not plan mode. Go on with the work, or answer."
    if not interactive and name == PRESENT_PLAN.name:
        return "nobody is there to approve a plan. Give the plan as your answer."
    if not interactive and name == REMEMBER.name:
        return "nobody is there to say yes. Say in your answer what should be remembered."
    if not interactive:
        return "nobody is there to answer. Decide it yourself and say what you assumed."
    return ""


def question(agent: str, call: ToolCall) -> UserAsked:
    """Raises Failed for arguments that are wrong."""
    if call.name == PRESENT_PLAN.name:
        return UserAsked(
            agent=agent,
            kind="plan",
            title="The plan",
            detail=plan_of(call),
            risk="approving it lets the agent write",
            choices=PLAN_CHOICES,
            default="deny",
            escape="deny",
            call=call,
        )
    if call.name == REMEMBER.name:
        line = memory_of(call)
        return UserAsked(
            agent=agent,
            kind="approval",
            title=line,
            detail=line,
            risk="it is told to the model in every session, in every folder",
            choices=MEMORY_CHOICES,
            default="no",
            escape="no",
            call=call,
        )
    asked = parsed(call, AskUser)
    own = Choice(id="other", key="o", label="something else", takes_text=True)
    given = [Choice(id=f"choice-{n}", key=str(n), label=label) for n, label in enumerate(asked.choices, 1)]
    return UserAsked(
        agent=agent,
        kind="question",
        title=asked.question,
        detail=asked.details,
        choices=(*given, own),
        default=given[0].id if given else own.id,
        escape=UNANSWERED,
        call=call,
    )


def plan_of(call: ToolCall) -> str:
    """Raises Failed."""
    return parsed(call, PresentPlan).plan


def memory_of(call: ToolCall) -> str:
    """The line that is proposed. Raises Failed."""
    try:
        return memory.line(parsed(call, ProposeMemory).text)
    except NotRemembered as why:
        raise failed("bad_arguments", str(why)) from why


def remembered(call: ToolCall, answered: UserAnswered, home: Path) -> str:
    """Writes what the user said yes to, and says so to the model. Raises Failed."""
    own = answered.text.strip()
    if answered.choice != "remember" and not (answered.choice == "reword" and own):
        return "The user does not want this remembered. Do not propose it again."
    try:
        memory.add(home, own if answered.choice == "reword" else parsed(call, ProposeMemory).text)
    except NotRemembered as why:
        raise failed("tool_failed", str(why)) from why
    return f"The user said yes{f', in these words: {own}' if answered.choice == 'reword' else ''}. It is remembered."


def answer_to(asked: UserAsked, answered: UserAnswered) -> str:
    """What the model is told of the answer to its question."""
    chosen = next((choice for choice in asked.choices if choice.id == answered.choice), None)
    text = answered.text.strip()
    if chosen is None or (chosen.takes_text and not text):
        return SAYS_NOTHING
    return f"The user says: {text}" if chosen.takes_text else f"The user chose: {chosen.label}"
