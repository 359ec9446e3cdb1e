"""Calls that a server runs as a task: begun, looked at until it is over, its result fetched, or cancelled."""

from collections.abc import Awaitable, Callable

import trio
from mcp import Client
from mcp_types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    CancelTaskRequest,
    CancelTaskRequestParams,
    CancelTaskResult,
    GetTaskPayloadRequest,
    GetTaskPayloadRequestParams,
    GetTaskRequest,
    GetTaskRequestParams,
    GetTaskResult,
    Task,
    TaskMetadata,
)

from actors.mcp import limits
from actors.mcp.errors import Refused
from actors.mcp.failures import FOREIGN
from actors.mcp.transports.mending import TASK

OVER = ("completed", "failed", "cancelled", "input_required")
"""Nothing is waited for any more; who asks for the result is asked what is still needed."""
CANCEL_S = 2.0
KEPT_MS = 600_000
"""How long the server is asked to keep the result."""


async def call(
    client: Client, tool: str, arguments: dict[str, object], tell: Callable[[str], Awaitable[None]]
) -> CallToolResult:
    """Raises Refused, and what the SDK raises."""
    params = CallToolRequestParams(name=tool, arguments=arguments, task=TaskMetadata(ttl=KEPT_MS))
    begun = await client.session.send_request(CallToolRequest(params=params), CallToolResult)
    given = (begun.meta or {}).get(TASK)
    if given is None:
        return begun  # it has run it at once
    task = Task.model_validate(given)
    try:
        await _over(client, task, tell)
    except trio.Cancelled:
        with trio.move_on_after(CANCEL_S) as scope:
            scope.shield = True
            await _cancel(client, task)
        raise
    wanted = GetTaskPayloadRequest(params=GetTaskPayloadRequestParams(task_id=task.task_id))
    return await client.session.send_request(wanted, CallToolResult)


async def _over(client: Client, task: Task, tell: Callable[[str], Awaitable[None]]) -> None:
    """Raises Refused: it was cancelled at the other end."""
    said = ""
    status, pause_ms = task.status, task.poll_interval
    while status not in OVER:
        pause_s = pause_ms / 1000 if pause_ms else limits.TASK_POLL_S
        await trio.sleep(min(pause_s, limits.TASK_POLL_MAX_S))
        looked = GetTaskRequest(params=GetTaskRequestParams(task_id=task.task_id))
        now = await client.session.send_request(looked, GetTaskResult)
        status, pause_ms = now.status, now.poll_interval
        if now.status_message and now.status_message != said:
            said = now.status_message
            await tell(f"{said}\n")
    if status == "cancelled":
        raise Refused("the server has cancelled it")


async def _cancel(client: Client, task: Task) -> None:
    try:
        params = CancelTaskRequestParams(task_id=task.task_id)
        await client.session.send_request(CancelTaskRequest(params=params), CancelTaskResult)
    except FOREIGN:
        return  # it is over, or nobody is there
