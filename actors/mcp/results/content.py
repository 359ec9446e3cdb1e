"""Content of results, resources and prompts: text and attachments for the model, bounded; what is left out is named.

Pure. Everything here is the server's word, and trusted in nothing.
"""

import base64
import binascii
import json
import mimetypes
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    GetPromptResult,
    ImageContent,
    ReadResourceResult,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from actors.common.plurals import how_many
from actors.mcp import limits
from actors.mcp.results.same import says_the_same
from actors.messages.conversation import Attachment

ATTACHED = ("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf")
"""What models take."""
TEXTUAL = ("text/", "application/json", "application/xml", "application/yaml")
"""What may also be given as a blob."""
ONE_BYTES = 3_750_000
"""Of one attachment: as base64 it is a third more, and Anthropic takes 5 MB."""
SURROGATES = re.compile("[\ud800-\udfff]")
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].*?(?:\x07|\x1b\\|\Z)|[ -/]*[0-~])", re.DOTALL)
"""Sequences that begin with ESC: colours, titles, the clipboard."""
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
Resource = TextResourceContents | BlobResourceContents


@dataclass
class Content:
    """What there is so far."""

    name: str
    """What attachments are called after."""
    parts: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    """Texts and data as they came."""

    def text(self) -> str:
        return shortened(encodable("\n".join(self.parts)))

    def add(self, block: ContentBlock) -> None:
        match block:
            case TextContent(text=text):
                self.parts.append(text)
                self.heard.append(text)
            case ImageContent(data=data, mime_type=kind) | AudioContent(data=data, mime_type=kind):
                self.heard.append(data)
                self._attach(data, kind)
            case ResourceLink(uri=uri, name=name, description=description):
                told = f" - {description}" if description else ""
                self.parts.append(f"[resource {name}: {uri}{told}]")
            case EmbeddedResource(resource=resource):
                self.add_resource(resource)

    def add_resource(self, resource: Resource) -> None:
        match resource:
            case TextResourceContents(uri=uri, text=text):
                self.parts.append(f"[resource {uri}]\n{text}")
                self.heard.append(text)
            case BlobResourceContents(uri=uri, blob=blob, mime_type=kind):
                kind = kind or mimetypes.guess_type(str(uri))[0] or "application/octet-stream"
                text = _as_text(blob, kind)
                self.parts.append(f"[resource {uri}]{text and chr(10)}{text}")
                if not text:
                    self._attach(blob, kind)

    def _attach(self, encoded: str, kind: str) -> None:
        kind = kind.partition(";")[0].strip().lower()
        try:
            data = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            self.parts.append(f"[{kind} left out: it is no base64]")
            return
        if why := self._why_not(kind, len(data)):
            self.parts.append(f"[{kind}, {how_many(len(data), 'byte')}, left out: {why}]")
            return
        name = f"{self.name}-{len(self.attachments) + 1}{mimetypes.guess_extension(kind) or ''}"
        self.attachments.append(Attachment(name=name, media_type=kind, data=data, size=len(data)))
        self.parts.append(f"[{kind}: {name}]")

    def _why_not(self, kind: str, size: int) -> str:
        if kind not in ATTACHED:
            return "no model takes it"
        if size > ONE_BYTES:
            return "it is larger than models take"
        if len(self.attachments) >= limits.ATTACHMENTS:
            return f"{limits.ATTACHMENTS} are attached already"
        total = sum(one.size for one in self.attachments) + size
        return "there is too much of it" if total > limits.ATTACHED_BYTES else ""


def _as_text(encoded: str, kind: str) -> str:
    """ "" for what is none."""
    try:
        return base64.b64decode(encoded, validate=True).decode() if kind.startswith(TEXTUAL) else ""
    except (binascii.Error, ValueError):
        return ""


def of_result(result: CallToolResult, name: str) -> Content:
    content = _of_blocks(result.content, name)
    structured = result.structured_content
    if isinstance(structured, dict) and structured and not says_the_same(content.heard, structured):
        content.parts.append(json.dumps(structured, ensure_ascii=False, indent=1))
    return content


def _of_blocks(blocks: Sequence[ContentBlock], name: str) -> Content:
    content = Content(name)
    for block in blocks[: limits.BLOCKS]:
        content.add(block)
    if len(blocks) > limits.BLOCKS:
        content.parts.append(f"[{how_many(len(blocks) - limits.BLOCKS, 'more block')} of content left out]")
    return content


def of_resource(result: ReadResourceResult, name: str) -> Content:
    content = Content(name)
    for resource in result.contents[: limits.BLOCKS]:
        match resource:
            case TextResourceContents(text=text) if len(result.contents) == 1:
                content.parts.append(text)
            case _:
                content.add_resource(resource)
    return content


def of_prompt(result: GetPromptResult) -> Content:
    """Who says what is told where not all of it is the user's."""
    content = Content("prompt")
    is_talk = any(message.role != "user" for message in result.messages)
    for message in result.messages[: limits.BLOCKS]:
        before = len(content.parts)
        content.add(message.content)
        said = "\n".join(content.parts[before:])
        whose = f"{message.role.capitalize()}: " if is_talk else ""
        gap = "\n" if before else ""
        content.parts[before:] = [f"{gap}{whose}{said}"]
    return content


def shortened(text: str, most: int = limits.TEXT_CHARS, tail: int = limits.TEXT_TAIL_CHARS) -> str:
    """The middle is left out of what is too long."""
    extra = len(text) - most
    if extra <= 0:
        return text
    cut = f"[... {how_many(extra, 'character')} cut from the middle; ask for less at a time ...]"
    return f"{text[: most - tail]}\n{cut}\n{text[-tail:]}"


def encodable(text: str) -> str:
    """Half characters are none that a message could carry."""
    return text if text.isascii() else SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def plain(text: str) -> str:
    """For people: without what a terminal would act on."""
    return CONTROLS.sub("", ESCAPES.sub("", encodable(text)))


def one_line(texts: Iterable[str], most: int = limits.SUMMARY_CHARS) -> str:
    """The first line of the first that says something; all of it, where that line has a bracket alone, as in JSON."""
    said = next((text.strip() for text in texts if text.strip()), "")
    line = next(iter(said.splitlines()), "").strip()
    if not any(map(str.isalnum, line)):
        line = " ".join(said[: most * 4].split())
    return line if len(line) <= most else line[: most - 1] + "…"
