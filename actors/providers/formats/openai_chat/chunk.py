"""What a server sends, as far as we read it: a chunk of a stream, or a whole body, which is the same but for a word.

Servers differ in what they put where, so types are wide, and a member that has another type than anybody's is left out.
"""

import msgspec

from actors.providers.faults import error_body
from actors.providers.faults.fault import ServiceFailed, broken
from actors.providers.formats.lenient_json import without_odd_members
from actors.providers.formats.openai_chat.kept_parts import Detail

NULL = msgspec.Raw(b"null")
NO_CHUNK = broken("it sent something that is not a chat completion chunk.")


class FunctionDelta(msgspec.Struct):
    name: str | None = None
    arguments: str | dict[str, msgspec.Raw] | None = None


class CallDelta(msgspec.Struct):
    index: int | None = None
    id: str | int | None = None
    function: FunctionDelta | None = None
    extra_content: msgspec.Raw = NULL


class Part(msgspec.Struct):
    """One of Mistral's content array."""

    type: str = ""
    text: str | None = None
    thinking: str | list["Part"] | None = None


class Citation(msgspec.Struct):
    url: str = ""
    title: str | None = None


class Annotation(Citation):
    """Some leave the inner object out, as Responses does."""

    url_citation: Citation | None = None


class Delta(msgspec.Struct):
    content: str | list[Part | str] | Part | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_text: str | None = None
    reasoning_opaque: str | None = None
    reasoning_details: list[Detail] | None = None
    refusal: str | None = None
    tool_calls: list[CallDelta] | None = None
    function_call: FunctionDelta | None = None
    """As before there were tools."""
    annotations: list[Annotation] | None = None
    extra_content: msgspec.Raw = NULL


class Details(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


class CostDetails(msgspec.Struct):
    upstream_inference_cost: float | None = None


class Searches(msgspec.Struct):
    web_search_requests: int | None = None


class Counts(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    prompt_tokens_details: Details | None = None
    completion_tokens_details: Details | None = None
    cached_tokens: int | None = None
    """Moonshot's."""
    prompt_cache_hit_tokens: int | None = None
    """DeepSeek's."""
    cost: float | None = None
    """OpenRouter's, in dollars; without what is billed by the owner of the key it used, if that is the user."""
    is_byok: bool | None = None
    cost_details: CostDetails | None = None
    server_tool_use: Searches | None = None
    server_tool_use_details: Searches | None = None


class Groq(msgspec.Struct):
    usage: Counts | None = None


class Timings(msgspec.Struct):
    """llama.cpp's."""

    cache_n: int | None = None
    prompt_n: int | None = None
    """Without those of the cache."""
    predicted_n: int | None = None


class Choice(msgspec.Struct):
    index: int | None = None
    delta: Delta | None = None
    message: Delta | None = None
    """In place of the delta where it is whole."""
    finish_reason: str | None = None
    usage: Counts | None = None
    """Moonshot's place for it."""
    error: msgspec.Raw = NULL


class Chunk(msgspec.Struct):
    choices: list[Choice] | None = None
    usage: Counts | None = None
    x_groq: Groq | None = None
    timings: Timings | None = None
    error: msgspec.Raw = NULL
    object: str | None = None
    detail: msgspec.Raw = NULL
    """FastAPI's errors; `message` has the words of others that are not under `error` either."""
    message: msgspec.Raw = NULL

    @property
    def is_error(self) -> bool:
        if there(self.error) or (not self.choices and self.object == "error"):
            return True
        words = bytes(self.message).startswith(b'"')  # of a Messages event it is an object
        return self.choices is None and (there(self.detail) or words)


_chunk = msgspec.json.Decoder(Chunk)
_lenient = msgspec.json.Decoder(Chunk, strict=False)


def decoded(data: bytes) -> Chunk:
    """Raises msgspec.DecodeError or UnicodeDecodeError for what is no JSON, and ServiceFailed for other JSON."""
    try:
        return _chunk.decode(data)
    except msgspec.ValidationError:
        pass
    try:
        return without_odd_members(data, _lenient)  # the rest may be all of the answer
    except msgspec.ValidationError as error:
        raise ServiceFailed(NO_CHUNK) from error


def there(raw: msgspec.Raw) -> bool:
    return raw is not NULL and error_body.is_one(raw)
