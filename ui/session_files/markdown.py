"""A session as Markdown, for people: nothing that was said or printed in it can pass for another part of it. Pure.

Prompts are quotes. An answer stays as the model wrote it where it is whole by itself, with its headings below ours;
what would not be is put in a fence.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ui.common.allowance import Allowance
from ui.session_files.transcript import Call, Note, Part, Prompt, Said, Thought, Transcript, attached, when

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

ALLOWANCE = Allowance(at_once_s=2.0, together_s=30.0)
END = "\n\nENDOFANSWER"
DEEPER = 2
"""Levels that headings of an answer are below those they were written as."""


def markdown(told: Transcript) -> Iterator[str]:
    """In pieces."""
    yield f"# {escaped(told.title)}\n\n"
    yield "".join(f"- {name}: {escaped(value)}\n" for name, value in told.facts.items())
    for part in told.parts:
        yield "\n" + _part(part)


def escaped(text: str) -> str:
    """Of one line, behind other text of ours."""
    return re.sub(r"([\\`*_\[\]<>#!|~&$])", r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """Within a line."""
    text = " ".join(text.split()) or "?"
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def fenced(text: str, language: str = "text") -> str:
    """A fence that nothing in it closes."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`{3,}", text)), default=0))
    return f"{fence}{language}\n{text.rstrip(chr(10))}\n{fence}\n"


def _part(part: Part) -> str:
    match part:
        case Prompt():
            files = "".join(f"\n- {code(attached(one))}" for one in part.attachments)
            who = "User" if part.is_users else "Program"
            return f"## {who}\n\n{escaped(when(part.at))}\n\n{_quoted(part.text)}{files and chr(10) + files}\n"
        case Thought(text=text):
            return f"## Thinking\n\n{_quoted(text)}\n"
        case Said(text=text, sources=sources):
            links = "".join(f"\n- {code(one.title or one.url)}: {code(one.url)}" for one in sources)
            return f"## Answer\n\n{_own(text)}{links and chr(10) + links + chr(10)}"
        case Note(text=text):
            return f"*{escaped(text)}*\n"
        case Call():
            return "\n".join(_call(part))


def _call(call: Call) -> Iterator[str]:
    yield f"## Tool: {code(call.name)}\n"
    if call.arguments:
        yield fenced(call.arguments, "json" if call.is_json else "text")
    if (result := call.result) is None:
        yield "No result.\n"
        return
    summary = f": {escaped(result.summary)}" * bool(result.summary)
    yield f"{'Failed' if result.failed else 'Done'}{summary}\n"
    if result.diff:
        yield fenced(result.diff, "diff")
    if result.output.strip():
        yield fenced(result.output)
    yield from (f"- {code(attached(one))}\n" for one in result.attachments)


def _quoted(text: str) -> str:
    """What is in a quote ends with it; what would act there is fenced."""
    body = fenced(text) if (parsed := _parsed(text)) is None or parsed.acts else text
    return "\n".join(f"> {line}".rstrip() for line in body.strip("\n").split("\n"))


def _own(text: str) -> str:
    """As the model wrote it, where it ends by itself and does nothing when it is shown."""
    parsed = _parsed(text)
    if parsed is None or parsed.acts or not parsed.ends:
        return fenced(text, "markdown")
    lines = text.split("\n")
    for heading in reversed(parsed.headings):
        lines[heading.first : heading.end] = [f"{'#' * min(6, heading.level + DEEPER)} {heading.text}"]
    return "\n".join(lines).strip("\n") + "\n"


class _Heading(NamedTuple):
    first: int
    end: int
    level: int
    text: str


class _Parsed(NamedTuple):
    acts: bool
    """It has HTML, or images, which tell a stranger that somebody looks, or makes links of words elsewhere."""
    ends: bool
    """What follows on it is no part of it."""
    headings: list[_Heading]
    """Those that are in no list and no quote."""


def _parsed(text: str) -> _Parsed | None:
    """None where that would take too long."""
    return ALLOWANCE.spend(lambda: _parse(text))


def _parse(text: str) -> _Parsed:
    found: dict[str, object] = {}
    tokens = _parser().parse(text + END, found)
    inner = {child.type for token in tokens for child in token.children or ()}
    acts = bool({"html_inline", "image"} & inner) or any(token.type == "html_block" for token in tokens)
    acts |= bool(found.get("references"))
    last = tokens[-2] if len(tokens) > 2 else None
    ends = last is not None and last.level == 1 and last.content == END.strip()
    headings = [
        _Heading(token.map[0], token.map[1], int(token.tag[1:]), " ".join(content.content.split()))
        for token, content in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    return _Parsed(acts, ends, headings)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")
