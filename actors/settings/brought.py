"""What a workspace brings that does not count yet: what is asked and told of it, and what counts once it is decided."""

from collections.abc import Container
from pathlib import Path

import msgspec

from actors.settings.config import Settings
from actors.settings.mcp.servers import LeftOutServer, McpServer
from actors.settings.workspace_files import LeftOut, together


def to_ask_about(settings: Settings) -> tuple[LeftOut, ...]:
    """What the user is asked about before anything else is done; nobody where there is nobody."""
    return tuple(one for one in settings.left_out if one.is_new) if settings.interactive else ()


def servers_to_ask_about(settings: Settings) -> tuple[LeftOutServer, ...]:
    """The same of MCP servers."""
    return _new_servers(settings) if settings.interactive else ()


def _new_servers(settings: Settings) -> tuple[LeftOutServer, ...]:
    return tuple(one for one in settings.mcp_left_out if one.why == "untrusted" and one.is_new)


def notices(settings: Settings) -> tuple[str, ...]:
    """What the user has to be told when the session starts, and is not asked about."""
    asked = to_ask_about(settings)
    return (
        *settings.notices,
        *(one.notice for one in settings.left_out if one.is_new and one not in asked),
        *_untrusted(settings),
    )


def _untrusted(settings: Settings) -> tuple[str, ...]:
    servers = _new_servers(settings)
    if settings.interactive or not servers:
        return ()
    from actors.settings.mcp.configured import untrusted_notice

    return (untrusted_notice(servers),)


def with_trusted(settings: Settings, paths: Container[str]) -> Settings:
    """Once the user has decided: these files count. Raises BadConfiguration.

    Their model and max_turns count from the next start: the agent has its settings by now.
    """
    trusted = [one for one in settings.left_out if one.path in paths]
    allowing = [line for one in trusted for line in one.says.lines(one.path) if line.verdict == "allow"]
    return msgspec.structs.replace(
        settings,
        rules=(*settings.rules, *allowing),
        workspace_hooks=together(settings.workspace_hooks, *(one.says.hooks for one in trusted)),
        left_out=tuple(one for one in settings.left_out if one not in trusted),
    )


def with_servers(settings: Settings, paths: Container[str]) -> Settings:
    """The same of MCP servers that were not trusted: LeftOutServer.path."""
    trusted = [one for one in settings.mcp_left_out if one.server is not None and one.path in paths]
    servers = (*settings.mcp, *(one.server for one in trusted if one.server is not None))
    return msgspec.structs.replace(
        settings,
        mcp=tuple(sorted(servers, key=lambda server: server.name)),
        mcp_left_out=tuple(one for one in settings.mcp_left_out if one not in trusted),
    )


def server_named(settings: Settings, name: str) -> McpServer | None:
    """None where it does not count; one that the user trusted since was left out when this run began."""
    from actors.settings.mcp import vouching

    home, cwd = Path(settings.home), Path(settings.cwd)
    trusted = (
        one.server
        for one in settings.mcp_left_out
        if one.name == name and vouching.record(home, cwd, name).vouches_for(one.text)
    )
    return next((one for one in settings.mcp if one.name == name), None) or next(trusted, None)
