"""What runs: the actors of a session, in the order they start; they stop in the reverse order."""

import os

from supervisor.child_spec import ChildSpec, Limit

WORKER_FAILURES = Limit(restarts=100, seconds=300.0)
"""Every death of a worker is the result of one call; without a worker there would be none at all."""
SUBAGENTS_AT_ONCE = min(os.cpu_count() or 1, 8)
SUBAGENTS_IN_ALL = 200
"""By one agent in one run of the program: what spawns without end has lost its way; a batch of many tasks has not."""

STORE = ChildSpec(
    name="store",
    entry="actors.store.actor:run",
    talks_to=("ui",),
    grace_s=10.0,  # a commit waits for the disk, and a cancelled append is answered after it
    stop_s=5.0,
)
PROVIDERS = ChildSpec(
    name="providers",
    entry="actors.providers.actor:run",
    talks_to=("ui",),  # to name a server that was found, before it is asked
    grace_s=1.0,  # shared by all agents: one slow cancel must not cost the others their streams
    stop_s=2.0,  # a token that is just being renewed is written down: its predecessor is used up
    notes=True,
    secrets=True,
)
GATE = ChildSpec(
    name="gate",
    entry="actors.gate.actor:run",
    # it starts workers of other confinements
    talks_to=("tools:*", "web", "mcp:*", "ui", "agent:*", "store", "supervisor", "providers"),
    starts=("tools:*", "web", "mcp:*"),
    grace_s=1.0,
    late=True,  # its imports take longest; meanwhile the agent opens its session
)
TOOLS = ChildSpec(
    name="tools:*",
    entry="actors.tools.actor:run",
    prepare="actors.confinement.sandbox.setup:prepare",
    talks_to=("providers",),  # to have edits merged; they serve a worker nothing else
    restart="transient",
    lazy=True,  # a turn without calls needs none
    stop_s=1.0,
    failures=WORKER_FAILURES,
)
WEB = ChildSpec(
    name="web",
    entry="actors.tools.actor:run",
    prepare="actors.confinement.sandbox.setup:prepare",
    talks_to=("providers",),
    restart="transient",
    stop_s=1.0,
    failures=WORKER_FAILURES,
)
MCP = ChildSpec(
    name="mcp:*",
    entry="actors.mcp.actor:run",
    prepare="actors.mcp.process.starter:prepare",
    template=("actors.mcp.actor",),  # the SDK: 63 MB and 0.7 s, which nobody else should have
    talks_to=("gate", "ui", "providers"),
    restart="transient",  # without it there is one server less
    grace_s=5.0,
    stop_s=3.0,  # for a server that wants to be asked to leave
    secrets=True,  # what servers are given of the environment is filled in there
)
CHECKPOINTS = ChildSpec(
    name="checkpoints",
    entry="actors.checkpoints.actor:run",
    restart="transient",  # without them a turn cannot be taken back, and all goes on
    lazy=True,  # what only looks needs none
    grace_s=1.0,
    stop_s=2.0,  # what the last turn has made is written down
)
SUBAGENT = ChildSpec(
    name="agent:sub:*",
    entry="actors.agent.actor:run",
    talks_to=("gate", "store", "providers", "checkpoints"),  # not the supervisor: it spawns none itself
    at_once=SUBAGENTS_AT_ONCE,
    in_all=SUBAGENTS_IN_ALL,
    restart="transient",
    grace_s=5.0,
    heals=True,
    subscribers=True,
)
AGENT = ChildSpec(
    name="agent:*",
    entry=SUBAGENT.entry,
    talks_to=(*SUBAGENT.talks_to, "supervisor", "agent:sub:*"),
    spawns=("agent:sub:*", "tools:sub:*"),
    stop_s=1.0,  # the checkpoints are told which worktrees nobody works in any more
    restart="transient",
    grace_s=5.0,
    heals=True,
    subscribers=True,
)
MAIN_AGENT = ChildSpec(
    name="agent:main",
    entry=AGENT.entry,
    talks_to=AGENT.talks_to,
    spawns=AGENT.spawns,
    stop_s=AGENT.stop_s,
    grace_s=AGENT.grace_s,
    heals=True,
    subscribers=True,
)

MODULES = (*STORE.modules, *AGENT.modules)
"""What the zygote imports at once, in the order it is needed, while the supervisor still reads what is wanted of it.

The modules of all others are imported when the first is started; providers is too heavy to be carried by everybody."""

SERVICE_MODULES = ("actors.providers.http.exchange",)
"""What providers needs beside its own to ask a service."""


def front(entry: str, *, terminal: bool) -> ChildSpec:
    """Who talks to the user: the screen, or one of the headless fronts."""
    return ChildSpec(
        name="ui",
        entry=entry,
        talks_to=("agent:*", "gate", "store", "providers", "checkpoints", "mcp:*", "supervisor"),
        leads=True,
        terminal=terminal,
        stop_s=1.0,
        grace_s=5.0,
    )


def session(front_spec: ChildSpec, *, main_agent: bool) -> tuple[ChildSpec, ...]:
    """The specs and templates of one session; without a main agent its front starts agents by name."""
    main = (MAIN_AGENT,) if main_agent else ()
    return (STORE, PROVIDERS, GATE, CHECKPOINTS, *main, SUBAGENT, AGENT, TOOLS, WEB, MCP, front_spec)


def started_at_once(tree: tuple[ChildSpec, ...]) -> list[str]:
    """Names in start order; of the templates only the main agent's tool worker is known from the start."""
    names = [spec.name for spec in tree if not spec.name.endswith(":*") and spec is not WEB]
    return [*names, "tools:main"] if "agent:main" in names else names
