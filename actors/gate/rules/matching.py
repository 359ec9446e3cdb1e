"""Whether a rule is about something a call touches: loosely for rules that tighten, strictly for those that allow."""

import fnmatch
import re
from functools import lru_cache

from actors.common import globs
from actors.gate.decision import Context
from actors.gate.rules.modes import TABLE
from actors.gate.subjects.command_words import is_begun_by, is_command, is_just, plain
from actors.gate.subjects.folder_contents import carried, is_carried
from actors.gate.subjects.hosts import is_domain
from actors.gate.subjects.places import Place, locate
from actors.gate.subjects.subject import Command, File, Kind, Site, Subject, Whole
from actors.messages.model import ToolSpec
from actors.settings.permissions import IN_SANDBOX, Rule, Scope, is_path, parse
from actors.settings.tool_names import rule_name

ALSO_DENIED_WITH = dict.fromkeys(("morph_edit", "multi_edit", "apply_patch"), ("edit",))
"""Another way to do the same to a file: who denies the one means the other, too."""
TOUCHING: dict[Scope, tuple[str, ...]] = {
    "read": ("read",),
    "write": ("write", "patch", "delete"),
    "bash": ("bash",),
    "web": ("web",),
    "agent": ("agent",),
}
"""What a tool declares that belongs to a scope."""
LITERAL, UNKNOWN = re.compile(r"'[^']*'"), re.compile(r"[$`]")
"""A word with the second outside the first says nothing about what runs: no rule is about that."""


@lru_cache(maxsize=4096)
def rule(text: str) -> Rule:
    """Of a line that was checked when it was read."""
    return parse(text, text)


def tightens(given: Rule, subject: Subject, tool: ToolSpec, context: Context) -> bool:
    """Whether a rule that asks or denies is about this: rather once too often."""
    if given.scope == "tool":
        names = (tool.name, *ALSO_DENIED_WITH.get(tool.name, ()), *(("delete",) if _deletes(subject) else ()))
        return given.pattern.casefold() in {rule_name(name).casefold() for name in names}
    if given.scope == "mcp":
        return _is_of_server(given, tool)
    if not given.pattern and isinstance(subject, Whole):
        return _has_scope(given.scope, tool)
    match subject:
        case File(access=access, place=place):
            return given.scope == access and (not given.pattern or _names(given, place, context))
        case Command():
            return _tightens_command(given, subject, context)
        case Site(host=host):
            return given.scope == "web" and (not given.pattern or not host or is_domain(given.pattern, host))
        case Kind(name=name):
            return given.scope == "agent" and given.pattern.casefold() in ("", name.strip().casefold())
        case Whole():
            return False


def allows(given: Rule, subject: Subject, tool: ToolSpec, context: Context) -> bool:
    """Whether a rule that allows is about this: only what it says."""
    whole_tool = given.scope == "tool" and given.pattern.casefold() == rule_name(tool.name).casefold()
    match subject:
        case File(access=access, place=place):
            inside = place.is_inside(context.workspace) or subject.own
            if whole_tool or not given.pattern:
                return inside and (whole_tool or given.scope == access)
            anywhere = inside or given.pattern.startswith(("/", "~"))
            return given.scope == access and anywhere and _is_just(given, place, context)
        case Command():
            return _allows_command(given, subject, context, bare=whole_tool or given == Rule("bash"))
        case Site(host=host):
            if not given.pattern or whole_tool:
                return given.scope == "web" or whole_tool
            return given.scope == "web" and host != "" and is_domain(given.pattern, host)
        case Kind(name=name):
            return given.scope == "agent" and given.pattern in ("", name)
        case Whole():
            if given.scope == "mcp":
                return _is_of_server(given, tool)
            return whole_tool or (not given.pattern and _has_scope(given.scope, tool))


def lifts(given: Rule, subject: Subject, tool: ToolSpec, context: Context) -> bool:
    """Whether a rule that allows names this deletion, not only anything at all."""
    if isinstance(subject, File):
        return (
            given.scope == "tool"
            and given.pattern.casefold() == "delete"
            and subject.place.is_inside(context.workspace)
        )
    return given.scope == "bash" and given.pattern[:1] not in ("", "@") and allows(given, subject, tool, context)


def allows_path(given: Rule, place: Place, context: Context) -> bool:
    """Of a command: a place outside the workspace."""
    return given.scope == "bash" and is_path(given.pattern) and _is_just(given, place, context)


def _tightens_command(given: Rule, command: Command, context: Context) -> bool:
    part = command.part
    match given.scope:
        case "bash":
            named = (*command.reads, *command.writes)
            if is_path(given.pattern) and any(_names(given, place, context) for place in named):
                return True
            return not given.pattern or is_command(given.pattern, part.text)
        case "read" | "write" as scope:
            places = (*command.reads, *carried(command, context)) if scope == "read" else command.writes
            if not given.pattern:
                return bool(places) or (scope == "write" and (part.effect == "write" or part.astray))
            if any(_names(given, place, context) for place in places):
                return True
            return scope == "read" and is_carried(given.pattern, command, context) != ""
        case _:
            return False


def _allows_command(given: Rule, command: Command, context: Context, *, bare: bool) -> bool:
    part = command.part
    unknown = part.unsure or part.unseen
    if bare:  # who allows all commands means also those that cannot be read, where something holds them
        return not (command.ruled or command.outside or command.leaves or (unknown and not context.apart))
    unknown = unknown or command.ruled
    if given == IN_SANDBOX:
        return context.apart and not (command.ruled or part.unsure or command.outside or command.leaves)
    if given.scope != "bash" or not given.pattern or is_path(given.pattern):
        return False
    if not _shows_what_it_changes(command, context):
        return False
    if given.pattern.endswith(":*"):
        return not (unknown or command.outside) and is_begun_by(part.text, given.pattern.removesuffix(":*"))
    is_open = (unknown or part.effect == "execute") and UNKNOWN.search(LITERAL.sub("", part.text))
    return is_just(part.text, given.pattern) and not is_open


def _shows_what_it_changes(command: Command, context: Context) -> bool:
    """The words do not say where output goes or which folder it runs in, and so a rule with these words does not."""
    words, part = plain(command.part.text), command.part
    asked = [to for to in part.into if not to or TABLE[context.mode]["write"] != "allow"]
    if any(not to or locate(to, context.workspace).is_inside(context.workspace) for to in asked):
        return False
    changed = command.writes if part.effect != "execute" else ()
    return all(any(_is_of(place.given, word) for word in words) for place in (*changed, *command.outside))


def _is_of(path: str, word: str) -> bool:
    """The path is the word, or the end of --option=PATH, or below the folder the word names."""
    folder = word.rpartition("=")[2].rstrip("/") if word.startswith("-") else word.rstrip("/")
    return path.rstrip("/") == folder or (folder != "" and path.startswith(f"{folder}/"))


def _names(given: Rule, place: Place, context: Context) -> bool:
    root = context.workspace
    if any(globs.covers(given.pattern, path, root) for path in place.ways):
        return True
    return given.scope == "write" and place.is_folder and globs.may_match_below(given.pattern, place.real, root)


def _is_just(given: Rule, place: Place, context: Context) -> bool:
    try:
        return all(globs.matches(given.pattern, path, context.workspace) for path in (place.real, place.entry))
    except globs.TooLong:
        return False


def _has_scope(scope: Scope, tool: ToolSpec) -> bool:
    is_of_web = tool.effect == "network" and tool.runs_in not in ("open", "mcp")
    by_effect = {"write": tool.effect == "write", "web": is_of_web}
    touching = TOUCHING.get(scope, ())
    return by_effect.get(scope, False) or any(touch.scope in touching for touch in tool.touches)


def _deletes(subject: Subject) -> bool:
    return isinstance(subject, File) and subject.deleted


def _is_of_server(given: Rule, tool: ToolSpec) -> bool:
    if not tool.server:
        return False
    wanted_server, _, wanted_name = (given.pattern or "*").partition(":")
    return fnmatch.fnmatchcase(tool.server, wanted_server) and fnmatch.fnmatchcase(tool.server_tool, wanted_name or "*")
