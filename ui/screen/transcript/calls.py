"""What a tool call is about, in one line: its command, its path, its question; else its arguments. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from actors.common.call_arguments import ABOUT
from actors.common.plurals import how_many
from actors.messages.conversation import ToolCall
from actors.settings.mcp.names import shown_tool
from ui.common import harmless
from ui.screen.transcript import todo
from ui.screen.transcript.plan import presented

LONGEST = 1000
"""Characters of a title: it is measured for every frame, and has a row at most."""
_PATCHED = re.compile(r"^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b/)?)(\S.*)$", re.MULTILINE)


@dataclass
class Running:
    """A call that has no result yet."""

    name: str
    title: str
    steps: tuple[todo.Step, ...] = ()
    """That it notes."""
    plan: str = ""
    """That it presents."""
    started_at: float | None = None
    """Seconds since the epoch."""
    output: str = ""


class _Edit(msgspec.Struct):
    path: str = ""


class _Known(msgspec.Struct):
    """The arguments whose meaning we know; others are left alone."""

    source: str = ""
    destination: str = ""
    edits: tuple[_Edit, ...] = ()
    patch: str = ""
    input: str = ""
    """Of a free-form tool."""


def running(call: ToolCall) -> Running:
    return Running(harmless.one_line(shown_tool(call)), title(call), todo.steps(call), presented(call))


def title(call: ToolCall) -> str:
    return _whole(call)[:LONGEST]


def _whole(call: ToolCall) -> str:
    try:
        arguments = msgspec.json.decode(call.arguments, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        return harmless.one_line(call.arguments)
    if not arguments:
        return ""
    return harmless.one_line(_of_several(arguments) or _of_one(arguments) or call.arguments)


def _of_several(arguments: dict[str, object]) -> str:
    """Of calls that are about more than one file."""
    try:
        known = msgspec.convert(arguments, _Known)
    except msgspec.ValidationError:
        return ""
    if known.source and known.destination:
        return f"{known.source} → {known.destination}"
    return _files([edit.path for edit in known.edits] or _PATCHED.findall(known.patch or known.input))


def _files(paths: Iterable[str]) -> str:
    named = list(dict.fromkeys(path for path in paths if path and path != "/dev/null"))
    return named[0] if len(named) == 1 else f"{how_many(len(named), 'file')}: {', '.join(named)}" if named else ""


def _of_one(arguments: dict[str, object]) -> str:
    named = [arguments[key] for key in ABOUT if key in arguments]
    texts = [value for value in (*named, *arguments.values()) if isinstance(value, str)]
    numbers = [f"{key} {value}" for key, value in arguments.items() if isinstance(value, int)]
    return next(iter((*texts, *numbers)), "")
