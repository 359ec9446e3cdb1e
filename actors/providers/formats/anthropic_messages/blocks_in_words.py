"""What blocks of the service's own say to another model, in a few words. Pure."""

import msgspec

LONGEST = 2_000
"""Characters of what a tool of the service put out."""


class _Input(msgspec.Struct):
    query: str = ""
    url: str = ""


class _Found(msgspec.Struct):
    url: str = ""
    title: str | None = None


class _Output(_Found):
    """What one call brought: a page, the output of a command, an advice, or an error."""

    text: str = ""
    stdout: str = ""
    stderr: str = ""
    error_code: str = ""


class _Block(msgspec.Struct):
    type: str
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")
    content: msgspec.Raw = msgspec.Raw(b"null")


_block = msgspec.json.Decoder(_Block)
_input = msgspec.json.Decoder(_Input)
_content = msgspec.json.Decoder(str | list[_Found] | _Output | None)


def as_text(data: str) -> str:
    """`data`: a block as JSON. "" when it says nothing."""
    try:
        block = _block.decode(data)
        if block.type == "server_tool_use":
            return _asked(block)
        if block.type == "compaction" or block.type.endswith("_tool_result"):
            return _brought(_content.decode(block.content))
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass  # of a form to come
    return ""


def _asked(block: _Block) -> str:
    given = _input.decode(block.input)
    if given.query:
        return f"[Searched the web for: {given.query}]"
    return f"[Opened {given.url}]" if given.url else ""


def _brought(content: str | list[_Found] | _Output | None) -> str:
    match content:
        case str():
            return content
        case _Output(error_code=code) if code:
            return f"[It failed: {code}]"
        case _Output():
            return "\n".join(filter(None, (content.text, content.stdout, content.stderr)))[:LONGEST]
        case list():
            lines = [f"- {found.title or found.url} ({found.url})" for found in content if found.url]
            return "\n".join(["[Found:", *lines, "]"]) if lines else ""
        case None:
            return ""
