"""A Chat Completions request, with the fields that the server it goes to knows.

Format: https://platform.openai.com/docs/api-reference/chat.
"""

import msgspec

from actors.messages.conversation import AssistantMessage
from actors.messages.model import AskModel
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.openai_chat.body import (
    Body,
    Declared,
    Reasoning,
    StreamOptions,
    TemplateArguments,
    Toggle,
    Tool,
    WebSearch,
)
from actors.providers.formats.openai_chat.messages import messages
from actors.providers.formats.wire_format import HttpRequest
from actors.providers.services import dialects


def request(target: Target, ask: AskModel) -> HttpRequest:
    """Raises Failed: bad_request for an attachment that cannot be sent."""
    headers = {"content-type": "application/json", "accept": "text/event-stream", **_authorization(target.endpoint)}
    url = f"{target.endpoint.base_url}/chat/completions"
    return HttpRequest(url, headers, msgspec.json.encode(_body(target, ask)))


def list_models(endpoint: Endpoint) -> HttpRequest:
    headers = {**_authorization(endpoint), **dialects.named(endpoint).standing}
    return HttpRequest(f"{endpoint.base_url}/models", headers)


def _authorization(endpoint: Endpoint) -> dict[str, str]:
    return {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}


def _body(target: Target, ask: AskModel) -> Body:
    dialect = dialects.of(target)
    tools = _tools(ask)
    body = Body(
        model=target.name,
        messages=messages(target, ask),
        stream=True,
        stream_options=StreamOptions(include_usage=True) if dialect.usage else None,
        tools=[*tools, *([WebSearch()] if ask.web_search and dialect.search_tool else [])],
        tool_choice="none" if tools and not ask.tools else "",
        parallel_tool_calls=True if tools and dialect.parallel else None,
        max_tokens=dialects.limit(target),
        prompt_cache_key=ask.session_id if dialect.cache_key else "",
        provider=target.endpoint.routing if dialect.routing else {},
    )
    if ask.effort == "off":
        _do_not_think(body, target)
    elif ask.effort:
        _think(body, target, ask.effort)
    return body


def _tools(ask: AskModel) -> list[Tool]:
    """Those that have been called, where none may be: some servers refuse calls of tools they are not told of."""
    if ask.tools:
        return [
            Tool(Declared(tool.name, tool.description, msgspec.Raw(tool.parameters.encode()))) for tool in ask.tools
        ]
    answers = (message for message in ask.history if isinstance(message, AssistantMessage))
    called = dict.fromkeys(call.name for answer in answers for call in answer.calls)
    return [Tool(Declared(name, parameters=msgspec.Raw(b'{"type":"object","properties":{}}'))) for name in called]


def _think(body: Body, target: Target, effort: str) -> None:
    match dialects.of(target).thinking:
        case "effort" | "effort or none" | "effort and none":
            body.reasoning_effort = effort
        case "reasoning":
            body.reasoning = Reasoning(effort=effort)
        case "toggle":
            body.thinking = Toggle("enabled")
        case "toggle and effort":
            body.thinking = Toggle("enabled")
            body.reasoning_effort = effort
        case "template":
            body.chat_template_kwargs = TemplateArguments(enable_thinking=True, reasoning_effort=effort)


def _do_not_think(body: Body, target: Target) -> None:
    match dialects.of(target).thinking:
        case "effort" | "effort or none" | "effort and none":
            body.reasoning_effort = dialects.least_effort(target)
        case "reasoning":
            body.reasoning = Reasoning(enabled=False)
        case "toggle" | "toggle and effort":
            body.thinking = Toggle("disabled")
        case "template":
            body.chat_template_kwargs = TemplateArguments(enable_thinking=False)
