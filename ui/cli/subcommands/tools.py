"""`trouper tools list|call`: one tool through the gate and the sandbox, without a model."""

import argparse
import os
import sys
import uuid
from collections.abc import Sequence
from functools import partial
from typing import Literal

import msgspec

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.model import ToolSpec
from actors.messages.tool import Allowed, Authorise, Denied, OfferTools, RunTool, ToolProgress, Tools
from actors.settings.config import Settings
from ui.cli.arguments import Parser, add_common
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED, OF_TURN
from ui.common.usage_errors import Usage
from ui.headless import one_answer
from ui.headless.one_answer import complain
from ui.headless.stdout import say, write
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper tools list
  trouper tools call read '{"path": "README.md"}'
  trouper tools call bash '{"command": "make test"}' --mode auto
  trouper tools call bash '{"command": "npm test"}' --allow 'Bash(npm test:*)'
"""


WEB_FETCH, READ = "web_fetch", "read"
WHERE = {"worker": "sandbox", "web": "network only", "open": "no sandbox", "gate": "asks you", "agent": "the agent"}


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    what: Literal["list", "call"]
    name: str = ""
    arguments: str = "{}"
    json: bool = False


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code."""
    options = parser().parse_args(arguments)
    wanted = Wanted(what=options.what, json=options.json)
    if options.what == "call":
        given = sys.stdin.read() if options.arguments == "-" else options.arguments
        try:
            msgspec.json.decode(given, type=dict[str, msgspec.Raw])
        except msgspec.DecodeError as error:
            raise Usage(
                f'the arguments are not a JSON object: {error}. For example: \'{{"path": "README.md"}}\''
            ) from error
        wanted = msgspec.structs.replace(wanted, name=options.name, arguments=given)
    settings = msgspec.structs.replace(session_settings.prepare(options, launch), front=encoded(wanted))
    # what leaves for the web is compared with the secrets that they know
    fetches = wanted.name == WEB_FETCH or (wanted.name == READ and "://" in wanted.arguments)
    needs_providers = settings.merging or settings.searching or fetches
    actors = ("store", *(["providers"] if needs_providers else []), "gate", "tools:main", "ui")
    return supervise(Run(settings=settings, launch=launch, entry="ui.cli.subcommands.tools:run", actors=actors))


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(_list if wanted.what == "list" else _call, mailbox, wanted))


async def _list(mailbox: Mailbox, wanted: Wanted) -> int:
    offered = await mailbox.insist("gate", OfferTools(), Tools)
    if wanted.json:
        rows = [
            {**msgspec.to_builtins(tool), "parameters": msgspec.json.decode(tool.parameters)} for tool in offered.tools
        ]
        await write(json_text.pretty(rows))
    else:
        await write(listed(offered.tools))
    return DONE


def listed(tools: Sequence[ToolSpec]) -> str:
    """A line a tool: its name, its effect, where it runs, what it does."""
    rows = [(tool.name, tool.effect, WHERE[tool.runs_in], _first_sentence(tool.description)) for tool in tools]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:3]
    padded = ["  ".join((*map(str.ljust, row, widths), row[3])) for row in rows]
    return "".join(f"{row}\n" for row in padded)


def _first_sentence(description: str) -> str:
    return description.strip().partition("\n")[0].partition(". ")[0].rstrip(".") + "."


async def _call(mailbox: Mailbox, wanted: Wanted) -> int:
    call = ToolCall(call_id=uuid.uuid4().hex, name=wanted.name, arguments=wanted.arguments)
    try:
        result = await _result(mailbox, wanted, call)
    except Failed as failure:
        if not wanted.json:
            raise
        result = ToolResult(call_id=call.call_id, name=call.name, output=str(failure), failed=True)
    if wanted.json:
        await write(_as_json(result))
    elif result.denied:
        complain(result.output)
    else:
        await write(result.output.rstrip("\n") + "\n")
    return OF_TURN["refused"] if result.denied else FAILED if result.failed else DONE


async def _result(mailbox: Mailbox, wanted: Wanted, call: ToolCall) -> ToolResult:
    """Raises Failed."""
    verdict = await mailbox.ask("gate", Authorise(call=call), Message)
    if isinstance(verdict, ToolResult):
        return verdict
    if not isinstance(verdict, Allowed):
        reason, remedy = (verdict.reason, verdict.remedy) if isinstance(verdict, Denied) else ("denied", "")
        return ToolResult(call_id=call.call_id, name=call.name, output=reason, summary=remedy, failed=True, denied=True)
    async with mailbox.stream("gate", RunTool(call=call, ticket=verdict.ticket)) as stream:
        async for item in stream:
            if isinstance(item, ToolProgress) and not wanted.json and os.isatty(2):
                say(item.text, end="")
        return await stream.result(ToolResult)


def _as_json(result: ToolResult) -> str:
    """Whoever reads it looks at these two, so they are there also when they are false."""
    result = msgspec.structs.replace(result, seen=())
    whole = {**msgspec.to_builtins(result), "failed": result.failed, "denied": result.denied}
    return json_text.line(whole)


def parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    made = Parser(
        prog="trouper tools",
        description="Run one tool through the gate and the sandbox, without a model.",
        epilog=EXAMPLES,
        formatter_class=raw,
    )
    what = made.add_subparsers(dest="what", required=True, metavar="list|call")
    listing = what.add_parser("list", help="the tools a model would be offered")
    call = what.add_parser("call", help="run one; exit code 1 when it fails, 3 when it is refused")
    call.add_argument("name", metavar="NAME")
    call.add_argument("arguments", metavar="JSON", help='the arguments, or "-" to read them from stdin')
    for one in (listing, call):
        one.add_argument("--json", action="store_true")
        add_common(one)
    return made
