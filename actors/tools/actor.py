"""One sandboxed worker: describes its tools, previews calls, runs them side by side, and hooks."""

import os
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
import trio

from actors.confinement.errors import ToolFailed
from actors.confinement.hidden_files import Followed
from actors.confinement.processes.jobs import Jobs
from actors.confinement.processes.process_trees import Processes
from actors.confinement.sandbox import levels, setup
from actors.confinement.sandbox.view import file_view, private_folder
from actors.errors import UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message, Problem
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.job import AwaitJobs, DescribeJobs, EndJob
from actors.messages.model import Found, Merged, MergeEdit, SearchWeb
from actors.messages.system import TrySandbox
from actors.messages.tool import (
    MOST_SHOWN,
    CheckArguments,
    DescribeTools,
    HookRan,
    LookForLoss,
    Loss,
    MapRepository,
    Preview,
    PreviewTool,
    RepositoryMap,
    RunGranted,
    RunHook,
    ToolProgress,
    Tools,
)
from actors.messages.turn import FilesFound, FindFiles
from actors.settings.config import Settings
from actors.tools.base import Outcome, Report, Tool, Worker, unchecked
from actors.tools.code.diagnostics import Diagnostics
from actors.tools.code.repository_map import map_repository
from actors.tools.files.morph_edit import MORPH_EDIT
from actors.tools.git.deletions import why_kept
from actors.tools.helper_programs import run_shell
from actors.tools.output import encodable, shortened
from actors.tools.sandbox_trial import tried
from actors.tools.search.file_finder import FileFinder
from actors.tools.shell import told_jobs
from actors.tools.table import ALL, SPECS
from actors.tools.web.search import WEB_SEARCH
from actors.tools.workspace.folder import open_workspace

BY_NAME: dict[str, Tool[Any]] = {tool.name: tool for tool in ALL}


async def run(mailbox: Mailbox, settings: Settings) -> None:
    followed = Followed()
    workspace = open_workspace(settings.cwd, settings.home, followed, protected=not settings.unrestricted)
    workspace = msgspec.structs.replace(workspace, passing=file_view.passing())
    processes = Processes(setup.commands(settings, followed), guard=setup.guard(settings))
    untold = [setup.lost()]
    finder = FileFinder()
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
                case PreviewTool(call=call, grant=grant, seen=seen):
                    request.reply(preview(call, worker.granted(grant, seen)))
                case CheckArguments(call=call):
                    check(call, request)
                case RunGranted(call=call, grant=grant, seen=seen):
                    nursery.start_soon(
                        request.serve, partial(_serve, call, worker.granted(grant, seen), settings, untold)
                    )
                case FindFiles(grant=grant) as wanted:
                    nursery.start_soon(request.serve, partial(_find, wanted, finder, worker.granted(grant)))
                case _:
                    nursery.start_soon(request.serve, _handler(request.message, worker))
        nursery.cancel_scope.cancel()


def _handler(message: Message, worker: Worker) -> Callable[[Request], Awaitable[None]]:
    """Of what takes its time and is no call."""
    match message:
        case LookForLoss():
            return partial(_look_for_loss, message, worker)
        case RunHook(grant=grant):
            return partial(_run_hook, message, worker.granted(grant))
        case MapRepository(tokens=tokens, grant=grant):
            return partial(_map, tokens, worker.granted(grant))
        case DescribeJobs() | AwaitJobs() | EndJob():
            return partial(told_jobs.answer, message, worker.jobs)
        case TrySandbox():
            return partial(_try_sandbox, message, worker)
        case _:
            raise UnexpectedMessage(message)


def described(settings: Settings) -> Tools:
    """What can be offered here."""
    needs = {MORPH_EDIT.name: settings.merging, WEB_SEARCH.name: settings.searching}
    pairs = zip(ALL, SPECS, strict=True)
    tools = tuple(spec for tool, spec in pairs if needs.get(tool.name, True) and tool.is_there())
    return Tools(
        tools=tools,
        sandbox=levels.level(),
        sandbox_detail=levels.reached(),
        cwd=settings.cwd,
        shown=tuple(encodable(str(path)) for path in file_view.shown()),
        temporary=encodable(os.environ.get(private_folder.NOTED, "")),
    )


async def _merged(mailbox: Mailbox, wanted: MergeEdit) -> str:
    """Raises Failed. Asked again when the providers die: nothing is changed by it."""
    return (await mailbox.insist("providers", wanted, Merged)).text


async def _found(mailbox: Mailbox, wanted: SearchWeb) -> Found:
    """Raises Failed."""
    return await mailbox.insist("providers", wanted, Found)


async def _look_for_loss(wanted: LookForLoss, worker: Worker, request: Request) -> None:
    request.reply(Loss(why=encodable(await why_kept(worker, wanted.paths, wanted.since, wanted.moved_to))))


async def _run_hook(hook: RunHook, worker: Worker, request: Request) -> None:
    ran = await run_shell(worker, hook.command, hook.input.encode(), hook.timeout_s)
    request.reply(HookRan(exit_code=ran.exit_code, output=ran.output, errors=ran.errors))


async def _try_sandbox(wanted: TrySandbox, worker: Worker, request: Request) -> None:
    request.reply(await tried(wanted, worker))


async def _map(tokens: int, worker: Worker, request: Request) -> None:
    """Nothing is found where nothing can be looked for."""
    try:
        text = await map_repository(worker, tokens)
    except (ToolFailed, OSError):
        text = ""
    request.reply(RepositoryMap(text=encodable(text)))


async def _find(wanted: FindFiles, finder: FileFinder, worker: Worker, request: Request) -> None:
    try:
        found = await finder.find(worker, wanted.letters, wanted.most)
    except (ToolFailed, OSError) as error:
        found = FilesFound(paths=(), total=0, why=encodable(_text(error)))
    request.reply(found)


async def _serve(call: ToolCall, worker: Worker, settings: Settings, untold: list[str], request: Request) -> None:
    """untold: for the first result there is."""

    async def report(text: str) -> None:
        await request.send(ToolProgress(call_id=call.call_id, text=text))

    started = time.monotonic()
    outcome = await execute(call, worker, report)
    request.reply(
        ToolResult(
            call_id=call.call_id,
            name=call.name,
            output=outcome.output + (untold.pop() if untold else ""),
            failed=outcome.failed,
            summary=f"{outcome.summary}{' · unrestricted' * settings.unrestricted}",
            diff=outcome.diff,
            attachments=outcome.attachments,
            warning=outcome.warning,
            seen=worker.workspace.sight.seen,
            ms=round((time.monotonic() - started) * 1000),
        )
    )


async def execute(call: ToolCall, worker: Worker, report: Report) -> Outcome:
    """Whatever goes wrong with the call is an outcome for the model."""
    try:
        tool = _tool(call.name)
        work = partial(tool.run, tool.parse(call.arguments), worker, report)
        outcome = await (worker.checked(worker, work) if tool.edits else work())
    except (ToolFailed, OSError, RecursionError) as error:
        text = _text(error)
        outcome = Outcome(text, text.partition("\n")[0], failed=True)
    warning = encodable(worker.processes.take_untold())
    return msgspec.structs.replace(
        outcome,
        output=shortened(encodable(outcome.output)) + (f"\n[{warning}]" if warning else ""),
        summary=encodable(outcome.summary),
        diff=encodable(outcome.diff),
        warning=warning,
    )


def check(call: ToolCall, request: Request) -> None:
    try:
        _tool(call.name).parse(call.arguments)
    except ToolFailed as error:
        request.fail(Problem(code="bad_arguments", text=encodable(str(error))))
    else:
        request.reply(Done())


def preview(call: ToolCall, worker: Worker) -> Preview:
    """A call that is going to fail says so in its preview."""
    try:
        tool = _tool(call.name)
        shown = tool.preview(tool.parse(call.arguments), worker.workspace)
    except (ToolFailed, OSError, RecursionError) as error:
        # by the time it runs it may not fail
        why = _text(error)
        shown = Preview(title=f"{call.name} (will fail)", detail=f"{why}\n{call.arguments}", failure=why)
    title, detail, failure = (encodable(text[: MOST_SHOWN + 1]) for text in (shown.title, shown.detail, shown.failure))
    return Preview(title=title, detail=detail, failure=shortened(failure))


def _tool(name: str) -> Tool[Any]:
    if name not in BY_NAME:
        raise ToolFailed(f"There is no tool {name}. There are: {', '.join(BY_NAME)}.")
    return BY_NAME[name]


def _text(error: ToolFailed | OSError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "That goes too deep for this tool: a folder in a folder in a folder. Use bash."
    if isinstance(error, OSError):
        return f"{error.filename or 'the call'}: {error.strerror or error}"
    return str(error)
