"""What a decision depends on, and what it is."""

from pathlib import Path

import msgspec

from actors.messages.conversation import ToolCall
from actors.messages.tool import Grant, Mode, SandboxLevel, Verdict
from actors.settings.permissions import RuleLine

BUILT_IN = "built in"
DELETION = "deletion"
"""The built-in rule about what is deleted."""


class Context(msgspec.Struct, frozen=True):
    """All that a decision depends on, besides the call and the symlinks on the disk."""

    mode: Mode
    rules: tuple[RuleLine, ...]
    session: tuple[RuleLine, ...]
    """Rules that the user has given for this session."""
    workspace: Path
    """Resolved."""
    home: Path
    """TROUPER_HOME, resolved."""
    level: SandboxLevel
    shown: tuple[Path, ...] = ()
    """Of the machine, in folders that commands apart otherwise have of their own. Resolved."""
    temporary: Path | None = None
    """The session's folder for temporary files, which commands apart see as /tmp, too. Resolved; None: not known."""
    allow_unsandboxed: bool = False
    unrestricted: bool = False
    """Nothing but the mode and deny rules counts."""
    typed: bool = False
    """The user has typed the command: a question would only repeat it. See DECISIONS: what the user types."""
    named: frozenset[str] = frozenset()
    """Hosts that the user, a result or a file of the workspace has named, or that were fetched before."""
    loss: str | None = None
    """Of what the call deletes by name: what of worth is lost, "" for nothing; None: nobody has looked."""

    @property
    def apart(self) -> bool:
        """Each command has namespaces and a view of the files of its own; signals and sockets are held, too."""
        return self.level in ("bubblewrap", "namespaces")

    @property
    def contained(self) -> bool:
        """What commands do is held by a sandbox, or the user has said that it need not be.

        Landlock alone holds too little: sockets of docker and agents, git's hooks and `.trouper` are in reach.
        """
        return self.apart or self.allow_unsandboxed or self.typed


class Decision(msgspec.Struct, frozen=True):
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


class Judgement(msgspec.Struct, frozen=True):
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
    in_sandbox: tuple[str, ...] = ()
    """The rule for all that stays inside the sandbox, where it would answer this."""
    parts: tuple[str, ...] = ()
    """Of a command, each part's own verdict and why, for people."""
    lost: tuple[str, ...] = ()
    """What it deletes by name: absolute, `*`, `?` and `**` are patterns."""
    moved_to: tuple[str, ...] = ()
    """Where it moves something: absolute, as far as it is known; where nobody knows, the workspace."""
