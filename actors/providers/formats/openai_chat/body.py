"""What a Chat Completions request is made of, as it is written on the wire. Nothing is decided here."""

from collections.abc import Mapping
from typing import Any

import msgspec


class CacheControl(msgspec.Struct, tag_field="type", tag="ephemeral", omit_defaults=True, frozen=True):
    ttl: str = ""


class TextPart(msgspec.Struct, tag_field="type", tag="text", omit_defaults=True):
    text: str
    cache_control: CacheControl | None = None


class Url(msgspec.Struct):
    url: str


class ImagePart(msgspec.Struct, tag_field="type", tag="image_url"):
    image_url: Url


class File(msgspec.Struct):
    filename: str
    file_data: str


class FilePart(msgspec.Struct, tag_field="type", tag="file"):
    file: File


class ThinkingPart(msgspec.Struct, tag_field="type", tag="thinking"):
    thinking: list[TextPart]


Part = TextPart | ImagePart | FilePart | ThinkingPart


class Function(msgspec.Struct):
    name: str
    arguments: str


class Call(msgspec.Struct, omit_defaults=True):
    id: str
    function: Function
    extra_content: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    type: str = msgspec.field(default_factory=lambda: "function")  # not a plain default: it has to be written


class Message(msgspec.Struct, omit_defaults=True):
    role: str
    content: str | list[Part] | None
    tool_calls: list[Call] = []
    tool_call_id: str = ""
    reasoning_content: str | msgspec.UnsetType = msgspec.UNSET
    reasoning_text: str | msgspec.UnsetType = msgspec.UNSET
    reasoning_opaque: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    reasoning_details: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    extra_content: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class Declared(msgspec.Struct, omit_defaults=True):
    name: str
    description: str = ""
    parameters: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class Tool(msgspec.Struct, tag_field="type", tag="function"):
    function: Declared


class WebSearch(msgspec.Struct, tag_field="type", tag="openrouter:web_search"):
    pass


class StreamOptions(msgspec.Struct):
    include_usage: bool


class Reasoning(msgspec.Struct, omit_defaults=True):
    effort: str = ""
    enabled: bool | None = None


class Toggle(msgspec.Struct):
    type: str


class TemplateArguments(msgspec.Struct, omit_defaults=True):
    enable_thinking: bool
    reasoning_effort: str = ""


class Body(msgspec.Struct, omit_defaults=True):
    model: str
    messages: list[Message]
    stream: bool
    stream_options: StreamOptions | None = None
    tools: list[Tool | WebSearch] = []
    tool_choice: str = ""
    parallel_tool_calls: bool | None = None
    max_tokens: int = 0
    prompt_cache_key: str = ""
    reasoning_effort: str = ""
    reasoning: Reasoning | None = None
    thinking: Toggle | None = None
    chat_template_kwargs: TemplateArguments | None = None
    provider: Mapping[str, Any] = {}
