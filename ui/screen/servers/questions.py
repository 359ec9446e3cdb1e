"""How MCP servers are shown where one is chosen, and one of them with all it has. Pure.

What a server says of itself is shown as that: none of it is known to be true.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from actors.common.plurals import how_many
from actors.messages.conversation import ToolCall
from actors.messages.mcp import McpTool
from actors.messages.tool import Choice, UserAsked
from actors.settings.mcp.servers import McpServer
from ui.common import harmless, server_logs
from ui.common.amounts import thousands
from ui.screen.questions.choice_list import in_columns
from ui.screen.servers.standing import Row, in_one_line

ALL = "mcp servers"
"""Id of what is asked about all of them."""
RESTART, LOG_IN, LOG_OUT, LOG, BACK = "restart", "login", "logout", "log", "back"
ESTIMATE = "1 token for 4 bytes of names, descriptions and schemas, and 6 for each tool"


def of_all(rows: Sequence[Row], marked: int) -> UserAsked:
    """Which of them?"""
    tokens = sum(row.tokens for row in rows)
    cost = f" · about {thousands(tokens)} tok of each request" if tokens else ""
    ready = sum(row.known is not None and row.known.state == "ready" for row in rows)
    facts = in_columns([_facts(row) for row in rows])
    choices = [
        Choice(id=str(at), key="", label=harmless.one_line(row.name), facts=known)
        for at, (row, known) in enumerate(zip(rows, facts, strict=True))
    ]
    return UserAsked(
        agent="agent:main",
        kind="list",
        title=f"{how_many(len(rows), 'MCP server')}, {ready} ready{cost}",
        choices=tuple(choices),
        default=str(marked),
        escape="",
        call=ToolCall(call_id=ALL, name="", arguments="{}"),
    )


def of_one(row: Row, home: Path) -> UserAsked:
    """What it has, and what is to be done with it."""
    signs_in = (
        [
            Choice(id=LOG_IN, key="l", label="sign in to it, with the browser"),
            Choice(id=LOG_OUT, key="o", label="forget the sign-in to it"),
        ]
        if row.transport != "stdio"
        else []
    )
    actions = [
        Choice(id=RESTART, key="r", label="start it anew"),
        *signs_in,
        Choice(id=LOG, key="g", label="the last lines of its log"),
    ]
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=f"{harmless.one_line(row.name)}: {row.state}",
        detail="\n".join(_detail(row, home)),
        choices=(*(actions if row.counts else []), Choice(id=BACK, key="n", label="back")),
        default=BACK,
        escape=BACK,
        call=ToolCall(call_id=f"mcp {row.name}", name="", arguments="{}"),
    )


def _facts(row: Row) -> tuple[str, ...]:
    known = row.known
    tools = how_many(len(known.tools), "tool") if known and (known.tools or known.state == "ready") else ""
    cost = f"~{thousands(row.tokens)} tok" if row.tokens else ""
    return row.state, row.transport, tools, cost, known.era if known else "", _trouble(row)


def _trouble(row: Row) -> str:
    """Its name stands before it already."""
    known = row.known
    error = known.error if known and known.state != "ready" else ""
    return in_one_line(row.why_not or error.removeprefix(f"The MCP server {row.name} "))


def _detail(row: Row, home: Path) -> Iterator[str]:
    known, server = row.known, row.server
    if why := _trouble(row):
        yield why
    facts = [row.transport]
    if known is not None:
        version = f"by its own words {harmless.one_line(known.version)}" if known.version else ""
        facts += [f"protocol {known.era}" if known.era else "", version]
    yield " · ".join(filter(None, facts))
    yield f"configured in {row.source}"
    if server is None:
        return
    yield f"its log: {server_logs.file(home, row.name)}"
    if known is None or not (known.tools or known.resources or known.prompts):
        is_ready = known is not None and known.state == "ready"
        yield "it has nothing" if is_ready else "what it has is known once it is ready"
        return
    offered = sum(server.lets_through(tool.name) for tool in known.tools)
    yield f"{how_many(len(known.resources), 'resource')} · {how_many(len(known.prompts), 'prompt')}"
    yield f"{how_many(len(known.tools), 'tool')}, {offered} for the model: {_cost(row.tokens)}"
    yield ""
    yield from (_tool(tool, server) for tool in known.tools)


def _cost(tokens: int) -> str:
    """Of what is offered."""
    if not tokens:
        return "it searches them, so they are in no request"
    return f"about {thousands(tokens)} tok of each request (an estimate: {ESTIMATE})"


def _tool(tool: McpTool, server: McpServer) -> str:
    flags = [
        "only looks, as you say" if server.only_looks(tool.name) else "",
        "" if server.lets_through(tool.name) else "left out, as you say",
        _claims(tool),
    ]
    said = " · ".join(filter(None, flags))
    description = harmless.one_line(tool.description)
    return f"  {harmless.one_line(tool.name)}{f'  [{said}]' * bool(said)}{f'  {description}' * bool(description)}"


def _claims(tool: McpTool) -> str:
    """Its annotations, of which nothing is relied on."""
    try:
        annotations = msgspec.json.decode(tool.annotations or "{}", type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        return ""
    flags = {key: value for key, value in annotations.items() if isinstance(value, bool)}
    claims = ", ".join(f"{key}: {'yes' if value else 'no'}" for key, value in flags.items())
    return harmless.one_line(f"it claims {claims}") if claims else ""
