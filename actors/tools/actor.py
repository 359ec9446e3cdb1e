"""One sandboxed worker: describes its tools, previews calls, runs them side by side."""

import time
from functools import partial
from typing import Any

import trio

from actors.config import Settings
from actors.errors import UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.model import Merged, MergeEdit
from actors.messages.tool import DescribeTools, Preview, PreviewTool, RunTool, ToolProgress, Tools
from actors.tools import ALL
from actors.tools.base import Outcome, Report, Tool, Worker
from actors.tools.errors import ToolFailed
from actors.tools.morph_edit import MORPH_EDIT
from actors.tools.processes import Processes
from actors.tools.sandbox import level
from actors.tools.workspace import Workspace, open_workspace

BY_NAME: dict[str, Tool[Any]] = {tool.name: tool for tool in ALL}


async def run(mailbox: Mailbox, settings: Settings) -> None:
    workspace = open_workspace(settings.cwd, settings.home)
    async with trio.open_nursery() as nursery:
        worker = Worker(workspace, Processes(), nursery, partial(_merged, mailbox))
        offered = tuple(tool.spec() for tool in ALL if settings.merging or tool is not MORPH_EDIT)
        async for request in mailbox:
            match request.message:
                case DescribeTools():
                    request.reply(Tools(tools=offered, sandbox=level()))
                case PreviewTool(call=call):
                    request.reply(preview(call, workspace))
                case RunTool(call=call):
                    nursery.start_soon(request.serve, partial(_serve, call, worker))
                case _:
                    raise UnexpectedMessage(request.message)
        nursery.cancel_scope.cancel()


async def _merged(mailbox: Mailbox, wanted: MergeEdit) -> str:
    """Raises Failed. Asked again when the providers die: nothing is changed by it."""
    return (await mailbox.insist("providers", wanted, Merged)).text


async def _serve(call: ToolCall, worker: Worker, request: Request) -> None:
    async def report(text: str) -> None:
        await request.send(ToolProgress(call_id=call.call_id, text=text))

    started = time.monotonic()
    outcome = await execute(call, worker, report)
    request.reply(
        ToolResult(
            call_id=call.call_id,
            name=call.name,
            output=outcome.output,
            failed=outcome.failed,
            summary=outcome.summary,
            diff=outcome.diff,
            ms=round((time.monotonic() - started) * 1000),
        )
    )


async def execute(call: ToolCall, worker: Worker, report: Report) -> Outcome:
    """Whatever goes wrong with the call is an outcome for the model."""
    try:
        tool = _tool(call.name)
        return await tool.run(tool.parse(call.arguments), worker, report)
    except (ToolFailed, OSError) as error:
        text = _text(error)
        return Outcome(text, text.partition("\n")[0], failed=True)


def preview(call: ToolCall, workspace: Workspace) -> Preview:
    """A call that is going to fail says so in its preview."""
    try:
        tool = _tool(call.name)
        return tool.preview(tool.parse(call.arguments), workspace)
    except (ToolFailed, OSError) as error:
        return Preview(title=f"{call.name} (will fail)", detail=_text(error))


def _tool(name: str) -> Tool[Any]:
    if name not in BY_NAME:
        raise ToolFailed(f"There is no tool {name}. There are: {', '.join(BY_NAME)}.")
    return BY_NAME[name]


def _text(error: ToolFailed | OSError) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or 'the call'}: {error.strerror or error}"
    return str(error)
