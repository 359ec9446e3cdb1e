"""Running tools: what the gate is asked, what a worker is handed, what comes back."""

from typing import Literal

from actors.messages.base import Message
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec

Mode = Literal["default", "accept-edits", "auto", "plan"]


class DescribeTools(Message, frozen=True, kw_only=True):
    """Asked of a tool worker: every tool it has."""


class OfferTools(Message, frozen=True, kw_only=True):
    """Asked of the gate: the tools this agent's model may see in its mode."""


class Tools(Message, frozen=True, kw_only=True):
    tools: tuple[ToolSpec, ...]
    mode: Mode = "default"
    sandbox: str = ""
    """What the worker runs in: "landlock", or "none"; "" from the gate."""


class Authorise(Message, frozen=True, kw_only=True):
    """Asked of the gate before a call is written down as started; the user may be asked on the way."""

    call: ToolCall


class Allowed(Message, frozen=True, kw_only=True):
    ticket: str
    """Good for this one call."""


class Denied(Message, frozen=True, kw_only=True):
    reason: str
    """For the model."""
    remedy: str = ""
    """For the user: the rule or flag that would allow it."""


class RunTool(Message, frozen=True, kw_only=True):
    """A stream: ToolProgress items, then a ToolResult. Asked of the gate, which hands it on to a worker."""

    call: ToolCall
    ticket: str


class ToolProgress(Message, frozen=True, kw_only=True):
    call_id: str
    text: str
    """Output since the last one."""


class PreviewTool(Message, frozen=True, kw_only=True):
    """Asked of a tool worker by the gate: what would this call do? Changes nothing."""

    call: ToolCall


class Preview(Message, frozen=True, kw_only=True):
    title: str
    """One line: the command, the path."""
    detail: str = ""
    """A unified diff, or the whole command."""


class ApprovalAsked(Message, frozen=True, kw_only=True):
    """Asked of the ui by the gate; answered by ApprovalGiven."""

    agent: str
    call: ToolCall
    preview: Preview
    risk: str
    """What it can do, in a few words."""


class ApprovalGiven(Message, frozen=True, kw_only=True):
    allowed: bool
    feedback: str = ""
    """What the user wants the model to do instead."""


class SetMode(Message, frozen=True, kw_only=True):
    agent: str
    mode: Mode


class ModeIs(Message, frozen=True, kw_only=True):
    mode: Mode
    label: str
    """Its risk, in a few words."""
