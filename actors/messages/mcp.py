"""Between the gate, the front and the actor of an MCP server: what it has, and what it is asked beside tool calls.

A call of one of its tools is a RunGranted like any other, answered by ToolProgress items and a ToolResult.
"""

from typing import Literal

import msgspec

from actors.messages.base import Message
from actors.messages.conversation import Attachment

ServerState = Literal["unstarted", "starting", "ready", "needs_login", "failed"]
"""unstarted: its actor does not run; what it has is remembered, or not known."""
Transport = Literal["stdio", "http", "sse"]
Elicit = Literal["ask", "defaults", "decline"]
"""What is answered when a server asks for something: the user's words, what its form has as defaults, nothing."""


class McpTool(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """As the server describes it; none of it is trusted."""

    name: str
    description: str = ""
    input_schema: str = '{"type":"object"}'
    """JSON schema of the arguments, as JSON text."""
    annotations: str = ""
    """JSON text; "" for none. Shown, never relied on."""
    as_task: bool = False
    """It runs as a task only."""


class McpResource(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    uri: str
    name: str = ""
    description: str = ""
    media_type: str = ""


class McpTemplate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of resources: those whose uri fits."""

    uri: str
    """Such as db://{table}/{row}."""
    name: str = ""
    description: str = ""
    media_type: str = ""


class McpPromptArgument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    description: str = ""
    required: bool = False


class McpPrompt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    description: str = ""
    arguments: tuple[McpPromptArgument, ...] = ()


class DescribeServer(Message, frozen=True, kw_only=True):
    """Asked of an MCP actor. Answered by ServerIs, once the server is ready or has failed, or after this time."""

    within_s: float


class ServerIs(Message, frozen=True, kw_only=True):
    name: str
    state: ServerState
    transport: Transport
    era: str = ""
    """Revision of the protocol that is spoken, such as "2025-11-25"; "" while that is not known."""
    version: str = ""
    """The server's own words for what it is."""
    instructions: str = ""
    """The server's, for the model."""
    tools: tuple[McpTool, ...] = ()
    """By name; also those of a server that is down, as they were."""
    resources: tuple[McpResource, ...] = ()
    templates: tuple[McpTemplate, ...] = ()
    prompts: tuple[McpPrompt, ...] = ()
    error: str = ""
    """Why it is not ready, and what to do, for people."""
    given_up: bool = False
    """It has failed, and is not started again by itself."""


class ServerChanged(Message, frozen=True, kw_only=True):
    """Told to the gate by an MCP actor: it has come up or gone down, or has other tools than before.

    And to the ui by the gate, where somebody looks on.
    """

    server: ServerIs
    tokens: int = 0
    """Said by the gate: as of ServersAre."""


class DescribeServers(Message, frozen=True, kw_only=True):
    """Asked of the gate by the front: every server that counts here. Starts none. Answered by ServersAre."""


class ServersAre(Message, frozen=True, kw_only=True):
    servers: tuple[ServerIs, ...]
    """By name; of one that is not started what is remembered of it."""
    tokens: dict[str, int] = msgspec.field(default_factory=dict)
    """By name: about so many of each request are what a model is told of its tools."""


class RestartServer(Message, frozen=True, kw_only=True):
    """Asked of an MCP actor: end the server and start it anew, also where it was given up. Answered by Done."""


class RestartServers(Message, frozen=True, kw_only=True):
    """Asked of the gate, for whoever comes from outside: RestartServer of each. Answered by ServersRestarted."""

    servers: tuple[str, ...] = ()
    """Also those that are not started yet; none: all that are."""


class ServersRestarted(Message, frozen=True, kw_only=True):
    restarted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """This session does not have them."""
    failed: dict[str, str] = msgspec.field(default_factory=dict)
    """By name: why it could not be asked."""


class CallRaw(Message, frozen=True, kw_only=True):
    """Asked of an MCP actor by the user's command line: one call, answered by RawResult as the server gave it."""

    tool: str
    """The server's own name of it."""
    arguments: str
    """A JSON object."""
    elicit: Elicit = "decline"


class RawResult(Message, frozen=True, kw_only=True):
    json: str
    """The CallToolResult, as JSON text."""
    failed: bool = False


class ReadResource(Message, frozen=True, kw_only=True):
    """Asked of an MCP actor. Answered by ResourceRead."""

    uri: str


class ResourceRead(Message, frozen=True, kw_only=True):
    text: str
    attachments: tuple[Attachment, ...] = ()


class GetPrompt(Message, frozen=True, kw_only=True):
    """Asked of an MCP actor. Answered by PromptText."""

    name: str
    arguments: dict[str, str] = msgspec.field(default_factory=dict)


class PromptText(Message, frozen=True, kw_only=True):
    text: str
    attachments: tuple[Attachment, ...] = ()
