"""One MCP server, as its configuration says it; and one that does not count. Cheap to import: every session does."""

import hashlib
from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

import msgspec

Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
Transport = Literal["stdio", "http", "sse"]
Scope = Literal["user", "workspace"]
Why = Literal["disabled", "untrusted", "shadowed", "refused"]
IN_WORDS: Mapping[str, str] = {
    "disabled": "disabled",
    "untrusted": "not trusted",
    "shadowed": "counts less than another",
    "refused": "has a mistake",
}
"""Why."""


class OAuth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of the client beforehand; all of it may be left out."""

    client_id: str = ""
    """Where the server does not register clients by itself."""
    client_secret_env: str = ""
    """Name of the environment variable that holds it."""
    client_metadata_url: str = ""
    """Where our client describes itself, https only: its id with services that fetch that."""
    scopes: tuple[str, ...] = ()
    """Left out: those that the server names."""
    redirect_port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 0
    """Where the browser comes back to, on this machine. 0: a free one."""


class ServerKeys(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Texts may have variables in them, ${NAME} or ${NAME:-default}: they are filled in where the server is started."""

    command: str = ""
    """A program on this machine that is the server."""
    args: tuple[str, ...] = ()
    """What it is started with."""
    env: dict[str, str] = {}
    """Beside the few variables that every server sees."""
    cwd: str = ""
    """Left out: the workspace for a server of its `.mcp.json`, a folder in TROUPER_HOME for one of yours."""
    url: str = ""
    """Of a server that is reached over the network; it has no `command`."""
    headers: dict[str, str] = {}
    """Sent with every request."""
    enabled: bool = True
    """`false`: it is left alone."""
    start_timeout_s: Seconds = 30.0
    """Until it has told its tools."""
    call_timeout_s: Seconds = 300.0
    """For one call."""
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
    """It has one in the sandbox."""
    write: tuple[str, ...] = ()
    """Folders beside its own temporary one that it may write to."""
    roots: bool = True
    """It is told the workspace."""
    oauth: OAuth = OAuth()
    """How one signs in to it, where the server does not tell all of that."""


class Entry(ServerKeys, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """As a file has it, by the server's name: with the words that other programs have for the same."""

    transport: Literal["", "stdio", "http", "sse"] = ""
    """Left out: stdio with a `command`, http with a `url`. sse is the older way over http."""
    type: Literal["", "stdio", "http", "streamable-http", "streamableHttp", "sse"] = ""
    """The same in the words of other programs."""
    disabled: bool = False
    """`true` is `enabled = false`."""
    safe_mode: bool = False
    """The same as `read_only`."""


class McpServer(ServerKeys, frozen=True, kw_only=True, omit_defaults=True):
    """What a file says of a server, checked; the same whichever file that is."""

    name: str
    transport: Transport
    source: str
    """The file that says it; absolute."""
    scope: Scope
    digest: str = ""
    """Of what it runs or reaches and is given, as it is written: another one is another server."""

    def lets_through(self, tool: str) -> bool:
        """The user does."""
        return tool not in self.deny and (not self.allow or tool in self.allow)

    def only_looks(self, tool: str) -> bool:
        """By the user's words."""
        return self.read_only or tool in self.plan_tools


class LeftOutServer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One that is written down and does not count."""

    name: str
    source: str
    """The file that says it; absolute."""
    scope: Scope
    transport: Transport | Literal[""] = ""
    """ "" of one that was refused."""
    why: Why
    """shadowed: there is one of this name that counts more. refused: what is written is no server."""
    reason: str = ""
    """For people, and what to do."""
    server: McpServer | None = None
    """Of an untrusted one: what it would be."""
    text: str = ""
    """Of an untrusted one: its entry; what is decided about it is about exactly this."""
    is_new: bool = False
    """The user has not said anything about it as it is."""

    @property
    def path(self) -> str:
        """What it is called where it is decided about."""
        return f"{self.source}/{self.name}"


class Configured(NamedTuple):
    servers: tuple[McpServer, ...]
    """Those that count, by name."""
    left_out: tuple[LeftOutServer, ...]
    notices: tuple[str, ...]


IDENTITY = ("command", "args", "env", "cwd", "url", "headers", "oauth")
"""What makes it another server, beside its transport."""


def digest(server: McpServer) -> str:
    """SHA-256, the same on every machine and in every version that knows these keys."""
    said = {key: getattr(server, key) for key in ("transport", *IDENTITY)}
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


def bared(server: McpServer) -> McpServer:
    """For those who only have to know that it is there: any of what is gone may hold a secret."""
    return msgspec.structs.replace(server, args=(), env={}, url="", headers={})
