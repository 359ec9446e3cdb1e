"""The question whether a call may run: what is shown, which answers there are, what each of them gives. Pure."""

from pathlib import Path

import msgspec

from actors.gate.decision import Judgement
from actors.gate.rules.scene import Scene
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec
from actors.messages.tool import Choice, Preview, SandboxLevel, UserAsked
from actors.settings.mcp.names import shown
from actors.settings.workspace_files import LOCAL_FILE

OUTSIDE = "outside the workspace"
MOST_PATHS = 3
"""Named in a question; of more their number is said."""

IN_SANDBOX = "everything that stays inside the sandbox"

ONCE = Choice(id="once", key="y", label="yes, this once")
NO = Choice(id="no", key="n", label="no", refuses=True)
NO_BECAUSE = Choice(
    id="no_because", key="f", label="no, and tell the agent what to do instead", takes_text=True, refuses=True
)


def approval(scene: Scene, call: ToolCall, judgement: Judgement, preview: Preview) -> UserAsked:
    decision, spec = judgement.decision, scene.spec(call.name)
    its_risk = risk(spec, judgement, scene.context.workspace, scene.context.level)
    is_said = decision.strong or decision.rule.startswith("mode ") or (OUTSIDE in its_risk and OUTSIDE in decision.why)
    why = "" if is_said else decision.why
    return UserAsked(
        agent=scene.agent,
        asker=scene.confined.name if scene.confined else "",
        kind="approval",
        title=f"{_asker(scene)}{preview.title}",
        detail=preview.detail,
        risk="; ".join(filter(None, (its_risk, why))),
        warning=decision.strong,
        choices=choices(judgement),
        default="no",
        escape="no",
        call=msgspec.structs.replace(call, shown=shown(spec.server, spec.server_tool)) if spec.server else call,
    )


def _asker(scene: Scene) -> str:
    """Of a subagent: nobody sees what it does as it does it."""
    return f"the agent {scene.confined.name or scene.agent}: " if scene.confined else ""


def choices(judgement: Judgement) -> tuple[Choice, ...]:
    """Of what is asked about every time there is nothing to be remembered."""
    offered = [ONCE]
    if not judgement.decision.strong:
        if judgement.session:
            offered.append(Choice(id="session", key="s", label=f"for this session: {', '.join(judgement.session)}"))
        if judgement.always:
            offered.append(Choice(id="always", key="a", label=_written("always", judgement.always)))
        if judgement.wider:
            offered.append(Choice(id="wider", key="w", label=_written("always, wider", judgement.wider)))
        if judgement.in_sandbox:
            offered.append(Choice(id="session_in_sandbox", key="e", label=f"for this session: {IN_SANDBOX}"))
            offered.append(
                Choice(id="always_in_sandbox", key="v", label=_written(f"always: {IN_SANDBOX}", judgement.in_sandbox))
            )
    return (*offered, NO, NO_BECAUSE)


def _written(what: str, rules: tuple[str, ...]) -> str:
    return f"{what}: {', '.join(rules)} ({LOCAL_FILE})"


def is_for_session(choice: str) -> bool:
    return choice.startswith("session")


def rules_given(choice: str, judgement: Judgement) -> tuple[str, ...]:
    """Only what was offered."""
    if choice not in {one.id for one in choices(judgement)}:
        return ()
    given = {"session": judgement.session, "always": judgement.always, "wider": judgement.wider}
    given |= dict.fromkeys(("session_in_sandbox", "always_in_sandbox"), judgement.in_sandbox)
    return given.get(choice, ())


def risk(spec: ToolSpec, judgement: Judgement, workspace: Path, level: SandboxLevel) -> str:
    """What it can do, in a few words."""
    grant = judgement.grant
    outside = [path for path in grant.paths if not Path(path).is_relative_to(workspace)]
    parts = []
    if spec.runs_in == "mcp":
        parts.append(f"the MCP server {spec.server} does it: nobody here knows what that changes")
    elif spec.effect == "execute":
        parts.append(_confinement(level if grant.sandboxed else "none", network=grant.network))
    elif spec.runs_in == "open":
        parts.append("runs a program WITHOUT the sandbox, as you")
    elif spec.effect == "network":
        parts.append("reaches the network")
    elif spec.effect == "write":
        parts.append(f"changes {_named(grant.paths, workspace) or 'files'}")
    if outside:
        parts.append(f"{OUTSIDE}: {_named(tuple(outside), workspace)}")
    return ", ".join(parts) or "changes nothing"


def _confinement(level: SandboxLevel, *, network: bool) -> str:
    if level == "none":
        return "runs WITHOUT the sandbox, as you"
    if level == "landlock":
        return "runs in the sandbox, which holds little here" + (", reaches the network" if network else "")
    return "runs in the sandbox, reaches the network" if network else "runs in the sandbox, no network"


def _named(paths: tuple[str, ...], workspace: Path) -> str:
    shown = [_relative(Path(path), workspace) for path in paths[:MOST_PATHS]]
    more = len(paths) - MOST_PATHS
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _relative(path: Path, workspace: Path) -> str:
    return str(path.relative_to(workspace)) if path.is_relative_to(workspace) else str(path)
