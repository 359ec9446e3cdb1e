"""What the benchmark's model says: a Plan is the prompt itself, as JSON, and this turns it into answers. Pure."""

from collections.abc import Iterator
from typing import Any

import msgspec

LAST_WORD = "Zyzzyva"
"""Ends a markdown answer."""
TOKEN = 4
"""Characters."""


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    tool: str
    arguments: dict[str, str | int] = {}
    """`#` in a text stands for the number of the round."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    calls: tuple[Call, ...] = ()
    """One for each round, in turn."""
    rounds: int = 0
    """Answers that call a tool, before the last one, which does not."""
    hold_s: float = 0.0
    """Before each answer."""
    hold_last_s: float = 0.0
    per_s: float = 0.0
    """Deltas a second of the last answer; 0: all at once."""
    deltas: int = 1
    markdown: int = 0
    """Characters of the last answer."""

    @property
    def prompt(self) -> str:
        return msgspec.json.encode(self).decode()


class _Message(msgspec.Struct):
    role: str
    content: str | None = None


class _Body(msgspec.Struct):
    messages: list[_Message]


def read(body: bytes) -> tuple[Plan, int]:
    """The plan of the latest prompt, and how many answers it has had."""
    messages = msgspec.json.decode(body, type=_Body).messages
    answered = 0
    for message in reversed(messages):
        if message.role == "user":
            return msgspec.json.decode(message.content or "", type=Plan), answered
        answered += message.role == "assistant"
    raise ValueError("a request without a prompt")


def events(plan: Plan, answered: int) -> Iterator[bytes]:
    """The answer as server-sent events."""
    if answered < plan.rounds:
        call = plan.calls[answered % len(plan.calls)]
        arguments = msgspec.json.encode(call.arguments).decode().replace("#", str(answered))
        function = {"name": call.tool, "arguments": arguments}
        called = {"index": 0, "id": f"call_{answered}", "type": "function", "function": function}
        yield _event({"role": "assistant", "tool_calls": [called]})
        yield _event({}, "tool_calls")
    else:
        for text in _texts(plan):
            yield _event({"content": text})
        yield _event({}, "stop")
    yield b"data: [DONE]\n\n"


def _texts(plan: Plan) -> Iterator[str]:
    if plan.markdown:
        text = markdown(plan.markdown)
        yield from (text[at : at + TOKEN] for at in range(0, len(text), TOKEN))
    else:
        yield from ["Done. "] * plan.deltas


def _event(delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return b"data: %s\n\n" % msgspec.json.encode({"choices": [choice]})


PROSE = (
    "The **router** reads the envelope and forwards the body as bytes, so that no *content* can break it; "
    "see `route()` and [the notes](https://example.org/notes) for what a cancel does on its way.\n\n"
)
SECTION = (
    "## Part #\n\n"
    + PROSE * 3
    + "- the first point, with `code` in it\n- the second point\n  - and one below it\n\n"
    + "```python\ndef part_#(values: list[int]) -> int:\n"
    + '    """Sum of what is even."""\n    return sum(value for value in values if value % 2 == 0)\n```\n\n'
    + "| name | kind | cost |\n| --- | --- | ---: |\n| read | free | 1 |\n| bash | asks | 12 |\n\n"
)


def markdown(characters: int) -> str:
    """About so many, as models write: prose, lists, code and tables."""
    sections = [SECTION.replace("#", str(number)) for number in range(characters // len(SECTION) + 1)]
    return f"{''.join(sections)[:characters]}\n\n```\n```\n\n{LAST_WORD}\n"
