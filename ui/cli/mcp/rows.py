"""A row for each server: as it is written, and what it says of itself once it was asked."""

from collections.abc import Iterator, Sequence

import msgspec

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.messages.mcp import McpPrompt, McpResource, McpTemplate, McpTool, ServerIs
from actors.settings.mcp.names import wire_name
from actors.settings.mcp.servers import IN_WORDS, Configured, LeftOutServer, McpServer
from ui.cli.mcp import words
from ui.common.harmless import exposed_line
from ui.common.mcp import prompt_lines

LINE_CHARS = 160


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    wire_name: str
    """As models are told it."""
    description: str
    input_schema: msgspec.Raw
    annotations: msgspec.Raw
    """The server's own; nothing relies on them."""


class Resource(msgspec.Struct, frozen=True, kw_only=True):
    """Or a template of such: then its uri has places in it."""

    uri: str
    name: str
    description: str
    media_type: str


class PromptArgument(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    description: str
    required: bool


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    usage: str
    """As it is typed in a session."""
    description: str
    arguments: tuple[PromptArgument, ...]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Of `list --json`."""

    name: str
    transport: str
    """ "" of one that has a mistake."""
    scope: str
    source: str
    enabled: bool
    trusted: bool
    counts: bool
    what: str = ""
    """It runs or reaches."""
    state: str = ""
    """ready, starting, needs_login or failed; why it does not count: disabled, untrusted, shadowed or refused."""
    era: str = ""
    """Revision of the protocol."""
    version: str = ""
    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    resource_templates: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    error: str = ""
    """Why it is not ready or does not count, and what to do."""


def rows(found: Configured) -> Iterator[Row]:
    """By name; those that count come first of a name."""
    counting = [(server.name, 0, _row(server)) for server in found.servers]
    left_out = [(one.name, 1, _left_out(one)) for one in found.left_out]
    yield from (row for _, _, row in sorted([*counting, *left_out], key=lambda each: each[:2]))


def _row(server: McpServer) -> Row:
    return Row(
        name=server.name,
        transport=server.transport,
        scope=server.scope,
        source=server.source,
        enabled=True,
        trusted=True,
        counts=True,
        what=words.brief(server),
    )


def told(row: Row, found: ServerIs | Failed | None) -> Row:
    """With what its server says, or why that says nothing. None: it was not asked."""
    match found:
        case None:
            return row
        case Failed():
            return msgspec.structs.replace(row, state="failed", error=str(found))
        case ServerIs():
            said = {"state": found.state, "era": found.era, "version": found.version, "error": found.error}
            return msgspec.structs.replace(with_what_it_has(row, found), **said)


def with_what_it_has(row: Row, found: ServerIs) -> Row:
    return msgspec.structs.replace(
        row,
        tools=tuple(_tool(row.name, tool) for tool in found.tools),
        resources=tuple(map(_resource, found.resources)),
        resource_templates=tuple(map(_resource, found.templates)),
        prompts=tuple(_prompt(row.name, prompt) for prompt in found.prompts),
    )


def _resource(one: McpResource | McpTemplate) -> Resource:
    return Resource(uri=one.uri, name=one.name, description=one.description, media_type=one.media_type)


def _prompt(server: str, prompt: McpPrompt) -> Prompt:
    arguments = (
        PromptArgument(name=one.name, description=one.description, required=one.required) for one in prompt.arguments
    )
    usage = prompt_lines.usage(server, prompt)
    return Prompt(name=prompt.name, usage=usage, description=prompt.description, arguments=tuple(arguments))


def _tool(server: str, tool: McpTool) -> Tool:
    return Tool(
        name=tool.name,
        wire_name=wire_name(server, tool.name),
        description=tool.description,
        input_schema=msgspec.Raw(tool.input_schema.encode()),
        annotations=msgspec.Raw((tool.annotations or "{}").encode()),
    )


def _left_out(one: LeftOutServer) -> Row:
    return Row(
        name=one.name,
        transport=one.transport,
        scope=one.scope,
        source=one.source,
        enabled=one.why != "disabled",
        trusted=one.scope == "user",
        counts=False,
        what=words.brief(one.server) if one.server else one.source,
        state=one.why,
        error=f"{IN_WORDS[one.why]}. {one.reason}".rstrip(". ") + ".",
    )


def listed(every: Sequence[Row]) -> Iterator[str]:
    """A line each, and below it what is wrong."""
    width = max(len(row.name) for row in every)
    for row in every:
        has = _has(row) if row.state == "ready" else IN_WORDS.get(row.state, row.state)
        facts = " · ".join(filter(None, (has, row.version, row.era)))
        yield exposed_line(f"{row.name:{width}}  {row.transport or '-':5}  {row.scope:9}  {row.what}  [{facts}]") + "\n"
        if row.error and (row.counts or row.state == "refused"):
            yield exposed_line(f"{'':{width}}  {row.error}") + "\n"


def _has(row: Row) -> str:
    resources = len(row.resources) + len(row.resource_templates)
    others = [how_many(count, what) for count, what in ((resources, "resource"), (len(row.prompts), "prompt")) if count]
    return ", ".join([how_many(len(row.tools), "tool"), *others])


def named(row: Row) -> Iterator[tuple[str, str]]:
    """For people: what it has, a line each."""
    for tool in row.tools:
        yield "tool", _in_a_line(tool.name, tool.description)
    for resource in row.resources:
        yield "resource", _in_a_line(f"@{row.name}:{resource.uri}", resource.name, resource.description)
    for template in row.resource_templates:
        yield "template", _in_a_line(f"@{row.name}:{template.uri}", template.name, template.description)
    for prompt in row.prompts:
        yield "prompt", _in_a_line(prompt.usage, prompt.description)


def _in_a_line(*said: str) -> str:
    line = " - ".join(filter(None, (" ".join(one.split()) for one in said)))
    return line if len(line) <= LINE_CHARS else f"{line[: LINE_CHARS - 1]}…"
