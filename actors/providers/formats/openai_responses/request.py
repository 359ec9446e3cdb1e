"""A question as a Responses request: its body, headers and address. No I/O."""

import re
from collections.abc import Iterator

import msgspec

from actors.messages.model import AskModel, ToolSpec
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.openai_responses.items import Item, items
from actors.providers.formats.wire_format import HttpRequest
from actors.providers.services import dialects

NO_REASONING = re.compile(r"(.*/)?(gpt-3|gpt-4|chatgpt-4)")
"""They refuse to be asked for encrypted reasoning."""
FREEFORM_SINCE = 5
"""The first generation of GPT models that writes custom tool calls."""


class _Function(msgspec.Struct, tag_field="type", tag="function"):
    name: str
    description: str
    parameters: msgspec.Raw
    strict: bool = False


class _Custom(msgspec.Struct, tag_field="type", tag="custom"):
    name: str
    description: str


class _WebSearch(msgspec.Struct, tag_field="type", tag="web_search"):
    pass


_Tool = _Function | _Custom | _WebSearch


class _Reasoning(msgspec.Struct, omit_defaults=True):
    effort: str = ""
    summary: str = ""


class _StreamOptions(msgspec.Struct):
    include_obfuscation: bool = False


class _Body(msgspec.Struct, omit_defaults=True):
    model: str
    input: list[Item]
    store: bool
    stream: bool
    instructions: str = ""
    include: list[str] = []
    tools: list[_Tool] = []
    tool_choice: str = ""
    parallel_tool_calls: bool = False
    reasoning: _Reasoning | None = None
    prompt_cache_key: str = ""
    stream_options: _StreamOptions | None = None


def request(target: Target, ask: AskModel) -> HttpRequest:
    endpoint = target.endpoint
    dialect = dialects.named(endpoint).responses
    tools = list(_tools(target, ask))
    body = _Body(
        model=target.name,
        input=items(ask.history),
        store=False,
        stream=True,
        instructions=ask.system or dialect.instructions,
        include=list(_include(target, ask)),
        tools=tools,
        tool_choice="auto" if tools else "",
        parallel_tool_calls=bool(tools),
        reasoning=_reasoning(target, ask.effort),
        prompt_cache_key=ask.session_id if dialect.cache_key else "",
        stream_options=_StreamOptions() if dialect.unpadded else None,
    )
    headers = key(endpoint) | {"content-type": "application/json", "accept": "text/event-stream"}
    return HttpRequest(f"{endpoint.base_url}/responses", headers, msgspec.json.encode(body))


def list_models(endpoint: Endpoint) -> HttpRequest:
    return HttpRequest(f"{endpoint.base_url}/models", key(endpoint))


def key(endpoint: Endpoint) -> dict[str, str]:
    return {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}


def _tools(target: Target, ask: AskModel) -> Iterator[_Tool]:
    freeform = _writes_freeform(target)
    for tool in ask.tools:
        yield _Custom(tool.name, tool.description) if tool.freeform and freeform else _function(tool)
    if ask.web_search:
        yield _WebSearch()


def _function(tool: ToolSpec) -> _Function:
    return _Function(tool.name, tool.description, msgspec.Raw(tool.parameters.encode()))


def _writes_freeform(target: Target) -> bool:
    generation = re.match(r"gpt-(\d+)", target.name)
    writes = bool(generation and int(generation[1]) >= FREEFORM_SINCE)
    return writes and dialects.named(target.endpoint).responses.custom_tools


def _include(target: Target, ask: AskModel) -> Iterator[str]:
    if ask.effort not in ("", "off") or not _cannot_reason(target):
        yield "reasoning.encrypted_content"
    if ask.web_search:
        yield "web_search_call.action.sources"


def _cannot_reason(target: Target) -> bool:
    facts = target.facts
    known_without = bool(facts.id) and not facts.efforts and not facts.thinking
    return known_without or bool(NO_REASONING.match(target.name))


def _reasoning(target: Target, effort: str) -> _Reasoning | None:
    efforts = target.facts.efforts
    if (not effort and not efforts) or (effort == "off" and _cannot_reason(target)):
        return None  # a model that does not reason refuses the member
    if effort != "off":
        return _Reasoning(effort, "auto")
    least = next((one for one in ("none", "minimal") if one in efforts), efforts[0] if efforts else "none")
    return _Reasoning(least, "" if least == "none" else "auto")
