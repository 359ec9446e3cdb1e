"""What is asked, as an HTTP request. Pure."""

from collections.abc import Iterator

import msgspec

from actors.messages.conversation import AssistantMessage
from actors.messages.model import AskModel, ModelFacts
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.anthropic_messages import caching, thinking
from actors.providers.formats.anthropic_messages.body import (
    Body,
    Choice,
    Enabled,
    Summarize,
    Text,
    Tool,
    WebSearch,
)
from actors.providers.formats.anthropic_messages.messages import begins_with_thinking, messages, own_blocks
from actors.providers.formats.wire_format import HttpRequest
from actors.providers.services import dialects

VERSION = "2023-06-01"
MAX_TOKENS = 32_000
"""The service wants a limit. Of models nothing is known of: the least output limit of those it still offers."""
SMALL = 200_000
"""Tokens of context."""
SEARCHES = 5
"""Most web searches in one answer: each is billed."""
INTERLEAVED = "interleaved-thinking-2025-05-14"
"""Models whose thinking has a budget think between tool calls only with it; the others do so anyway."""
ON_DEMAND = "compact-2026-09-04"
"""https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand: a summary in the place of an answer."""
BETA_OF = {"compaction": "compact-2026-01-12", "fallback": "server-side-fallback-2026-07-01"}
"""Blocks that are only taken back with the beta they came from."""


def request(target: Target, ask: AskModel) -> HttpRequest:
    body = _body(target, ask)
    caching.mark(body, target.endpoint.cache_ttl)
    headers = _headers(target.endpoint) | {"content-type": "application/json", "accept": "text/event-stream"}
    if betas := ",".join(dict.fromkeys(_betas(body, ask))):
        headers["anthropic-beta"] = betas
    return HttpRequest(f"{_root(target.endpoint)}/v1/messages", headers, msgspec.json.encode(body))


def list_models(endpoint: Endpoint) -> HttpRequest:
    return HttpRequest(f"{_root(endpoint)}/v1/models", {**_headers(endpoint), **dialects.named(endpoint).standing})


def _root(endpoint: Endpoint) -> str:
    """The addresses of services that mostly speak other formats end with the version."""
    return endpoint.base_url.removesuffix("/v1")


def _body(target: Target, ask: AskModel) -> Body:
    max_tokens = _max_tokens(target.facts)
    thinks = thinking.config(target, ask, max_tokens)
    said = messages(ask, thinking=not thinking.is_off(target, thinks))
    if isinstance(thinks, Enabled) and not begins_with_thinking(said):
        thinks, said = None, messages(ask, thinking=False)
    offered = [Tool(tool.name, msgspec.Raw(tool.parameters.encode()), tool.description) for tool in ask.tools]
    used = [] if offered else _used_tools(ask)
    searching = [WebSearch("web_search", SEARCHES)] if ask.web_search else []
    return Body(
        model=target.name,
        max_tokens=max_tokens,
        stream=True,
        messages=said,
        system=[Text(ask.system)] if ask.system.strip() else [],
        tools=[*offered, *used, *searching],
        tool_choice=Choice("none") if used else None,
        thinking=thinks,
        output_config=thinking.effort(target, ask),
        compaction=Summarize(ask.sum_up) if ask.sum_up else None,
    )


def _max_tokens(facts: ModelFacts) -> int:
    """Models with a small context refuse a prompt that leaves less room than this."""
    most = facts.max_output or MAX_TOKENS
    return min(most, MAX_TOKENS) if 0 < facts.context <= SMALL else most


def _used_tools(ask: AskModel) -> list[Tool]:
    """A conversation with tool calls is refused without `tools`, also when none may be called any more."""
    calls = (call for message in ask.history if isinstance(message, AssistantMessage) for call in message.calls)
    return [Tool(name, msgspec.Raw(b'{"type":"object"}')) for name in sorted({call.name for call in calls})]


def _betas(body: Body, ask: AskModel) -> Iterator[str]:
    if body.compaction:
        yield ON_DEMAND
    if isinstance(body.thinking, Enabled) and body.tools:
        yield INTERLEAVED
    yield from (BETA_OF[block.type] for block in own_blocks(ask.history) if block.type in BETA_OF)


def _headers(endpoint: Endpoint) -> dict[str, str]:
    key = {"authorization": f"Bearer {endpoint.key}"} if endpoint.sign_in else {"x-api-key": endpoint.key}
    return (key if endpoint.key else {}) | {"anthropic-version": VERSION}
