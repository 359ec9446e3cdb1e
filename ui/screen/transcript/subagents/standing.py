"""The subagents of a session as the screen knows them: how each stands, and a piece for what becomes of one. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from actors.common.plurals import how_many
from actors.messages.conversation import ToolResult
from actors.messages.subagent import (
    SubagentEnded,
    SubagentEntry,
    SubagentIs,
    SubagentMerged,
    SubagentPrompted,
    SubagentsAre,
    SubagentSpawned,
)
from actors.messages.system import ActorGivenUp, ActorRestarted
from actors.texts.agents.agent_tools import MERGE
from ui.common import harmless
from ui.screen.terminal.piece import Piece
from ui.screen.transcript.subagents.blocks import Begun, Merged, Over, Steered

OVER = ("completed", "failed", "cancelled")


class Subagents:
    """What the agent tells of them counts until an entry says more."""

    def __init__(self) -> None:
        self._known: dict[str, SubagentIs] = {}
        """By name."""
        self._begun_by: set[str] = set()
        """Calls that each began one."""

    @property
    def all(self) -> Sequence[SubagentIs]:
        """In the order they were spawned."""
        return tuple(self._known.values())

    @property
    def at_work(self) -> Sequence[SubagentIs]:
        """Those that are not over."""
        return [one for one in self._known.values() if one.state not in OVER]

    @property
    def in_background(self) -> int:
        """How many work without the turn."""
        return sum(one.background for one in self.at_work)

    def begun_by(self, call_id: str) -> bool:
        """What became of this call is told as what becomes of the subagent that it began."""
        return call_id in self._begun_by

    def tells_of(self, result: ToolResult) -> bool:
        """All that it says of a call is said of a subagent already."""
        merged = result.name == MERGE.name and not result.failed
        return (merged or self.begun_by(result.call_id)) and not result.warning

    def awaited(self, *, background: bool) -> str:
        """In words, those at work that a turn waits for. background: also those that it does not wait for at once."""
        names = [harmless.one_line(one.name) for one in self.at_work if background or not one.background]
        return how_many(len(names), "agent") if len(names) > 1 else "".join(names)

    def named(self, name: str) -> SubagentIs | None:
        return self._known.get(name)

    def part(self, actor: str) -> str:
        """actor: the name of any, which that of a subagent's session is part of. For people."""
        kind, _, session = actor.partition(":sub:")
        for one in self._known.values():
            if one.session_id.replace(".", "-") == session.partition("~")[0]:
                return f"the agent {one.name}" if kind == "agent" else f"the worker of the agent {one.name}"
        return actor

    def died(self, told: ActorRestarted | ActorGivenUp) -> tuple[str, str]:
        """For people, and its level."""
        who, why = self.part(told.name), harmless.one_line(told.why)
        if isinstance(told, ActorGivenUp):
            return f"{who} is given up: {why}", "error"
        return f"{who} was restarted: {why}", "info"

    def are(self, told: SubagentsAre) -> None:
        self._known = {one.name: one for one in told.subagents}

    def hear(self, body: SubagentEntry, at: float, *, gap: bool) -> Piece:
        """at: when it was written, in seconds since the epoch. gap: an empty row comes before a block."""
        match body:
            case SubagentSpawned():
                self._begun_by.add(body.call_id)
                self._known[body.name] = SubagentIs(
                    name=body.name,
                    kind=body.kind,
                    session_id=body.session_id,
                    state="blocked" if body.depends_on else "pending",
                    background=body.background,
                    isolation="worktree" if body.worktree else "none",
                    started_at=at,
                )
                return Begun(body, gap)
            case SubagentPrompted(name=name):
                if (one := self.named(name)) and one.state in OVER:
                    self._known[name] = replace(one, state="pending", started_at=at, summary="")
                return Steered(body)
            case SubagentEnded(name=name):
                return self._ended(body, at, gap)
            case SubagentMerged(name=name):
                if one := self.named(name):
                    self._known[name] = replace(one, patch_files=0)
                return Merged(body, gap)

    def _ended(self, body: SubagentEnded, at: float, gap: bool) -> Piece:
        one = self.named(body.name)
        if one is None:  # it was spawned before what is shown of this session
            return Over(body, None, gap)
        self._known[body.name] = replace(
            one,
            agent="",
            state=body.state,
            doing="",
            used=body.used,
            last_event_at=at,
            summary=body.summary,
            patch_files=len(body.patch_files),
        )
        return Over(body, max(at - one.started_at, 0.0) if one.started_at else None, gap)
