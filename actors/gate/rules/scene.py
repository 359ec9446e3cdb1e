"""What the calls of one agent are judged by at one moment: its tools, its mode, the rules, where it works. Pure."""

from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from actors.errors import failed
from actors.gate import agent_calls, own_tools
from actors.gate.decision import BUILT_IN, Context, Decision, Judgement
from actors.gate.rules.confinement import barred, offers
from actors.gate.rules.modes import MODES, TABLE
from actors.gate.rules.subject_decision import visible
from actors.gate.subjects.subject import Site
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec
from actors.messages.subagent import Confine
from actors.messages.tool import Explanation, Grant, Mode, Tools
from actors.settings.config import Settings
from actors.settings.permissions import RuleLine
from actors.texts.agents import agent_tools

MOST_NAMED = 50
"""Tools of servers that an error lists."""
UNKNOWN_MERGE = "not known before it runs"
"""The rule by which accept-edits asks about a merge that may bring anything."""


class Scene(msgspec.Struct, frozen=True):
    agent: str
    known: Tools
    """What its worker has."""
    context: Context
    interactive: bool
    skilled: bool = False
    """There may be a skill."""
    served: tuple[ToolSpec, ...] = ()
    """Of MCP servers, those that are gone included."""
    confined: Confine | None = None
    """Of a subagent, what it may at most."""

    def in_mode(self, mode: Mode) -> "Scene":
        return replace(self, context=replace(self.context, mode=mode))

    def for_typed(self) -> "Scene":
        """Of a command that the user has typed: the mode is about what the model does."""
        return replace(self, context=replace(self.context, mode="auto", typed=True))

    def offered(self) -> tuple[ToolSpec, ...]:
        """What its model may see, in every mode the same: not what is denied whatever the arguments are."""
        own = own_tools.offered(interactive=self.interactive, skilled=self.skilled)
        seen = (
            spec for spec in (*self.known.tools, *own, *agent_tools.ALL, *self.served) if visible(spec, self.context)
        )
        return tuple(spec for spec in seen if self.confined is None or offers(self.confined, spec))

    def finding(self) -> tuple[ToolSpec, ...]:
        """What its model may see in the place of servers' tools that are many."""
        return tuple(spec for spec in own_tools.FINDING if visible(spec, self.context))

    def spec(self, name: str) -> ToolSpec:
        """Raises Failed, which names the tools there are."""
        found = next(
            (spec for spec in (*self.known.tools, *own_tools.ALL, *agent_tools.ALL, *self.served) if spec.name == name),
            None,
        )
        if found is None:
            raise failed("no_such_tool", f'there is no tool "{name}".', f"The tools are: {self._names()}.")
        return found

    def _names(self) -> str:
        """Of servers' tools how many there are, where to name them all would cost more than it helps."""
        offered = self.offered()
        of_servers = [spec.name for spec in offered if spec.server]
        many = len(of_servers) > MOST_NAMED
        names = [spec.name for spec in offered if not many or not spec.server]
        return ", ".join(names) + (f"; and {len(of_servers)} of MCP servers" if many else "")

    def judge(self, call: ToolCall) -> Judgement:
        """Raises Failed for a tool that there is not."""
        from actors.gate.rules.call_decision import judge  # with the reading of commands: no model waits for it

        if denial := self._denial(call):
            return Judgement(denial, call, Grant())
        judgement = judge(call, self.spec(call.name), self.context)
        if agent_calls.is_unknown_merge(call) and judgement.decision.rule == "mode accept-edits":
            unknown = Decision("ask", UNKNOWN_MERGE, BUILT_IN, "nobody knows which files it brings")
            judgement = replace(judgement, decision=unknown)
        # "always" is written into the workspace, and a worktree is none
        return replace(judgement, always=(), wider=(), in_sandbox=()) if self.confined else judgement

    def _denial(self, call: ToolCall) -> Decision | None:
        """What no rule can change: it is about who calls, not about what is touched."""
        served = next((spec for spec in self.served if spec.name == call.name), None)
        if self.confined is not None and (denial := barred(self.confined, call.name, served)):
            return denial
        if agent_calls.writes(call) and TABLE[self.context.mode]["write"] == "deny":
            mode, others = self.context.mode, [mode for mode in MODES if TABLE[mode]["write"] != "deny"]
            why = f"mode {mode} does not allow to spawn agents that write"
            return Decision("deny", f"mode {mode}", BUILT_IN, why, change=f"another mode: {', '.join(others)}")
        return None

    def against(self, call: ToolCall) -> str:
        """What would change that a call is allowed; "" where nothing would."""
        from actors.gate.rules.call_decision import against

        return against(call, self.spec(call.name), self.context)

    def hosts(self, call: ToolCall) -> frozenset[str]:
        """That it would fetch from. Raises Failed for a tool that there is not."""
        from actors.gate.subjects.call_subjects import touched

        subjects = touched(call, self.spec(call.name), self.context).subjects
        return frozenset(subject.host for subject in subjects if isinstance(subject, Site))

    @property
    def hidden(self) -> tuple[str, ...]:
        """Patterns of all that is denied to read or asked about."""
        from actors.gate.rules.call_decision import hiding

        return hiding(self.context)

    def refusal(self, name: str) -> str:
        """Of the gate's own tools: why this one cannot be used now."""
        return own_tools.refusal(name, self.context.mode, interactive=self.interactive)

    @property
    def way_on(self) -> str:
        """What the model can do when its mode has denied something."""
        if self.confined is not None:
            return " Use what you have, and say in your answer what you could not do."
        match self.context.mode:
            case "plan" if self.interactive:
                return " This is plan mode: use the tools that only look, and then present_plan."
            case "plan":
                return " This is plan mode: use the tools that only look, and give the plan as your answer."
            case "research":
                return " Use the tools that only look, and answer."
            case _:
                return ""


def context_of(
    settings: Settings, known: Tools, mode: Mode, rules: tuple[RuleLine, ...], session: tuple[RuleLine, ...]
) -> Context:
    """session: what the user has allowed for this session."""
    return Context(
        mode=mode,
        rules=rules,
        session=session,
        workspace=_resolved(known.cwd or settings.cwd),
        home=_resolved(settings.home),
        level=known.sandbox,
        shown=tuple(map(Path, known.shown)),
        temporary=Path(known.temporary) if known.temporary else None,
        allow_unsandboxed=settings.allow_unsandboxed,
        unrestricted=settings.unrestricted,
    )


@lru_cache(maxsize=256)
def _resolved(folder: str) -> Path:
    """Once, as workers do: a folder of the session does not move while it runs. Several times a call it would cost."""
    return Path(folder).resolve()


def explanation(scene: Scene, call: ToolCall) -> Explanation:
    """Raises Failed for a tool that there is not."""
    judgement = scene.judge(call)
    decision = judgement.decision
    return Explanation(
        tool=call.name,
        mode=scene.context.mode,
        verdict=decision.verdict,
        rule=decision.rule,
        source=decision.source,
        why=decision.why,
        change=decision.change or (scene.against(call) if decision.verdict == "allow" else ""),
        strong=bool(decision.strong),
        network=judgement.grant.network,
        sandboxed=judgement.grant.sandboxed and scene.context.level != "none",
        sandbox=scene.context.level,
        parts=judgement.parts,
    )
