"""Tools of MCP servers that a file of an agent names, in each way that people write them: as server:tool. Pure."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from actors.errors import BadConfiguration
from actors.settings import permissions
from actors.texts.front_matter import BadFrontMatter

EVERY = "*:*"
"""Of every server."""
WITHOUT = "-"
"""Before one that is taken out of the others."""


def patterns(names: Iterable[str]) -> tuple[str, ...]:
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
