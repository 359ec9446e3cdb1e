"""Which tools a file of an agent names: ours, as they are called or as Claude Code calls its own; and of MCP servers.

Pure. Those of servers are named in each way that people write them, and are server:tool from here on.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from actors.errors import BadConfiguration
from actors.settings import permissions
from actors.settings.tool_names import OF_THE_GATE, OF_WORKERS, rule_name
from actors.texts.front_matter import BadFrontMatter

FOR_SUBAGENTS = (*OF_WORKERS, *(name for name in OF_THE_GATE if name in ("skill", "recall")))
"""All others ask the user, or are for who has subagents."""
WRITING = frozenset(("edit", "multi_edit", "apply_patch", "morph_edit", "write", "move", "copy", "delete", "make_dir"))
RUNNING = frozenset(("bash", "bash_background"))
OURS = {rule_name(name).casefold(): (name,) for name in FOR_SUBAGENTS} | {name: (name,) for name in FOR_SUBAGENTS}
THEIRS: dict[str, tuple[str, ...]] = {
    "ls": ("list",),
    "bash": ("bash", "bash_background", "bash_output", "bash_kill"),
    "killshell": ("bash_kill",),
    "edit": ("edit", "apply_patch", "morph_edit"),
    "todowrite": ("todo",),
    "todoread": ("todo",),
}
"""By the name in small letters: one of theirs may be several of ours."""
EVERY = "*:*"
"""Of every MCP server."""
WITHOUT = "-"
"""Before one that is taken out of the others."""


def allowed(names: Iterable[str]) -> tuple[str, ...]:
    """Those that are named as a whole: `Bash(git log:*)` is not the tool that this asks for, so it is none."""
    return _in_order(name.casefold() for name in names)


def without(names: Iterable[str]) -> tuple[str, ...]:
    """All others: of one that is denied for some arguments all is."""
    denied = _in_order(name.partition("(")[0].strip().casefold() for name in names)
    return tuple(name for name in FOR_SUBAGENTS if name not in denied)


def can_write(tools: tuple[str, ...]) -> bool:
    """(): with all tools. What one of an MCP server does nobody knows."""
    return not tools or not (WRITING | RUNNING).isdisjoint(tools) or any(":" in tool for tool in tools)


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    ours = {tool for name in names for tool in THEIRS.get(name, OURS.get(name, ()))}
    return tuple(name for name in FOR_SUBAGENTS if name in ours)


def of_servers(names: Iterable[str]) -> tuple[str, ...]:
    """Of those that are no tools of ours. Raises BadFrontMatter: one is meant, and nobody can tell which."""
    return tuple(dict.fromkeys(pattern for name in names if (pattern := _pattern(name))))


def _pattern(name: str) -> str:
    """ "" for a name of something else."""
    try:
        rule = permissions.parse(name, "tools")
    except BadConfiguration as error:
        if name.startswith(permissions.ELSEWHERE):
            raise BadFrontMatter(f"it is not clear which tool of an MCP server {name} is: write server:tool") from error
        return ""
    if rule.scope != "mcp":
        return ""
    server, _, tool = rule.pattern.partition(":")
    return f"{server or '*'}:{tool or '*'}"


def strange(tools: Iterable[str], servers: Iterable[str]) -> tuple[str, ...]:
    """The servers that are named and are none of these."""
    named = dict.fromkeys(tool.removeprefix(WITHOUT).partition(":")[0] for tool in tools if ":" in tool)
    known = tuple(servers)
    return tuple(name for name in named if name != "*" and not any(fnmatchcase(one, name) for one in known))


def has(tools: Iterable[str], server: str, tool: str) -> bool:
    """Whether an agent with these tools has this one, as its server calls it."""
    fitting = [one for one in tools if _fits(one.removeprefix(WITHOUT), server, tool)]
    return bool(fitting) and not any(one.startswith(WITHOUT) for one in fitting)


def _fits(pattern: str, server: str, tool: str) -> bool:
    wanted, colon, name = pattern.partition(":")
    return bool(colon) and fnmatchcase(server, wanted) and fnmatchcase(tool, name)
