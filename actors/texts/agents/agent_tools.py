"""The tools for subagents, which the gate allows and the agent itself runs: their arguments, what is told of them."""

from pathlib import Path
from typing import Annotated

import msgspec

from actors.common.own_tools import spec
from actors.messages.model import ToolSpec, Touch
from actors.messages.subagent import Isolation

NAME = "^[a-z0-9]+(-[a-z0-9]+)*$"
MOST_NAMED = 32
"""Names in one call."""
MOST_TOKENS = 10**15
"""Nobody has more; and a number that an entry cannot hold would never be written down."""
Name = Annotated[str, msgspec.Meta(pattern=NAME, max_length=40, description="Small letters, digits and hyphens.")]
Known = Annotated[str, msgspec.Meta(min_length=1, description="The name it was spawned with.")]


class SpawnBudget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    usd: Annotated[float, msgspec.Meta(gt=0)] | None = None
    tokens: Annotated[int, msgspec.Meta(gt=0, le=MOST_TOKENS)] | None = None


class SpawnAgent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    prompt: Annotated[
        str, msgspec.Meta(min_length=1, description="All that it has to know: it sees nothing of this conversation.")
    ]
    type: Annotated[str, msgspec.Meta(min_length=1, description="One of the types that your instructions list.")] = (
        "general"
    )
    background: Annotated[bool, msgspec.Meta(description="Go on at once; agent_result gives its answer later.")] = False
    depends_on: Annotated[
        tuple[Known, ...],
        msgspec.Meta(max_length=MOST_NAMED, description="It starts when these have ended, with what they have found."),
    ] = ()
    isolation: Annotated[
        Isolation,
        msgspec.Meta(
            description="none: it only looks; worktree: it may write, in a copy of the repository of its own."
        ),
    ] = "none"
    budget: Annotated[
        SpawnBudget, msgspec.Meta(description="What it may use at most; left out: what is left to you.")
    ] = SpawnBudget()

    def __post_init__(self) -> None:
        """Raises ValueError, as any other that the pattern refuses."""
        if self.name.endswith("\n"):  # which $ lets by
            raise ValueError(f"Expected `str` matching regex '{NAME}' - at `$.name`")


class ListAgents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class AgentResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Known


class SendToAgent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Known
    message: Annotated[str, msgspec.Meta(min_length=1)]


class CancelAgent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Known


class MergeAgent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Known
    paths: Annotated[
        tuple[Annotated[str, msgspec.Meta(min_length=1)], ...],
        msgspec.Meta(description="Only these files of its patch, relative to the workspace; left out: all."),
    ] = ()


_HERE = Path(__file__).parent
SPAWN = spec(
    "spawn_agent", SpawnAgent, "agent", _HERE, "meta", Touch(scope="agent", argument="type", missing="general")
)
LIST = spec("list_agents", ListAgents, "agent", _HERE)
RESULT = spec("agent_result", AgentResult, "agent", _HERE)
SEND = spec("send_to_agent", SendToAgent, "agent", _HERE)
CANCEL = spec("cancel_agent", CancelAgent, "agent", _HERE)
MERGED = "files"
"""Where the gate puts what a merge would write, before it judges the call: no model says it."""
MERGE = spec("merge_agent", MergeAgent, "agent", _HERE, "write", Touch(scope="write", argument=f"{MERGED}[]"))
ALL: tuple[ToolSpec, ...] = (SPAWN, LIST, RESULT, SEND, CANCEL, MERGE)
ARGUMENTS: dict[str, type[msgspec.Struct]] = {
    SPAWN.name: SpawnAgent,
    LIST.name: ListAgents,
    RESULT.name: AgentResult,
    SEND.name: SendToAgent,
    CANCEL.name: CancelAgent,
    MERGE.name: MergeAgent,
}
