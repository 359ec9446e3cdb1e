"""How services refuse a request that is longer than their window, each in its own words; by the path they answer at.

Some say it with a status, some in a stream that began well, and some by ending an answer without a word.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from tests.fakes.model_faults import JSON, Reply, refusal
from tests.fakes.model_formats import Json, error_event

Overflow = Callable[[int, int], Reply]
"""Of the tokens that came, and those there is room for."""
OPENAI = "This model's maximum context length is {window} tokens. However, your messages resulted in {tokens} tokens."
OPENROUTER = "This endpoint's maximum context length is {window} tokens. However, you requested about {tokens} tokens."
RESPONSES = "Your input exceeds the context window of this model. Please adjust your input and try again."
LOST = "The model is loaded with context length of only {window} tokens, which is not enough for {tokens}."
DECODER = "The decoder prompt (length {tokens}) is longer than the maximum model length of {window}."
GOOGLE = "The input token count ({tokens}) exceeds the maximum number of tokens allowed ({window})."
CODE = "context_length_exceeded"


def said(text: str, kind: str = "", status: int = 400, **more: object) -> Overflow:
    def reply(tokens: int, window: int) -> Reply:
        return refusal(status, text.format(tokens=tokens, window=window), kind, **more)

    return reply


def plain(body: dict[str, Any], status: int = 400) -> Overflow:
    """body: with {tokens} and {window} in its texts."""

    def reply(tokens: int, window: int) -> Reply:
        text = msgspec.json.encode(body).decode().replace("{tokens}", str(tokens)).replace("{window}", str(window))
        return Reply((text.encode(),), status, JSON)

    return reply


def streamed(*events: bytes) -> Overflow:
    return lambda _tokens, _window: Reply(events)


def event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: ".encode() + msgspec.json.encode({"type": kind, **fields}) + b"\n\n"


def chunk(finish_reason: str) -> bytes:
    choice: Json = {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": finish_reason}
    return b"data: " + msgspec.json.encode({"id": "c", "model": "m", "choices": [choice]}) + b"\n\n"


def anthropic(message: str, kind: str = "invalid_request_error", status: int = 400) -> Overflow:
    return plain({"type": "error", "error": {"type": kind, "message": message}}, status)


BEGUN = event("response.created", response={"id": "r", "status": "in_progress", "error": None, "output": []})
FAILED = {"id": "r", "status": "failed", "error": {"code": CODE, "message": RESPONSES}, "output": []}
STARTED = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": {}}
ALL: dict[str, tuple[Overflow, ...]] = {
    "/v1/chat/completions": (
        said(OPENAI, CODE),
        said(OPENROUTER),
        said("the request exceeds the available context size, try increasing it", "exceed_context_size_error"),
        said("the request exceeds the available context size, try increasing it", status=500),  # older llama.cpp
        said("prompt too long; exceeded max context length by {tokens} tokens (ref: 96164522)"),  # Ollama
        plain({"object": "error", "message": DECODER, "type": "BadRequestError", "code": 400}),  # vLLM
        plain({"error": LOST}),  # LM Studio
        said("The input ({tokens} tokens) is longer than the model's context length ({window} tokens)."),  # SGLang
        said("Prompt contains {tokens} tokens, too large for model with {window} maximum context length"),  # Mistral
        said("Please reduce the length of the messages or completion."),  # Groq
        said("This model's maximum prompt length is {window} but the request contains {tokens} tokens."),  # xAI
        plain({"error": {"code": 400, "message": GOOGLE, "status": "INVALID_ARGUMENT"}}),
        said("Invalid request: Your request exceeded model token limit: {window}"),  # Moonshot
        said("invalid params, context window exceeds limit (2013)"),  # MiniMax
        said("prompt token count of {tokens} exceeds the limit of {window}", "model_max_prompt_tokens_exceeded"),
        said("InternalError.Algo.InvalidParameter: Range of input length should be [1, {window}]"),  # DashScope
        said("Input length {tokens} exceeds the maximum allowed input length of {window} tokens."),
        streamed(error_event("/v1/chat/completions", CODE, OPENROUTER)),
        streamed(chunk("model_context_window_exceeded"), b"data: [DONE]\n\n"),  # Z.ai
    ),
    "/v1/responses": (
        said(RESPONSES, CODE),
        streamed(BEGUN, event("response.failed", response=FAILED)),
        streamed(BEGUN, event("error", code=CODE, message=RESPONSES, param="input")),
    ),
    "/v1/messages": (
        anthropic("prompt is too long: {tokens} tokens > {window} maximum"),
        anthropic("input length and `max_tokens` exceed context limit: {tokens} + 8192 > {window}, decrease it"),
        anthropic("Request exceeds the maximum size", "request_too_large", 413),
        anthropic("Input is too long for requested model."),  # Bedrock
        streamed(
            event("message_start", message=STARTED),
            event("message_delta", delta={"stop_reason": "model_context_window_exceeded"}, usage={"output_tokens": 0}),
            event("message_stop"),
        ),
    ),
}
