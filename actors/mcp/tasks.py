"""Calls that a server runs as a task: begun, looked at until it is over, its result fetched, or cancelled.

Before 2026 they are asked for. Since then a server answers any call so, where the client has the extension.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

import trio
from mcp import Client
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.client.session import ClientRequestContext
from mcp_types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    CancelTaskRequest,
    CancelTaskRequestParams,
    EmptyResult,
    ErrorData,
    GetTaskPayloadRequest,
    GetTaskPayloadRequestParams,
    GetTaskRequest,
    GetTaskRequestParams,
    GetTaskResult,
    InputRequest,
    InputResponse,
    Request,
    RequestParams,
    Result,
    Task,
    TaskMetadata,
)

from actors.mcp import limits
from actors.mcp.eras import FIRST_STATELESS
from actors.mcp.errors import Refused
from actors.mcp.failures import FOREIGN
from actors.mcp.transports.mending import TASK, mended

OVER = ("completed", "failed", "cancelled", "input_required")
"""Nothing is waited for any more; who asks for the result is asked what is still needed."""
CANCEL_S = 2.0
KEPT_MS = 600_000
"""How long the server is asked to keep the result."""
Tell = Callable[[str], Awaitable[None]]


async def call(client: Client, tool: str, arguments: dict[str, object], tell: Tell) -> CallToolResult:
    """As servers before 2026 have it. Raises Refused, and what the SDK raises."""
    params = CallToolRequestParams(name=tool, arguments=arguments, task=TaskMetadata(ttl=KEPT_MS))
    begun = await client.session.send_request(CallToolRequest(params=params), CallToolResult)
    given = (begun.meta or {}).get(TASK)
    if given is None:
        return begun  # it has run it at once
    task = Task.model_validate(given)
    async with _cancelled_with_us(client, CancelTaskRequest(params=CancelTaskRequestParams(task_id=task.task_id))):
        await _over(client, task, tell)
    wanted = GetTaskPayloadRequest(params=GetTaskPayloadRequestParams(task_id=task.task_id))
    return await client.session.send_request(wanted, CallToolResult)


async def _over(client: Client, task: Task, tell: Tell) -> None:
    """Raises Refused: it was cancelled at the other end."""
    said = ""
    status, pause_ms = task.status, task.poll_interval
    while status not in OVER:
        await _pause(pause_ms)
        looked = GetTaskRequest(params=GetTaskRequestParams(task_id=task.task_id))
        now = await client.session.send_request(looked, GetTaskResult)
        status, pause_ms = now.status, now.poll_interval
        if now.status_message and now.status_message != said:
            said = now.status_message
            await tell(f"{said}\n")
    if status == "cancelled":
        raise Refused("the server has cancelled it")


class Begun(Result):
    """SEP-2663: in the place of a result."""

    result_type: Literal["task"] = "task"
    task_id: str


class Extension(ClientExtension):
    """We can be answered so."""

    identifier = "io.modelcontextprotocol/tasks"

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return (ResultClaim(result_type="task", model=Begun, resolve=_noted),)


async def _noted(begun: Begun, _context: ClaimContext) -> CallToolResult:
    """For `finished`, which knows whom to tell of it."""
    return CallToolResult(content=[], _meta={TASK: begun.task_id})


class State(Result):
    """Of a task of 2026."""

    status: Literal["working", "input_required", "completed", "failed", "cancelled"]
    status_message: str = ""
    poll_interval_ms: int | None = None
    result: dict[str, Any] | None = None
    error: ErrorData | None = None
    input_requests: dict[str, InputRequest] | None = None


class _Look(GetTaskRequest):
    name_param = "taskId"


class _Cancel(CancelTaskRequest):
    name_param = "taskId"


class _Answers(RequestParams):
    task_id: str
    input_responses: dict[str, InputResponse]


class _Update(Request[_Answers, Literal["tasks/update"]]):
    method: Literal["tasks/update"] = "tasks/update"
    name_param = "taskId"


async def finished(client: Client, result: CallToolResult, tell: Tell) -> CallToolResult:
    """What becomes of it, where it is a task since 2026. Raises Refused, and what the SDK raises."""
    task_id = (result.meta or {}).get(TASK)
    if not isinstance(task_id, str) or client.protocol_version < FIRST_STATELESS:
        return result
    async with _cancelled_with_us(client, _Cancel(params=CancelTaskRequestParams(task_id=task_id))):
        last = await _last(client, task_id, tell)
    if last.status == "completed":
        return CallToolResult.model_validate(mended("tools/call", last.result or {}), by_name=False)
    if last.status == "cancelled":
        raise Refused("the server has cancelled it")
    raise Refused(last.error.message if last.error else last.status_message or "its task has failed")


async def _last(client: Client, task_id: str, tell: Tell) -> State:
    """Raises Refused: what it asks for there is nobody to tell."""
    said, answered = "", set[str]()
    while True:
        look = _Look(params=GetTaskRequestParams(task_id=task_id))
        now = await client.session.send_request(look, State)
        if now.status_message and now.status_message != said:
            said = now.status_message
            await tell(f"{said}\n")
        if now.status not in ("working", "input_required"):
            return now
        if asked := {key: one for key, one in (now.input_requests or {}).items() if key not in answered}:
            answered |= asked.keys()
            await _answer(client, task_id, asked)
        else:
            await _pause(now.poll_interval_ms)


async def _answer(client: Client, task_id: str, asked: dict[str, InputRequest]) -> None:
    """Raises Refused."""
    context = ClientRequestContext(session=client.session, request_id=task_id)
    answers: dict[str, InputResponse] = {}
    for key, one in asked.items():
        answer = await client.session.dispatch_input_request(context, one)
        if isinstance(answer, ErrorData):
            raise Refused(f"it asks for what cannot be given: {answer.message}")
        answers[key] = answer
    await client.session.send_request(_Update(params=_Answers(task_id=task_id, input_responses=answers)), EmptyResult)


async def _pause(asked_ms: int | None) -> None:
    """Between two looks."""
    await trio.sleep(min(asked_ms / 1000 if asked_ms else limits.TASK_POLL_S, limits.TASK_POLL_MAX_S))


@asynccontextmanager
async def _cancelled_with_us(client: Client, cancel: CancelTaskRequest) -> AsyncIterator[None]:
    """Nobody waits for it any more, so the server need not go on."""
    try:
        yield
    except (trio.Cancelled, Refused):
        with trio.move_on_after(CANCEL_S, shield=True), suppress(*FOREIGN):  # it is over, or nobody is there
            await client.session.send_request(cancel, EmptyResult)
        raise
