"""What a server has, page by page, in bounds: tools, resources and prompts. Sorted, so that nothing moves unasked."""

import json
from collections.abc import Awaitable, Callable, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import msgspec
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    METHOD_NOT_FOUND,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    Prompt,
    Resource,
    ResourceTemplate,
    Tool,
)

from actors.mcp import limits
from actors.mcp.results.content import encodable
from actors.messages.mcp import McpPrompt, McpPromptArgument, McpResource, McpTemplate, McpTool

NO_SCHEMA = '{"type":"object"}'
"""Any arguments."""
Entry = TypeVar("Entry")
Page = TypeVar("Page", ListToolsResult, ListResourcesResult, ListResourceTemplatesResult, ListPromptsResult)


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    tools: tuple[McpTool, ...] = ()
    resources: tuple[McpResource, ...] = ()
    templates: tuple[McpTemplate, ...] = ()
    prompts: tuple[McpPrompt, ...] = ()
    left_out: str = ""
    """For the log; "" for nothing."""


async def listed(client: Client) -> Listing:
    """Raises what the SDK raises."""
    has = client.server_capabilities
    silent = not (has.tools or has.resources or has.prompts)  # it has something, or why would it be there
    tools = await _all(client.list_tools, lambda page: page.tools, limits.TOOLS) if has.tools or silent else []
    resources: list[Resource] = []
    templates: list[ResourceTemplate] = []
    if has.resources:
        resources = await _all(client.list_resources, lambda page: page.resources, limits.RESOURCES)
        templates = await _all(client.list_resource_templates, lambda page: page.resource_templates, limits.RESOURCES)
    prompts = await _all(client.list_prompts, lambda page: page.prompts, limits.PROMPTS) if has.prompts else []
    made = within_bounds([tool_of(tool) for tool in tools])
    return Listing(
        tools=made,
        resources=_light(sorted(map(_resource_of, resources), key=lambda one: one.uri)),
        templates=_light(sorted(map(_template_of, templates), key=lambda one: one.uri)),
        prompts=_light(sorted(map(_prompt_of, prompts), key=lambda one: one.name)),
        left_out=f"{len(tools) - len(made)} tools are left out" if len(made) < len(tools) else "",
    )


async def _all(
    ask: Callable[..., Awaitable[Page]], entries: Callable[[Page], Sequence[Entry]], most: int
) -> list[Entry]:
    """As many as are taken. A method that a server does not know, whatever it said before, has nothing."""
    found: list[Entry] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(limits.PAGES):
        try:
            page = await ask(cursor=cursor)
        except MCPError as error:
            if error.error.code == METHOD_NOT_FOUND:
                break
            raise
        found += entries(page)
        cursor = page.next_cursor
        if not cursor or cursor in seen or len(found) >= most:
            break
        seen.add(cursor)
    return found[:most]


def within_bounds(tools: Sequence[McpTool]) -> tuple[McpTool, ...]:
    """By name, each name once; without those that are too much."""
    room = limits.LISTED_BYTES
    kept: dict[str, McpTool] = {}
    for tool in sorted(tools, key=lambda one: one.name):
        room -= len(tool.input_schema) + len(tool.description) + len(tool.annotations)
        if tool.name and len(tool.name) <= limits.NAME_CHARS and tool.name not in kept and room >= 0:
            kept[tool.name] = tool
    return tuple(kept.values())


def _light(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """As many as there is room for."""
    room = limits.LISTED_BYTES // 2
    sizes = accumulate(len(msgspec.msgpack.encode(entry)) for entry in entries)
    return tuple(entry for entry, size in zip(entries, sizes, strict=True) if size <= room)


def tool_of(tool: Tool) -> McpTool:
    schema = _schema(tool.input_schema)
    annotations = tool.annotations.model_dump_json(by_alias=True, exclude_none=True) if tool.annotations else ""
    return McpTool(
        name=encodable(tool.name),
        description=encodable((tool.description or tool.title or "")[: limits.DESCRIPTION_CHARS]),
        input_schema=encodable(schema),
        annotations=encodable(annotations) if len(annotations) <= limits.DESCRIPTION_CHARS else "",
        as_task=tool.execution is not None and tool.execution.task_support == "required",
    )


def _schema(said: dict[str, Any]) -> str:
    """As JSON. Services refuse a whole request for one tool whose schema is none, or has NaN in it."""
    try:
        text = json.dumps(said, ensure_ascii=False, allow_nan=False)
        if len(text) > limits.SCHEMA_CHARS:
            return NO_SCHEMA
        Draft202012Validator.check_schema(said)
    except (ValueError, RecursionError, SchemaError):
        return NO_SCHEMA
    return text


def _resource_of(resource: Resource) -> McpResource:
    return McpResource(
        uri=encodable(str(resource.uri)),
        name=encodable(resource.name[: limits.NAME_CHARS]),
        description=encodable((resource.description or "")[: limits.DESCRIPTION_CHARS]),
        media_type=resource.mime_type or "",
    )


def _template_of(template: ResourceTemplate) -> McpTemplate:
    return McpTemplate(
        uri=encodable(template.uri_template),
        name=encodable(template.name[: limits.NAME_CHARS]),
        description=encodable((template.description or "")[: limits.DESCRIPTION_CHARS]),
        media_type=encodable(template.mime_type or ""),
    )


def _prompt_of(prompt: Prompt) -> McpPrompt:
    arguments = tuple(
        McpPromptArgument(
            name=encodable(one.name),
            description=encodable((one.description or "")[: limits.DESCRIPTION_CHARS]),
            required=bool(one.required),
        )
        for one in prompt.arguments or ()
    )
    described = encodable((prompt.description or "")[: limits.DESCRIPTION_CHARS])
    return McpPrompt(name=encodable(prompt.name), description=described, arguments=arguments)
