"""What a Messages request is made of, as it is written on the wire. Nothing is decided here."""

import msgspec


class CacheControl(msgspec.Struct, tag_field="type", tag="ephemeral", omit_defaults=True, frozen=True):
    ttl: str = ""


class Text(msgspec.Struct, tag_field="type", tag="text", omit_defaults=True):
    text: str
    cache_control: CacheControl | None = None


class Thinking(msgspec.Struct, tag_field="type", tag="thinking"):
    thinking: str
    signature: str


class ToolUse(msgspec.Struct, tag_field="type", tag="tool_use", omit_defaults=True):
    id: str
    name: str
    input: msgspec.Raw
    cache_control: CacheControl | None = None


class Base64(msgspec.Struct, tag_field="type", tag="base64"):
    media_type: str
    data: bytes
    """msgspec writes bytes as base64."""


class Image(msgspec.Struct, tag_field="type", tag="image", omit_defaults=True):
    source: Base64
    cache_control: CacheControl | None = None


class Document(msgspec.Struct, tag_field="type", tag="document", omit_defaults=True):
    source: Base64
    title: str = ""
    cache_control: CacheControl | None = None


class ToolResult(msgspec.Struct, tag_field="type", tag="tool_result", omit_defaults=True):
    tool_use_id: str
    content: str | list[Text | Image | Document] = ""
    is_error: bool = False
    cache_control: CacheControl | None = None


Markable = Text | ToolUse | Image | Document | ToolResult
Content = Markable | Thinking | msgspec.Raw
"""Raw: a block of the service's own, as it came."""


class Message(msgspec.Struct):
    role: str
    content: list[Content]


class Tool(msgspec.Struct, omit_defaults=True):
    name: str
    input_schema: msgspec.Raw
    description: str = ""
    cache_control: CacheControl | None = None


class WebSearch(msgspec.Struct, tag_field="type", tag="web_search_20250305", omit_defaults=True):
    """The first version: every model still offered has it. The later ones run code to filter what they find."""

    name: str
    max_uses: int
    cache_control: CacheControl | None = None


class Choice(msgspec.Struct):
    type: str


class Adaptive(msgspec.Struct, tag_field="type", tag="adaptive"):
    display: str


class Enabled(msgspec.Struct, tag_field="type", tag="enabled"):
    budget_tokens: int


class Disabled(msgspec.Struct, tag_field="type", tag="disabled"):
    pass


ThinkingConfig = Adaptive | Enabled | Disabled


class Summarize(msgspec.Struct, tag_field="type", tag="summarize"):
    instructions: str


class OutputConfig(msgspec.Struct):
    effort: str


class Body(msgspec.Struct, omit_defaults=True):
    model: str
    max_tokens: int
    stream: bool
    messages: list[Message]
    system: list[Text] = []
    tools: list[Tool | WebSearch] = []
    tool_choice: Choice | None = None
    thinking: ThinkingConfig | None = None
    output_config: OutputConfig | None = None
    compaction: Summarize | None = None
