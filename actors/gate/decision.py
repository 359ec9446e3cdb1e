"""What a decision depends on, and what it is."""

from dataclasses import dataclass
from pathlib import Path

from actors.messages.conversation import ToolCall
from actors.messages.tool import Grant, Mode, SandboxLevel, Verdict
from actors.permissions import RuleLine

BUILT_IN = "built in"


@dataclass(frozen=True)
class Context:
    """All that a decision depends on, besides the call and the symlinks on the disk."""

    mode: Mode
    rules: tuple[RuleLine, ...]
    grants: tuple[RuleLine, ...]
    """Given for this session; their source says by whom."""
    workspace: Path
    """Resolved."""
    home: Path
    """TROUPER_HOME, resolved."""
    level: SandboxLevel
    allow_unsandboxed: bool = False

    @property
    def contained(self) -> bool:
        """What commands do is held by a sandbox, or the user has said that it need not be."""
        return self.level != "none" or self.allow_unsandboxed


@dataclass(frozen=True)
class Decision:
    verdict: Verdict
    rule: str
    """What made it, as it is written; or the name of a built-in one."""
    source: str
    """File, flag or "built in"."""
    why: str
    change: str = ""
    """What would change it, for the user; "" where nothing would."""
    strong: str = ""
    """Why it is asked about every time; "" where a rule or grant can answer."""


@dataclass(frozen=True)
class Judgement:
    decision: Decision
    call: ToolCall
    """Its arguments encoded anew: what was judged is what runs."""
    grant: Grant
    session: tuple[str, ...] = ()
    """Rules that would be given by "yes, for this session"; none: that is no choice."""
    always: tuple[str, ...] = ()
    """Rules that "always" would write down."""
    wider: tuple[str, ...] = ()
    """The same with any arguments."""
    parts: tuple[str, ...] = ()
    """Of a command, each part's own verdict and why, for people."""
