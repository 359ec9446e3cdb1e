"""The kinds of subagents that there are: those built in, and NAME.md files of the user and of the workspace.

A workspace's are the repository's words like its skills: they never take a name that is there, and widen nothing.
"""

import os
from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec

from actors.common.plurals import named
from actors.settings.config import Settings
from actors.texts import front_matter
from actors.texts.agents import claude_format
from actors.texts.agents.definition import Definition
from actors.texts.documents import Bounds, Refused, read
from actors.texts.front_matter import BadFrontMatter
from actors.texts.places import Source, sources

BUILT_IN = {
    "general": "any piece of work that can be said in one prompt",
    "explore": "finds things out in the code; only looks",
    "validate": "tries to show that a claim or a change is wrong, also by running its tests",
    "architect": "makes a plan for a change; only looks",
    "review": "looks for mistakes in a change; only looks",
}
"""Their names are taken, whatever files there are."""
WRITERS = ("general", "validate")
MOST = 32 * 1024
"""Bytes of one file: all of it is sent with every request of such an agent."""
MOST_FILES = 64
"""Of one source that are read, by name."""
MOST_LISTED = 4096
MOST_TOLD = 8_000
"""Characters of all that the parent is told of files; the user's own come first."""
NARROWING = {
    "permission": {"read-only": False, "write": True},
    "isolation": {"none": False, "worktree": True},
}
"""Fields that say whether it may write: one that a typo made meaningless must not pass for a yes."""
PLAN = "plan"
"""The one value of Claude Code's permissionMode that narrows; all others would widen, and do not count."""


class Found(msgspec.Struct, frozen=True):
    definitions: tuple[Definition, ...] = ()
    notices: tuple[str, ...] = ()
    """What does not count, and why."""


class NoSuchKind(Exception):
    """In words for the model."""


@cache
def built_in() -> tuple[Definition, ...]:
    texts = Path(__file__).parent / "built_in"
    return tuple(
        Definition(
            name=name,
            description=description,
            prompt=(texts / f"{name}.md").read_text(encoding="utf-8").strip(),
            may_write=name in WRITERS,
        )
        for name, description in BUILT_IN.items()
    )


def find(settings: Settings, user_home: Path, hidden: tuple[str, ...]) -> Found:
    """hidden: patterns of what may not be read unasked."""
    cwd = Path(settings.cwd)
    kinds = {definition.name: definition for definition in built_in()}
    notices: list[str] = []
    room = MOST_TOLD
    for source in sources("agents", Path(settings.home), cwd, user_home):
        wrong: list[str] = []
        for path in _files(source, wrong):
            try:
                kind = _definition(path, source, Bounds(cwd, None if source.own else cwd, hidden))
                if kind.name in kinds:
                    raise BadFrontMatter(f"there is already one of this name, {kinds[kind.name].path or 'built in'}")
                if len(kind.listed) > room:
                    raise BadFrontMatter("more agents are not told to the model")
            except (BadFrontMatter, Refused, OSError, ValueError) as error:
                wrong.append(f"{path.name!r}: {error}")
                continue
            room -= len(kind.listed)
            kinds[kind.name] = kind
            if strange := claude_format.strange(kind.tools, (server.name for server in settings.mcp)):
                notices.append(f"{path}: it names tools of MCP servers that do not count here: {named(strange)}.")
        if wrong:
            notices.append(f"agents of {source.folder} that do not count: {named(tuple(wrong))}.")
    return Found(tuple(kinds.values()), tuple(notices))


def one_of(found: Found, name: str) -> Definition:
    """Raises NoSuchKind."""
    for definition in found.definitions:
        if definition.name == name:
            return definition
    names = ", ".join(definition.name for definition in found.definitions)
    raise NoSuchKind(f'there is no type of agent "{name}". There are: {names}.')


def listed(definitions: Iterable[Definition]) -> str:
    """For the system prompt of who may spawn them, a line each."""
    return "\n".join(definition.listed for definition in definitions)


def _files(source: Source, wrong: list[str]) -> list[Path]:
    """wrong: what is to be said when there are more."""
    try:
        with os.scandir(source.folder) as found:
            names = sorted(
                entry.name
                for entry in islice(found, MOST_LISTED)
                if entry.name.endswith(".md") and not entry.name.startswith(".")
            )
    except OSError:
        return []  # it is not there, or a file, or closed to us
    if len(names) > MOST_FILES:
        wrong.append(f"all after the first {MOST_FILES}")
    return [source.folder / name for name in names[:MOST_FILES]]


def _definition(path: Path, source: Source, bounds: Bounds) -> Definition:
    """Raises BadFrontMatter, Refused and OSError."""
    if not path.name.isprintable():  # it is told outside the quotation marks
        raise BadFrontMatter("its file's name has control characters")
    text = read(path, bounds, MOST + 1)
    if len(text.encode()) > MOST:
        raise BadFrontMatter(f"it is larger than {MOST // 1024} KB")
    head, prompt = front_matter.split(text)
    if not head:
        raise BadFrontMatter(f"it does not begin with front matter between two lines of {front_matter.EDGE}")
    said = front_matter.fields(head)
    name, description = front_matter.name_and_description(said, path.stem)
    if not prompt:
        raise BadFrontMatter("there is no prompt below its front matter")
    tools = _tools(head)
    return Definition(
        name=name,
        description=description,
        prompt=prompt,
        path=path,
        own=source.own,
        # a name without a service is another agent's, such as "sonnet" or "inherit"
        model=said.get("model", "") if source.own and "/" in said.get("model", "") else "",
        tools=tools,
        may_write=_may_write(head, said) and claude_format.can_write(tools),
    )


def _tools(head: str) -> tuple[str, ...]:
    """Raises BadFrontMatter: where nothing is left of what is named, it must not count as all."""
    names, denied = front_matter.words(head, "tools"), front_matter.words(head, "disallowedTools")
    if names is None and denied is None:
        return ()
    allowed = claude_format.FOR_SUBAGENTS if names is None else claude_format.allowed(names)
    tools = tuple(tool for tool in claude_format.without(denied or ()) if tool in allowed)
    of_servers = (claude_format.EVERY,) if names is None else claude_format.of_servers(names)
    if not (tools or of_servers):
        raise BadFrontMatter("none of the tools that it names is there")
    return (*tools, *of_servers, *(f"{claude_format.WITHOUT}{one}" for one in claude_format.of_servers(denied or ())))


def _may_write(head: str, said: dict[str, str]) -> bool:
    """Raises BadFrontMatter."""
    may = said.get("permissionMode") != PLAN
    for field, meanings in NARROWING.items():
        words = front_matter.words(head, field)
        if words is None:
            continue
        if len(words) != 1 or words[0] not in meanings:
            raise BadFrontMatter(f"{field} has to be {' or '.join(meanings)}")
        may = may and meanings[words[0]]
    return may
