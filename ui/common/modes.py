"""The modes by all their names, and where Shift+Tab goes from each. Standard library only: the first frame waits."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from actors.messages.tool import Mode

MODES: "tuple[Mode, ...]" = ("default", "accept-edits", "plan", "auto", "research")
ALIASES: "dict[str, Mode]" = {
    "ask": "default",
    "edit": "accept-edits",
    "read": "plan",
    "read-only": "plan",
    "yolo": "auto",
    "auto-approve": "auto",
}
NEXT: "dict[Mode, Mode]" = {
    "default": "accept-edits",
    "accept-edits": "plan",
    "plan": "auto",
    "auto": "default",
    "research": "default",
}
"""Shift+Tab leads out of research, not into it: /ask does, or --mode."""
SHORT: "dict[Mode, str]" = {
    "default": "default",
    "accept-edits": "accept-edits: medium risk",
    "plan": "plan: read-only",
    "auto": "auto: high risk",
    "research": "research: read-only",
}
"""With the risk, for the status line."""
LOOKING: "tuple[Mode, ...]" = ("plan", "research")
"""Modes that change nothing, whatever is allowed."""


def real_name(name: str) -> str:
    return ALIASES.get(name, name)
