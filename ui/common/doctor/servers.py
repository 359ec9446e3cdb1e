"""The MCP servers: which count, and whether those that do start and answer."""

from collections.abc import Sequence

import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.mcp import DescribeServer, ServerIs
from actors.messages.system import StartActor
from actors.settings.config import Settings
from actors.settings.mcp.servers import IN_WORDS, LeftOutServer, McpServer
from actors.settings.redaction import redacted
from ui.common.doctor.rows import Row

WITHIN_S = 12.0
"""For a server to start: a doctor has less patience than a session."""
LOGS = "trouper mcp logs"


async def rows(mailbox: Mailbox, settings: Settings, *, online: bool) -> Sequence[Row]:
    """online: also those that are reached over the network are asked."""
    found: dict[str, Row] = {}

    async def ask(server: McpServer) -> None:
        found[server.name] = await _row(mailbox, server, online=online)

    async with trio.open_nursery() as nursery:
        for server in settings.mcp:
            nursery.start_soon(ask, server)
    left_out = [_left_out(one) for one in settings.mcp_left_out]
    none = Row(name="mcp", found="no servers are configured")
    return [*(found[name] for name in sorted(found)), *left_out] or [none]


async def _row(mailbox: Mailbox, server: McpServer, *, online: bool) -> Row:
    name = f"mcp: {server.name}"
    if server.transport != "stdio" and not online:
        return Row(name=name, found="reached over the network: not asked; trouper doctor --online does")
    within_s = min(server.start_timeout_s, WITHIN_S)
    try:
        await mailbox.insist("supervisor", StartActor(name=f"mcp:{server.name}"), Done)
        said = await mailbox.insist(f"mcp:{server.name}", DescribeServer(within_s=within_s), ServerIs)
    except Failed as why:
        return Row(name=name, state="warning", found=redacted(why.problem.text), advice=_advice(server))
    return server_row(server, said, within_s)


def server_row(server: McpServer, said: ServerIs, within_s: float) -> Row:
    name = f"mcp: {server.name}"
    match said.state:
        case "ready":
            facts = (f"answers with {how_many(len(said.tools), 'tool')}", said.version)
            return Row(name=name, found=", ".join(filter(None, facts)))
        case "needs_login":
            return Row(name=name, state="warning", found="wants a sign-in", advice=f"trouper mcp login {server.name}")
        case "starting" | "unstarted":
            found = f"has not answered within {within_s:g} s"
            return Row(name=name, state="warning", found=found, advice=_advice(server))
        case "failed":
            return Row(name=name, state="warning", found=redacted(said.error), advice=_advice(server))


def _advice(server: McpServer) -> str:
    how = "run its command by hand" if server.transport == "stdio" else "see whether its address is right"
    return f"see what it says ({LOGS} {server.name}), and {how}: trouper mcp get {server.name}"


def _left_out(one: LeftOutServer) -> Row:
    steps = {
        "untrusted": f"look at it, and trust it: trouper mcp trust {one.name}",
        "refused": f"mend {one.source}",
    }
    found = f"does not count: {IN_WORDS[one.why]}. {one.reason}".rstrip(". ")
    state = "warning" if one.why == "refused" else "ok" if one.why in ("disabled", "shadowed") else "note"
    return Row(name=f"mcp: {one.name}", state=state, found=redacted(found), advice=steps.get(one.why, ""))  # type: ignore[arg-type]  # one of the states
