"""Which MCP servers there are: TROUPER_HOME/mcp.json < its config.toml, and what was vouched for of the .mcp.json here.

Of a user's own files a mistake is told of the server that has it; whoever starts a session takes that for an error.
A workspace's file is from anybody: what is wrong with it is left out, and never keeps a session from starting.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from shlex import quote

from actors.common.plurals import how_many, named
from actors.errors import BadConfiguration
from actors.settings import toml_files
from actors.settings.mcp import entries, json_files, vouching
from actors.settings.mcp.entries import Read
from actors.settings.mcp.servers import Configured, Entry, LeftOutServer, McpServer, Scope, Why
from actors.settings.mcp.vouching import TRUST

USERS_FILE = "mcp.json"
"""In TROUPER_HOME."""
MOST_BYTES = 64 * 1024
"""Of a workspace's file: the user has to look at all of it."""
LONGEST_NAME = 80
"""Characters that are shown of one that is none."""
MOST_NOTICES = 4
"""Of servers of a workspace that are none."""


def read(home: Path, cwd: Path, in_toml: Mapping[str, Entry]) -> Configured:
    """in_toml: [mcp] of the user's config.toml. Raises BadConfiguration: what cannot be read at all."""
    found = _Found()
    _add_users(found, home, in_toml)
    _add_workspaces(found, home, cwd)
    servers = tuple(found.servers[name] for name in sorted(found.servers))
    return Configured(servers, tuple(found.left_out), tuple(found.notices))


def check(left_out: tuple[LeftOutServer, ...]) -> None:
    """Raises BadConfiguration where a user's own file has a mistake."""
    for one in left_out:
        if one.why == "refused" and one.scope == "user":
            raise BadConfiguration(one.reason)


def untrusted_notice(left_out: tuple[LeftOutServer, ...]) -> str:
    """Of one or more, where nobody can be asked about them."""
    what = named(tuple(one.name for one in left_out))
    how = f"{TRUST}; for one run: --trust-mcp"
    return f"{left_out[0].source}: not trusted by you as they are, so left out: {what}. Look and decide: {how}"


def elsewhere_notice(cwd: Path, folder: Path) -> str:
    """Of a task that works in another folder than its session, which is in cwd: what does not count; "" for nothing."""
    path = folder / vouching.FILE
    if folder == cwd or not os.path.lexists(path):
        return ""
    what = ""
    with suppress(BadConfiguration):
        what = named(tuple(json_files.entries(workspace_text(folder), path)))
    left_out = f", so left out: {what}" if what else ""
    return f"{path}: MCP servers of a task's own folder do not count{left_out}. Those of {cwd} and your own do."


class _Found:
    """What was found so far; servers by name."""

    def __init__(self) -> None:
        self.servers: dict[str, McpServer] = {}
        self.left_out: list[LeftOutServer] = []
        self.notices: list[str] = []
        self.users: set[str] = set()
        """Names that a workspace cannot have, whether theirs counts or not."""

    def leave_out(self, server: McpServer, why: Why, reason: str = "") -> None:
        named = {key: getattr(server, key) for key in ("name", "source", "scope", "transport")}
        self.left_out.append(LeftOutServer(**named, why=why, reason=reason))

    def refuse(self, name: str, source: Path, scope: Scope, why: str) -> None:
        line = name.replace("\n", "\\n")[:LONGEST_NAME]  # a second line could pass for something that we say
        out = f"trouper mcp remove {quote(line)}"
        reason = f'{source}: the MCP server "{line}": {why}. Correct it, or take it out: {out}'
        self.left_out.append(LeftOutServer(name=line, source=str(source), scope=scope, why="refused", reason=reason))

    def hear(self, name: str, read: Read, source: Path) -> None:
        if read.unheard:
            self.notices.append(f'{source}: of the MCP server "{name}" this does not count: {named(read.unheard)}')


def _add_users(found: _Found, home: Path, in_toml: Mapping[str, Entry]) -> None:
    path = home / USERS_FILE
    for name, entry in json_files.entries(toml_files.text_of(path), path).items():
        one = entries.read(name, entry, str(path), "user")
        found.users.add(name)
        if one.server is None:
            found.refuse(name, path, "user", one.why_not)
        elif name in in_toml:
            found.leave_out(one.server, "shadowed", f"{home / 'config.toml'} has one of this name.")
        else:
            found.hear(name, one, path)
            _add(found, one.server)
    path = home / "config.toml"
    for name, said in in_toml.items():
        found.users.add(name)
        if why := entries.mistaken_name(name) or entries.mistake(said):
            found.refuse(name, path, "user", why)
        else:
            _add(found, entries.server(name, said, str(path), "user"))


def _add(found: _Found, server: McpServer) -> None:
    if server.enabled:
        found.servers[server.name] = server
    else:
        found.leave_out(server, "disabled")


def _add_workspaces(found: _Found, home: Path, cwd: Path) -> None:
    path = cwd / vouching.FILE
    try:
        in_workspace = json_files.entries(workspace_text(cwd), path)
    except BadConfiguration as error:
        found.notices.append(f"{error} Until then it does not count.")
        return
    for name, entry in in_workspace.items():
        one = entries.read(name, entry, str(path), "workspace")
        if one.server is None:
            found.refuse(name, path, "workspace", one.why_not)
        elif name in found.users:
            found.leave_out(one.server, "shadowed", "There is one of this name of your own.")
        elif not one.server.enabled:
            found.leave_out(one.server, "disabled")
        elif vouching.record(home, cwd, name).vouches_for(entries.canonical(entry)):
            found.hear(name, one, path)
            found.servers[name] = one.server
        else:
            found.left_out.append(_untrusted(one.server, entries.canonical(entry), home, cwd))
    found.notices += _workspace_notices(found, path)


def workspace_text(cwd: Path) -> str:
    """Of .mcp.json. Raises BadConfiguration."""
    path = cwd / vouching.FILE
    if path.is_symlink():
        raise BadConfiguration(f"{path} is a symlink, and not read. Put the file itself there.")
    return toml_files.text_of(path, MOST_BYTES)


def _untrusted(server: McpServer, text: str, home: Path, cwd: Path) -> LeftOutServer:
    record = vouching.record(home, cwd, server.name)
    return LeftOutServer(
        name=server.name,
        source=server.source,
        scope="workspace",
        transport=server.transport,
        why="untrusted",
        reason=f"{'You have not trusted it' if record.text is None else 'It is not as you trusted it'}: {TRUST}",
        server=server,
        text=text,
        is_new=not record.leaves_out(text),
    )


def _workspace_notices(found: _Found, path: Path) -> Iterator[str]:
    left_out = [one for one in found.left_out if one.scope == "workspace"]
    refused = [one for one in left_out if one.why == "refused"]
    yield from (one.reason for one in refused[:MOST_NOTICES])
    if more := len(refused[MOST_NOTICES:]):
        yield f"{path}: {how_many(more, 'more MCP server')} with a mistake. See them all: trouper mcp list"
    if shadowed := tuple(one.name for one in left_out if one.why == "shadowed"):
        yield f"{path}: left out, because you have servers of these names yourself: {named(shadowed)}"
