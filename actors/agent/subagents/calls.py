"""The model's calls about subagents, once they are allowed. Run again after a death, each does the same again."""

import time
from collections.abc import Awaitable, Callable

import msgspec

from actors.agent.session.history import unanswered
from actors.agent.session.ledger import Subagent, told
from actors.agent.subagents.subagents import Subagents
from actors.common.own_tools import parsed
from actors.common.plurals import how_many
from actors.errors import Failed
from actors.messages.checkpoint import WorktreeMerged
from actors.messages.conversation import Body, ToolCall, ToolResult
from actors.messages.subagent import SubagentEnded
from actors.messages.tool import Merging
from actors.texts.agents.agent_tools import (
    CANCEL,
    LIST,
    MERGE,
    RESULT,
    SEND,
    SPAWN,
    AgentResult,
    CancelAgent,
    MergeAgent,
    SendToAgent,
    SpawnAgent,
)

BEGUN = 'Agent "{name}" runs in the background. agent_result("{name}") waits for its answer.'
TOLD = 'Agent "{name}" reads this before its next step.'
GOES_ON = 'Agent "{name}" had ended, and goes on with this. agent_result("{name}") waits for its answer.'
NONE = "There are none yet."


class AgentCalls:
    def __init__(self, subagents: Subagents, before_merge: Callable[[], Awaitable[tuple[Body, ...]]]) -> None:
        self._subagents = subagents
        self._before_merge = before_merge
        self._shown: dict[str, str] = {}
        """Call -> id of the patch that was judged, which the user may have seen."""

    async def run(self, call: ToolCall) -> ToolResult:
        began = time.monotonic()
        try:
            result = await self._run(call)
        except Failed as failure:
            result = _said(call, str(failure), failed=True)
        return _timed(result, time.monotonic() - began)

    async def merging(self, call: ToolCall) -> Merging | None:
        """What a call to merge would bring; None of any other, and where that can not be said.

        Raises Failed where nothing can be merged: nobody need be asked about that.
        """
        if call.name != MERGE.name:
            return None
        wanted = parsed(call, MergeAgent)
        try:
            merging = await self._subagents.merging(wanted.name, wanted.paths)
        except Failed as failure:
            if failure.problem.code == "bad_request":
                raise
            return None  # the call itself tells why
        self._shown[call.call_id] = merging.id
        return merging

    async def _run(self, call: ToolCall) -> ToolResult:
        """Raises Failed."""
        subagents = self._subagents
        match call.name:
            case SPAWN.name:
                return await self._spawn(call, parsed(call, SpawnAgent))
            case LIST.name:
                return _said(call, subagents.listed() or NONE)
            case RESULT.name:
                return of_end(call, await subagents.ended(parsed(call, AgentResult).name))
            case SEND.name:
                return await self._send(call, parsed(call, SendToAgent))
            case CANCEL.name:
                one = subagents.one(parsed(call, CancelAgent).name)
                await subagents.cancel([one])
                return _said(call, told(one.outcome), summary=one.outcome.state)
            case MERGE.name:
                return await self._merge(call, parsed(call, MergeAgent))
            case _:
                return _said(call, f"there is no tool {call.name} here.", failed=True)

    async def _spawn(self, call: ToolCall, wanted: SpawnAgent) -> ToolResult:
        """Raises Failed."""
        one = await self._subagents.spawn(call.call_id, wanted)
        if wanted.background:
            return _said(call, BEGUN.format(name=one.name), summary=f"{one.name}: in the background")
        return of_end(call, await self._subagents.ended(one.name))

    async def _merge(self, call: ToolCall, wanted: MergeAgent) -> ToolResult:
        """Raises Failed."""
        seen = self._shown.pop(call.call_id, "")
        merged = await self._subagents.merge(wanted.name, wanted.paths, seen, self._before_merge)
        return _of_merge(call, wanted.name, merged)

    async def _send(self, call: ToolCall, wanted: SendToAgent) -> ToolResult:
        """Raises Failed."""
        session_id = self._subagents.one(wanted.name).spawned.session_id
        goes_on = await self._subagents.say(wanted.name, f"{session_id}/{call.call_id}", wanted.message)
        return _said(call, (GOES_ON if goes_on else TOLD).format(name=wanted.name))


def results_of_cancelled(subagents: Subagents, turn: list[Body]) -> list[ToolResult]:
    """Of calls of a turn that is closed, and that had waited for subagents which have ended by now."""
    spawning = [call for call in unanswered(turn) if call.name == SPAWN.name]
    found = [(call, one) for call in spawning if (one := _spawned_by(subagents, call))]
    return [of_end(call, one.ended) for call, one in found if one.ended is not None]


def _spawned_by(subagents: Subagents, call: ToolCall) -> Subagent | None:
    return next((one for one in subagents.ledger.all.values() if one.spawned.call_id == call.call_id), None)


def of_end(call: ToolCall, ended: SubagentEnded) -> ToolResult:
    first = ended.summary.strip().partition("\n")[0]
    return _said(call, told(ended), failed=ended.state != "completed", summary=f"{ended.name} {ended.state}: {first}")


def _of_merge(call: ToolCall, name: str, merged: WorktreeMerged) -> ToolResult:
    if merged.conflicts:
        listed = "\n".join(f"- {conflict.path}: {conflict.why}" for conflict in merged.conflicts)
        number = how_many(len(merged.conflicts), "conflict")
        text = f"Nothing was changed, for there are conflicts:\n{listed}"
        return _said(call, text, failed=True, summary=f"{name}: {number}")
    listed = "\n".join(f"- {path}" for path in merged.files)
    warned = "".join(f"\n{warning}" for warning in merged.warnings)
    summary = f"{name}: {how_many(len(merged.files), 'file')} merged"
    return _said(call, f"In the workspace now:\n{listed}{warned}", summary=summary)


def _said(call: ToolCall, output: str, *, failed: bool = False, summary: str = "") -> ToolResult:
    return ToolResult(call_id=call.call_id, name=call.name, output=output, failed=failed, summary=summary)


def _timed(result: ToolResult, seconds: float) -> ToolResult:
    return msgspec.structs.replace(result, ms=round(seconds * 1000))
