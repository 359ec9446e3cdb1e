"""Entries of a session as they are stored, for tests of what is written from them."""

from collections.abc import Iterable

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    Body,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.usage import Usage
from ui.session_files.transcript import Telling, Transcript

BEGAN = 1_764_000_000.0
"""2025-11-24 16:00:00 UTC."""
PNG = b"\x89PNG\r\n\x1a\nplanted pixels"
HOSTILE = (
    "</script><script>alert(1)</script>",
    "--><img src=x onerror=alert(1)>",
    "```\n# forged\n```",
    "~~~\n~~~\n````````",
    "\x1b]0;title\x07\x1b[31mred\x1b[0m\x9b5m",
    '"><svg onload=alert(1)>',
    "[x](javascript:alert(1)) ![y](http://tracker.example/y)",
    "> # quoted\n\n***\n\n# forged\n=====\n",
    "<!-- ",
    "    indented\n\n\tcode",
    "&lt;b&gt; &amp; \u202e reversed",
    "- a\n  - b\n    ```\n    open",
    "</pre></code></details></style>",
    "[1]: http://evil.example\n\n[1]",
    "\ufeff\x00\x7f",
)
"""Texts that want to be more than text."""


def entries(*bodies: Body) -> list[Entry]:
    """One after the other, a second apart."""
    ids = [f"e{number}" for number in range(len(bodies))]
    return [
        Entry(id=own, session_id="s", parent=parent, body=body, at=BEGAN + number)
        for number, (own, parent, body) in enumerate(zip(ids, ["", *ids], bodies, strict=False))
    ]


def prompt(text: str) -> UserMessage:
    return UserMessage(text=text, turn_id="t", prompt_id="p")


def answer(*blocks: Block, usage: Usage = Usage()) -> AssistantMessage:  # noqa: B008  # it is frozen
    return AssistantMessage(blocks=blocks, stop_reason="end_turn", model="house/m", usage=usage)


def said(text: str) -> AssistantMessage:
    return answer(Text(text=text))


def call(call_id: str = "c", name: str = "read", arguments: str = '{"path":"a"}') -> ToolCall:
    return ToolCall(call_id=call_id, name=name, arguments=arguments)


def result(output: str, call_id: str = "c", **more: object) -> ToolResult:
    return ToolResult(call_id=call_id, name="read", output=output, **more)  # type: ignore[arg-type]


def hostile_session(text: str) -> Iterable[Entry]:
    """The text everywhere that text can be."""
    return entries(
        prompt(text),
        answer(Text(text=text), call(name=text, arguments=text)),
        result(text, summary=text, diff=text),
        said(text),
    )


def told(session: Iterable[Entry]) -> Transcript:
    telling = Telling()
    for entry in session:
        telling.add(entry)
    return telling.transcript("s", "/w")
