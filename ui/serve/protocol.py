"""What a client sees of us: the tools, their results, and the questions to its user, in both eras of the protocol."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import mcp_types as types
import msgspec
import trio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.tool import UserAnswered
from actors.settings.config import Settings
from actors.version import VERSION
from ui.common.usage_errors import Usage
from ui.serve import past_sessions, questions
from ui.serve.task import Question, Task
from ui.serve.tasks import Tasks
from ui.serve.terms import (
    AT_ONCE,
    FoundSessions,
    Messages,
    Outcome,
    ReadMessages,
    RunTask,
    SearchWords,
    schema,
)

ANSWER_S = 300.0
"""For the client's user to answer a question."""
APPROVAL = "approval"
"""Key of the question in such a result."""
INSTRUCTIONS = (
    "Trouper is a coding agent with its own tools for files, shell, search and the web. Give it whole tasks in words "
    "with run_task; it works in {folder} and answers when it is done. Its results name a session_id, to go on with."
)
Context = ServerRequestContext[Any, Any]
Result = types.CallToolResult | types.InputRequiredResult
A = TypeVar("A", bound=msgspec.Struct)


class Protocol:
    def __init__(self, mailbox: Mailbox, settings: Settings, tasks: Tasks, *, all_folders: bool) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._tasks = tasks
        self._all_folders = all_folders
        self._calls: dict[str, Callable[[Context, types.CallToolRequestParams], Awaitable[Result]]] = {
            "run_task": self._run_task,
            "search_sessions": self._search,
            "read_session": self._read,
        }

    def server(self) -> Server[Any]:
        return Server(
            "trouper",
            title="Trouper",
            version=VERSION,
            instructions=INSTRUCTIONS.format(folder=self._settings.cwd),
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def _list(self, _context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools(self._settings))

    async def _call(self, context: Context, params: types.CallToolRequestParams) -> Result:
        call = self._calls.get(params.name)
        if call is None:
            known = ", ".join(self._calls)
            raise MCPError(types.INVALID_PARAMS, f'there is no tool "{params.name}". There are: {known}')
        try:
            return await call(context, params)
        except (Usage, Failed) as why:
            return _failed(str(why))

    async def _search(self, _context: Context, params: types.CallToolRequestParams) -> Result:
        wanted = arguments(params, SearchWords)
        found = await past_sessions.search(self._mailbox, self._settings, wanted, all_folders=self._all_folders)
        return _result(found, _as_text(found))

    async def _read(self, _context: Context, params: types.CallToolRequestParams) -> Result:
        wanted = arguments(params, ReadMessages)
        read = await past_sessions.read(self._mailbox, self._settings, wanted, all_folders=self._all_folders)
        return _result(read, "\n\n".join(f"{one.role}: {one.text}" for one in read.messages))

    async def _run_task(self, context: Context, params: types.CallToolRequestParams) -> Result:
        """Also the calls by which a client of the modern era answers what it was asked."""
        if params.request_state is None:
            return await self._attend(context, self._tasks.begin(arguments(params, RunTask)), None)
        return await self._attend(context, self._tasks.begun(params.request_state), params.input_responses)

    async def _attend(self, context: Context, task: Task, answers: types.InputResponses | None) -> Result:
        """Wait with it. Whoever is cancelled here cancels the task; who is asked something may come back to it."""
        is_left = True
        try:
            task.take_up(_given(answers))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(task.progress.report, context.session.report_progress)
                result = await self._to_result(context, task)
                nursery.cancel_scope.cancel()
            is_left = False
            return result
        finally:
            if is_left:
                task.scope.cancel()

    async def _to_result(self, context: Context, task: Task) -> Result:
        while True:
            match await task.next():
                case Question() as question if not _can_ask(context):
                    question.settle(question.answer)
                case Question() as question if not context.session.can_send_request:  # of the stateless era
                    task.put_down(question, ANSWER_S)
                    request = types.ElicitRequest(params=_form(question))
                    return types.InputRequiredResult(input_requests={APPROVAL: request}, request_state=task.token)
                case Question() as question:
                    await _ask(context, question)
                case Outcome() as outcome:
                    return _result(outcome, told(outcome), failed=outcome.status != "done")
                case Usage() | Failed() as why:
                    return _failed(str(why))


def arguments(params: types.CallToolRequestParams, shape: type[A]) -> A:
    """Raises Usage."""
    try:
        return msgspec.convert(params.arguments or {}, type=shape)
    except (msgspec.ValidationError, RecursionError) as error:
        fields = ", ".join(shape.__struct_fields__)
        raise Usage(f"malformed arguments for {params.name}: {error}. They are: {fields}.") from error


def tools(settings: Settings) -> list[types.Tool]:
    """All that there are."""
    looks = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    does = types.ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)
    return [
        types.Tool(
            name="run_task",
            title="Give Trouper a task",
            description=(
                "An agent of its own does the task, with tools for files, shell, search and the web, and answers in "
                f"words. It works in {settings.cwd} or a folder below. Its mode is {settings.mode} or less: what that "
                "does not allow is asked of the user where this client can do so, and else refused. "
                f"At most {AT_ONCE} tasks run at once, more wait."
            ),
            input_schema=schema(RunTask),
            output_schema=schema(Outcome),
            annotations=does,
        ),
        types.Tool(
            name="search_sessions",
            title="Search Trouper's sessions",
            description="Where something was said in Trouper's earlier sessions, newest first, with excerpts.",
            input_schema=schema(SearchWords),
            output_schema=schema(FoundSessions),
            annotations=looks,
        ),
        types.Tool(
            name="read_session",
            title="Read a session of Trouper's",
            description="The last messages of a session: what was asked, answered, called and found.",
            input_schema=schema(ReadMessages),
            output_schema=schema(Messages),
            annotations=looks,
        ),
    ]


def told(outcome: Outcome) -> str:
    """For a model."""
    parts = [outcome.answer]
    if outcome.status != "done":
        why = f": {outcome.error}" if outcome.error else ""
        parts.append(f"[{outcome.status}{why}]\nIts session is {outcome.session_id}; run_task can go on with it.")
    return "\n\n".join(part for part in parts if part)


def _as_text(found: FoundSessions) -> str:
    lines = [line for one in found.sessions for line in (f"{one.session_id}  {one.when}  {one.name}", *one.excerpts)]
    return "\n".join(lines) or "Nobody has said that here."


def _result(of: msgspec.Struct, text: str, *, failed: bool = False) -> types.CallToolResult:
    content = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[content], structured_content=msgspec.to_builtins(of), is_error=failed)


def _failed(why: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=why)], is_error=True)


def _can_ask(context: Context) -> bool:
    """Its user; by a form, which a client means that says nothing more of it."""
    able = context.session.client_capabilities
    elicitation = None if able is None else able.elicitation
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _form(question: Question) -> types.ElicitRequestFormParams:
    asked = question.asked
    return types.ElicitRequestFormParams(message=questions.message(asked), requested_schema=questions.form(asked))


async def _ask(context: Context, question: Question) -> None:
    """By a request of ours. Whoever does not answer in time, or cannot, is nobody."""
    form = _form(question)
    with trio.move_on_after(ANSWER_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_cancel_with, question, nursery.cancel_scope)
            try:
                said = await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
                question.settle(questions.meant(question.asked, said.action, said.content))
            except (MCPError, ValueError):  # ValueError: what it said is no answer
                question.settle(question.answer)
            nursery.cancel_scope.cancel()
    question.settle(question.answer)


async def _cancel_with(question: Question, scope: trio.CancelScope) -> None:
    await question.settled.wait()
    scope.cancel()


def _given(answers: types.InputResponses | None) -> Callable[[Question], UserAnswered] | None:
    """What the client's user has said; None where nothing was asked yet."""
    said = (answers or {}).get(APPROVAL)
    if answers is None or not isinstance(said, types.ElicitResult):
        return None
    return lambda question: questions.meant(question.asked, said.action, said.content)
