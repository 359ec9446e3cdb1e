"""The front of `trouper mcp list` and `call`: servers are started, asked, and end with the command."""

from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.auth import LoggedOut, LogIn, LogOut
from actors.messages.base import Done
from actors.messages.mcp import CallRaw, DescribeServer, Elicit, RawResult, ServerIs
from actors.messages.system import StartActor
from actors.settings.config import Settings
from actors.settings.mcp import remembered
from actors.settings.mcp.servers import McpServer
from ui.cli.mcp.rows import Row, listed, told
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED
from ui.headless import one_answer, sign_in, terminal_questions
from ui.headless.stdout import write

MORE_S = 5.0
"""Beside a server's own time to start: for the program that it is asked by, which takes a second to start itself."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of these commands."""

    what: Literal["list", "call", "login", "logout"]
    rows: tuple[Row, ...] = ()
    """Of list: as it is configured."""
    json: bool = False
    server: str = ""
    tool: str = ""
    arguments: str = "{}"
    elicit: Elicit = "decline"
    opener: str = ""
    """The pipe through which a browser is opened; "" for none."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    asked = msgspec.msgpack.decode(settings.front, type=Asked)
    answer = {"list": _list, "call": _call, "login": _log_in, "logout": _log_out}[asked.what]
    await one_answer.run(mailbox, partial(answer, mailbox, settings, asked), terminal_questions.answer)


async def _list(mailbox: Mailbox, settings: Settings, asked: Asked) -> int:
    """All at once: a slow one holds up no other. What they have the next session knows before they are started."""
    found: dict[str, ServerIs | Failed] = {}

    async def ask(server: McpServer) -> None:
        name, within_s = server.name, server.start_timeout_s + MORE_S
        try:
            await _start(mailbox, name)
            known = await mailbox.insist(f"mcp:{name}", DescribeServer(within_s=within_s), ServerIs)
        except Failed as failure:
            found[name] = failure
            return
        found[name] = known
        if known.state == "ready":
            remembered.remember(Path(settings.home), server, known)

    async with trio.open_nursery() as nursery:
        for server in settings.mcp:
            nursery.start_soon(ask, server)
    rows = [told(row, found.get(row.name) if row.counts else None) for row in asked.rows]
    await write(json_text.pretty(rows) if asked.json else "".join(listed(rows)))
    return DONE


async def _call(mailbox: Mailbox, _settings: Settings, asked: Asked) -> int:
    """Raises Failed."""
    await _start(mailbox, asked.server)
    wanted = CallRaw(tool=asked.tool, arguments=asked.arguments, elicit=asked.elicit)
    result = await mailbox.ask(f"mcp:{asked.server}", wanted, RawResult)
    await write(json_text.pretty(msgspec.json.decode(result.json)))
    return FAILED if result.failed else DONE


async def _log_in(mailbox: Mailbox, _settings: Settings, asked: Asked) -> int:
    """Raises Failed."""
    await _start(mailbox, asked.server)
    return await sign_in.run(mailbox, LogIn(provider=asked.server), asked.opener, to=f"mcp:{asked.server}")


async def _log_out(mailbox: Mailbox, _settings: Settings, asked: Asked) -> int:
    """Raises Failed."""
    await _start(mailbox, asked.server)
    done = await mailbox.ask(f"mcp:{asked.server}", LogOut(provider=asked.server), LoggedOut)
    await write(f"{'signed out of' if done.forgotten else 'there was no sign-in to'} {asked.server}\n")
    return DONE


async def _start(mailbox: Mailbox, server: str) -> None:
    """Raises Failed."""
    await mailbox.insist("supervisor", StartActor(name=f"mcp:{server}"), Done)
