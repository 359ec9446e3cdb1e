"""One sandboxed worker: describes its tools, previews calls, runs them side by side, and hooks."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import trio

from actors.config import Settings
from actors.errors import UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.model import Merged, MergeEdit
from actors.messages.tool import (
    DescribeTools,
    HookRan,
    MapRepository,
    Preview,
    PreviewTool,
    RepositoryMap,
    RunGranted,
    RunHook,
    ToolProgress,
    Tools,
)
from actors.messages.web import Found, SearchWeb
from actors.tools import ALL, EDITS
from actors.tools.base import Outcome, Report, Tool, Worker, unchecked
from actors.tools.code.mapping import map_repository
from actors.tools.diagnostics import Diagnostics
from actors.tools.errors import ToolFailed
from actors.tools.jobs import Jobs
from actors.tools.morph_edit import MORPH_EDIT
from actors.tools.output import encodable, shortened
from actors.tools.processes import Processes
from actors.tools.programs import run_shell
from actors.tools.sandbox import levels, setup
from actors.tools.web.search import WEB_SEARCH
from actors.tools.workspace import open_workspace

BY_NAME: dict[str, Tool[Any]] = {tool.name: tool for tool in ALL}


async def run(mailbox: Mailbox, settings: Settings) -> None:
    workspace = open_workspace(settings.cwd, settings.home)
    processes = Processes(setup.commands(settings), guard=setup.guard(settings))
    async with trio.open_nursery() as nursery:
        worker = Worker(
            workspace=workspace,
            processes=processes,
            nursery=nursery,
            merge=partial(_merged, mailbox),
            search=partial(_found, mailbox),
            jobs=Jobs(settings.worker),
            checked=Diagnostics().checked if settings.diagnostics and levels.level() != "none" else unchecked,
        )
        async for request in mailbox:
            match request.message:
                case DescribeTools():
                    request.reply(described(settings))
                case PreviewTool(call=call, grant=grant):
                    request.reply(preview(call, worker.granted(grant)))
                case RunGranted(call=call, grant=grant):
                    nursery.start_soon(request.serve, partial(_serve, call, worker.granted(grant)))
                case RunHook() as hook:
                    nursery.start_soon(request.serve, partial(_run_hook, hook, worker))
                case MapRepository(tokens=tokens, grant=grant):
                    nursery.start_soon(request.serve, partial(_map, tokens, worker.granted(grant)))
                case _:
                    raise UnexpectedMessage(request.message)
        nursery.cancel_scope.cancel()


def described(settings: Settings) -> Tools:
    """What can be offered here."""
    needs = {MORPH_EDIT.name: settings.merging, WEB_SEARCH.name: settings.searching}
    tools = tuple(tool.spec() for tool in ALL if needs.get(tool.name, True) and tool.is_there())
    return Tools(
        tools=tools,
        sandbox=levels.level(),
        sandbox_detail=levels.reached(),
        guards_rules=levels.guards_rules(Path(settings.cwd)),
        cwd=settings.cwd,
    )


async def _merged(mailbox: Mailbox, wanted: MergeEdit) -> str:
    """Raises Failed. Asked again when the providers die: nothing is changed by it."""
    return (await mailbox.insist("providers", wanted, Merged)).text


async def _found(mailbox: Mailbox, wanted: SearchWeb) -> Found:
    """Raises Failed."""
    return await mailbox.insist("providers", wanted, Found)


async def _run_hook(hook: RunHook, worker: Worker, request: Request) -> None:
    ran = await run_shell(worker, hook.command, hook.input.encode(), hook.timeout_s)
    request.reply(HookRan(exit_code=ran.exit_code, output=ran.output, errors=ran.errors))


async def _map(tokens: int, worker: Worker, request: Request) -> None:
    """Nothing is found where nothing can be looked for."""
    try:
        text = await map_repository(worker, tokens)
    except (ToolFailed, OSError):
        text = ""
    request.reply(RepositoryMap(text=encodable(text)))


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
            attachments=outcome.attachments,
            ms=round((time.monotonic() - started) * 1000),
        )
    )


async def execute(call: ToolCall, worker: Worker, report: Report) -> Outcome:
    """Whatever goes wrong with the call is an outcome for the model."""
    try:
        tool = _tool(call.name)
        work = partial(tool.run, tool.parse(call.arguments), worker, report)
        outcome = await (worker.checked(worker, work) if tool in EDITS else work())
    except (ToolFailed, OSError) as error:
        text = _text(error)
        outcome = Outcome(text, text.partition("\n")[0], failed=True)
    return replace(
        outcome,
        output=shortened(encodable(outcome.output)),
        summary=encodable(outcome.summary),
        diff=encodable(outcome.diff),
    )


def preview(call: ToolCall, worker: Worker) -> Preview:
    """A call that is going to fail says so in its preview."""
    try:
        tool = _tool(call.name)
        shown = tool.preview(tool.parse(call.arguments), worker.workspace)
    except (ToolFailed, OSError) as error:
        shown = Preview(title=f"{call.name} (will fail)", detail=_text(error))
    return Preview(title=encodable(shown.title), detail=encodable(shown.detail))


def _tool(name: str) -> Tool[Any]:
    if name not in BY_NAME:
        raise ToolFailed(f"There is no tool {name}. There are: {', '.join(BY_NAME)}.")
    return BY_NAME[name]


def _text(error: ToolFailed | OSError) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or 'the call'}: {error.strerror or error}"
    return str(error)
