"""The decision about one call: a pure function. A deny always wins, whoever says it."""

from dataclasses import dataclass

from actors.config import Permissions
from actors.gate.modes import TABLE, Verdict
from actors.messages.conversation import Effect
from actors.messages.tool import Mode

ALSO_DENIED_WITH = {"morph_edit": ("edit",)}
"""Another way to do the same to a file: who denies the one means the other, too."""


@dataclass(frozen=True)
class Decision:
    verdict: Verdict
    why: str
    """The rule that made it, for the model and the user."""


def decide(mode: Mode, effect: Effect, tool: str, permissions: Permissions, *, sandboxed: bool) -> Decision:
    """In order: deny rules, what the mode denies, allow rules, a missing sandbox, the mode."""
    by_mode = TABLE[mode][effect]
    for denied in (tool, *ALSO_DENIED_WITH.get(tool, ())):
        if _named(denied, permissions.deny):
            return Decision("deny", f'denied by the rule "{_rule(denied)}"')
    if by_mode == "deny":
        return Decision("deny", f"mode {mode} does not allow tools that {_verb(effect)}")
    if _named(tool, permissions.allow):
        return Decision("allow", f'allowed by the rule "{_rule(tool)}"')
    if effect == "execute" and not sandboxed:
        return Decision("ask", "there is no sandbox on this machine, so every command asks")
    return Decision(by_mode, f"mode {mode}")


def risk(effect: Effect, *, sandboxed: bool) -> str:
    """What an approved call can do, for the person who is asked."""
    match effect:
        case "write":
            return "changes files in the workspace"
        case "execute":
            return "runs in the sandbox" if sandboxed else "runs without a sandbox, as you"
        case "network":
            return "sends to the network"
        case "read" | "meta":
            return "changes nothing"


def remedy(tool: str, decision: Decision) -> str:
    """What would let it run where nobody can be asked."""
    rule = _rule(tool)
    return f'{decision.why}. To allow it: --allow {rule}, or in config.toml: [permissions] allow = ["{rule}"]'


def _rule(tool: str) -> str:
    return "".join(part.capitalize() for part in tool.split("_"))


def _named(tool: str, rules: tuple[str, ...]) -> bool:
    return any(rule.casefold() == _rule(tool).casefold() for rule in rules)


def _verb(effect: Effect) -> str:
    return {"write": "write", "execute": "run commands", "network": "use the network"}.get(effect, effect)
