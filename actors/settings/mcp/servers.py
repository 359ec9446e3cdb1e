"""One MCP server, as its configuration says it."""

from typing import Annotated, Literal

import msgspec

Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]


class OAuth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of the client beforehand; all of it may be left out."""

    client_id: str = ""
    client_secret_env: str = ""
    """Name of the environment variable that holds it."""
    scopes: tuple[str, ...] = ()
    redirect_port: int = 0
    """0: a free one."""


class McpServer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Texts may have variables in them, ${NAME} or ${NAME:-default}: they are filled in where the server is started."""

    name: str
    transport: Literal["stdio", "http", "sse"]
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    """Beside the few variables that every server sees."""
    cwd: str = ""
    """Left out: the workspace."""
    url: str = ""
    headers: dict[str, str] = {}
    enabled: bool = True
    start_timeout_s: Seconds = 30.0
    """Until it has told its tools."""
    call_timeout_s: Seconds = 300.0
    allow: tuple[str, ...] = ()
    """Only these of its tools are offered; none: all."""
    deny: tuple[str, ...] = ()
    """These are not."""
    read_only: bool = False
    """All of its tools only look: the user says so, not the server."""
    plan_tools: tuple[str, ...] = ()
    """The same of some."""
    sandbox: bool = True
    """It runs in it."""
    network: bool = True
    write: tuple[str, ...] = ()
    """Folders beside its own temporary one that it may write to."""
    roots: bool = True
    """It is told the workspace."""
    oauth: OAuth = OAuth()
    source: str
    """The file that says it; absolute."""
    scope: Literal["user", "workspace"]
