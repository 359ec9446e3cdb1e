"""Running one tool call: ask the gate, write "started" down, let the worker run it, always end with a result."""

from collections.abc import Awaitable, Callable

import msgspec

from actors.agent.hook_moments import Hooks, with_context
from actors.agent.session.history import OUTCOME_UNKNOWN
from actors.agent.session.watchers import Watchers
from actors.errors import ActorDied, Failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.tool import Allowed, Authorise, Denied, RunTool, ToolProgress
from actors.settings.tool_names import OF_THE_AGENT

TICKETS = 3
"""How often a gate that died between its yes and the run may be asked again."""


class Ways(msgspec.Struct, frozen=True):
    """Of whoever makes the calls."""

    wanted: Callable[[ToolCall], Awaitable[Authorise]]
    """Raises Failed: of a call that can come to nothing."""
    write_down: Callable[[ToolCall], Awaitable[None]]
    """That it is started, on disk when it returns. Raises Failed."""
    own: Callable[[ToolCall], Awaitable[ToolResult]]
    """Runs a call of the agent's own tools, which may be run again."""


class ToolCalls:
    def __init__(
        self,
        mailbox: Mailbox,
        watchers: Watchers,
        hooks: Hooks,
        ways: Ways,
    ) -> None:
        self._mailbox = mailbox
        self._watchers = watchers
        self._hooks = hooks
        self._ways = ways

    async def run(self, call: ToolCall) -> ToolResult:
        """Raises Failed only when the start cannot be saved."""
        try:
            wanted = await self._ways.wanted(call)
        except Failed as failure:
            return _error(call, failure)
        return await self._judged(call, wanted)

    async def _judged(self, call: ToolCall, wanted: Authorise) -> ToolResult:
        """Raises Failed as `run`."""
        started = False
        await self._hooks.before_call()
        for _ in range(TICKETS):
            try:
                verdict = await self._mailbox.insist("gate", wanted, Message)
            except Failed as failure:
                return _error(call, failure)
            if isinstance(verdict, ToolResult):  # of a call that only looks, which whoever dies may be asked for again
                return await self._hooks.post_tool(call, verdict)
            if not isinstance(verdict, Allowed):
                return _denied(call, verdict)
            if call.name in OF_THE_AGENT:
                result = await self._ways.own(verdict.call or call)
                return await self._hooks.post_tool(call, with_context(result, verdict.context))
            if not started:
                await self._ways.write_down(call)
                started = True
            try:
                result = await self._run(RunTool(call=call, ticket=verdict.ticket))
                return await self._hooks.post_tool(call, with_context(result, verdict.context))
            except ActorDied:
                return ToolResult(call_id=call.call_id, name=call.name, output=OUTCOME_UNKNOWN, failed=True)
            except Failed as failure:
                if failure.problem.code != "unknown_ticket":
                    return _error(call, failure)
        return ToolResult(call_id=call.call_id, name=call.name, output="the gate kept dying; not run.", failed=True)

    async def _run(self, request: RunTool) -> ToolResult:
        async with self._mailbox.stream("gate", request) as stream:
            async for progress in stream:
                if isinstance(progress, ToolProgress):
                    await self._watchers.emit(progress)
            return await stream.result(ToolResult)


def _denied(call: ToolCall, verdict: Message) -> ToolResult:
    reason, remedy = (verdict.reason, verdict.remedy) if isinstance(verdict, Denied) else ("denied", "")
    return ToolResult(call_id=call.call_id, name=call.name, output=reason, summary=remedy, failed=True, denied=True)


def _error(call: ToolCall, failure: Failed) -> ToolResult:
    return ToolResult(call_id=call.call_id, name=call.name, output=str(failure), failed=True)
