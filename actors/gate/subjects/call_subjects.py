"""From a call's arguments to what it touches, by what its tool declares; and the arguments encoded anew."""

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from actors.common.call_arguments import decoded
from actors.errors import failed
from actors.gate.decision import Context
from actors.gate.subjects import patched_files
from actors.gate.subjects.command_subjects import Leaving, command_lines
from actors.gate.subjects.hosts import host
from actors.gate.subjects.places import Access, locate
from actors.gate.subjects.session_places import is_sessions
from actors.gate.subjects.subject import File, Kind, Site, Subject, Whole, effect_of
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec, Touch

T = TypeVar("T")
MOST_FILES = 200
"""That one call names: each is looked up, judged and shown to who is asked."""
NO = (None, False, 0, "false", "0")
"""Of a yes or no; all else counts as yes, whatever its tool takes it for."""


class Touched(msgspec.Struct, frozen=True):
    call: ToolCall
    """Encoded anew."""
    subjects: tuple[Subject, ...]
    leaving: Leaving


def touched(call: ToolCall, spec: ToolSpec, context: Context) -> Touched:
    """Of arguments that its tool will not take: the tool as a whole. Raises Failed where they name too many files."""
    try:
        arguments = decoded(call.arguments)
        encoded = msgspec.structs.replace(call, arguments=msgspec.json.encode(arguments).decode())
    except (msgspec.DecodeError, msgspec.EncodeError, RecursionError, OverflowError, UnicodeError):
        return Touched(call, (Whole(spec.effect),), Leaving())
    lines = [text for touch in spec.touches if touch.scope == "bash" for text in _values(arguments, touch)]
    asked = Leaving(_is_yes(arguments, "network"), _is_yes(arguments, "unsandboxed")) if lines else Leaving()
    commands, leaving = command_lines(lines, asked, context)
    named = [subject for touch in spec.touches for subject in _of_touch(touch, arguments, context)]
    masked = context.apart and not leaving.unsandboxed
    subjects = (*dict.fromkeys(named), *(replace(command, masked=masked) for command in commands))
    if spec.effect not in {effect_of(subject) for subject in subjects}:
        subjects = (*subjects, Whole(spec.effect))
    return Touched(encoded, subjects, leaving)


def _is_yes(arguments: dict[str, Any], name: str) -> bool:
    return arguments.get(name) not in NO


def _of_touch(touch: Touch, arguments: dict[str, Any], context: Context) -> Iterator[Subject]:
    values = tuple(dict.fromkeys(_values(arguments, touch)))
    match touch.scope:
        case "read" | "write" as access:
            yield from (_file(access, path, context, moved_to=touch.moved_to) for path in _few(values))
        case "delete":
            yield from (_file("write", path, context, deleted=True) for path in _few(values))
        case "patch":
            for file in _few(tuple(file for patch in values for file in patched_files.files(patch, MOST_FILES))):
                both = _file("read", file.path, context)
                yield from (both, replace(both, access="write", deleted=file.deleted))
        case "web":
            yield from (Site(host(url)) for url in values)
        case "agent":
            yield from (Kind(name) for name in values)
        case "bash":
            return  # all of them together: see command_lines


def _file(access: Access, path: str, context: Context, *, deleted: bool = False, moved_to: bool = False) -> File:
    place = locate(path, context.workspace)
    return File(access, place, deleted, moved_to, is_sessions(place, context))


def _few(named: tuple[T, ...]) -> tuple[T, ...]:
    if len(named) > MOST_FILES:
        raise failed(
            "bad_arguments", f"this call names more than {MOST_FILES} files.", "Name fewer in each of several calls."
        )
    return named


def _values(arguments: dict[str, Any], touch: Touch) -> Iterator[str]:
    """What is of another type its tool refuses."""
    if touch.fixed:
        if _is_yes(arguments, touch.argument):
            yield touch.fixed
        return
    found: list[Any] = [arguments]
    for name in touch.argument.split("."):
        members = [
            one[name.removesuffix("[]")] for one in found if isinstance(one, dict) and name.removesuffix("[]") in one
        ]
        found = [each for one in members if isinstance(one, list) for each in one] if name.endswith("[]") else members
    texts = [one for one in found if isinstance(one, str)]
    yield from texts or ([touch.missing] if touch.missing else [])
