"""/server:prompt and what stands behind it: the arguments of a server's prompt, by place or by name. Pure."""

import difflib
import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from actors.errors import failed
from actors.messages.mcp import McpPrompt
from actors.settings.mcp.names import SERVER

LINE = re.compile(rf"/({SERVER.pattern}):(\S+)(?:\s+(.*))?", re.DOTALL)
BLANKS = re.compile(r"\s+")
MOST_NAMED = 20


class PromptLine(NamedTuple):
    server: str
    prompt: str
    """As it is typed."""
    rest: str

    @property
    def command(self) -> str:
        return f"/{self.server}:{self.prompt}"


def read(text: str) -> PromptLine | None:
    """None: it is nothing like that."""
    found = LINE.fullmatch(text.strip())
    return PromptLine(found[1], found[2], found[3] or "") if found else None


def typed_name(prompt: McpPrompt) -> str:
    """One word, whatever the server calls it."""
    return BLANKS.sub("_", prompt.name)


def usage(server: str, prompt: McpPrompt) -> str:
    """/docs:review <file> [style]"""
    places = (f"<{one.name}>" if one.required else f"[{one.name}]" for one in prompt.arguments)
    return " ".join([f"/{server}:{typed_name(prompt)}", *places])


def meant(line: PromptLine, prompts: Sequence[McpPrompt]) -> McpPrompt:
    """Raises Failed, which names what there is."""
    by_name = {typed_name(one): one for one in prompts}
    if line.prompt in by_name:
        return by_name[line.prompt]
    near = difflib.get_close_matches(line.prompt, by_name, n=1)
    there = ", ".join(list(by_name)[:MOST_NAMED]) or "none"
    hint = f"Did you mean /{line.server}:{near[0]}?" if near else f"Its prompts: {there}."
    raise failed("bad_request", f"the MCP server {line.server} has no prompt {line.prompt}.", hint)


def arguments(line: PromptLine, prompt: McpPrompt) -> dict[str, str]:
    """name=value, and the other words in their order; what is too much goes to the last. Raises Failed."""
    names = [one.name for one in prompt.arguments]
    given: dict[str, str] = {}
    placed: list[str] = []
    for word in _words(line.rest):
        name, is_named, value = word.partition("=")
        if is_named and name in names and name not in given:
            given[name] = value
        else:
            placed.append(word)
    free = [name for name in names if name not in given]
    if placed and not free:
        raise failed("bad_request", f"{line.command} takes no more: {' '.join(placed)}.", _usage(line, prompt))
    if free and len(placed) > len(free):
        placed[len(free) - 1 :] = [" ".join(placed[len(free) - 1 :])]
    given |= dict(zip(free, placed, strict=False))
    if missing := [one.name for one in prompt.arguments if one.required and not given.get(one.name)]:
        raise failed("bad_request", f"{line.command} needs {', '.join(missing)}.", _usage(line, prompt))
    return given


def _usage(line: PromptLine, prompt: McpPrompt) -> str:
    return f"Usage: {usage(line.server, prompt)}"


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quote that does not end, as in: what's new
        return text.split()
