"""What a subagent may at most: never more than its parent in the mode that is on now, and never what asks or spawns."""

from actors.gate import own_tools
from actors.gate.decision import BUILT_IN, Decision
from actors.messages.model import ToolSpec
from actors.messages.subagent import Confine
from actors.messages.tool import Mode
from actors.settings.mcp import names
from actors.texts.agents import agent_tools, claude_format

CONFINED = "confined"
"""The name of this as a rule."""
NEVER = frozenset(tool.name for tool in (*own_tools.ASKING, *agent_tools.ALL))
FINDING = frozenset(tool.name for tool in own_tools.FINDING)
"""They find and call no more than it may use."""
READING: dict[Mode, Mode] = {
    "default": "research",
    "accept-edits": "research",
    "plan": "plan",
    "auto": "plan",
    "research": "research",
}
"""By its parent's mode: the one of those that only look which lets no more of the web unasked than that does."""
WRITING: dict[Mode, Mode] = {
    "default": "accept-edits",
    "accept-edits": "accept-edits",
    "plan": "plan",
    "auto": "auto",
    "research": "research",
}
"""The same where it writes in a worktree: what it writes there is looked at when it is merged."""


def mode_of(confined: Confine, parents: Mode) -> Mode:
    return (READING if confined.read_only else WRITING)[parents]


def told_mode(mode: Mode) -> Mode:
    """For its model: it presents no plan."""
    return "research" if mode == "plan" else mode


def offers(confined: Confine, spec: ToolSpec) -> bool:
    """Whether its model sees the tool: what it can never use is only in its way."""
    changes = spec.effect == "write" or (spec.runs_in == "mcp" and spec.effect != "read")
    return not barred(confined, spec.name, spec) and not (confined.read_only and changes)


def barred(confined: Confine, name: str, spec: ToolSpec | None) -> Decision | None:
    """None where the rules decide. spec: None for a tool that there is not."""
    if name in NEVER:
        why = "an agent that was spawned does not ask the user, and spawns no others"
    elif confined.tools and name not in (*confined.tools, *FINDING) and not _is_served(confined, spec):
        why = f"this type of agent does not have {name}"
    else:
        return None
    return Decision("deny", CONFINED, BUILT_IN, why)


def _is_served(confined: Confine, spec: ToolSpec | None) -> bool:
    """By a server that it may use, or reads resources, which stands in lists by the name that models have for it."""
    if spec is None or not spec.server:
        return False
    if spec.server_tool == names.READING and names.READ_TOOL in confined.tools:
        return True
    return claude_format.has(confined.tools, spec.server, spec.server_tool)
