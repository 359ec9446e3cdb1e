"""Running tools: what the gate is asked, what a worker is handed, what comes back."""

from typing import Literal

import msgspec

from actors.messages.base import Message
from actors.messages.conversation import Section, Seen, ToolCall
from actors.messages.model import ToolSpec

Mode = Literal["default", "accept-edits", "plan", "auto", "research"]
"""research is a sub-mode that /ask enters: nothing but looking, and no plan to present."""
SandboxLevel = Literal["bubblewrap", "namespaces", "landlock", "none"]
"""From the strongest on: in the first two each command has namespaces and a view of the files of its own."""
Verdict = Literal["allow", "ask", "deny"]
HookEvent = Literal["pre_tool", "post_tool", "prompt", "stop", "session_start"]
FURTHER_WORKERS = ("~network", "~none")
"""What the names of an agent's further tool workers end in: those with another confinement."""


class DescribeTools(Message, frozen=True, kw_only=True):
    """Asked of a tool worker: every tool it has."""


class OfferTools(Message, frozen=True, kw_only=True):
    """Asked of the gate: the tools this agent's model may see in its mode."""

    session_id: str = ""
    """That the agent has open: from now on its calls are judged by the mode and the grants of it. "": as before."""
    turn_id: str = ""
    """Of the turn it is for: of MCP servers it has the same tools all the time."""
    anew: bool = False
    """It may have been another program's in between, whose user may have said other things."""


class Tools(Message, frozen=True, kw_only=True):
    tools: tuple[ToolSpec, ...]
    mode: Mode = "default"
    sandbox: SandboxLevel = "none"
    """What commands of the worker run in."""
    sandbox_detail: str = ""
    """The same in words, with what is missing and why, for people."""
    cwd: str = ""
    """The workspace the worker was started for."""
    shown: tuple[str, ...] = ()
    """Of the machine, in folders that the worker's commands otherwise have of their own. Absolute, resolved."""
    temporary: str = ""
    """The session's folder for temporary files, the same for all of the agent's workers. Absolute, resolved."""
    findable: tuple[ToolSpec, ...] = ()
    """Tools that a model searches and is not offered, without descriptions and schemas: for who runs their calls."""
    servers: tuple[Section, ...] = ()
    """What a model is told of the MCP servers, one each: the same in a whole turn, as the tools are."""
    taken_up: str = ""
    """For the user: what of an earlier run of the session counts again, and what does not."""


class SandboxIs(Message, frozen=True, kw_only=True):
    """Told to the ui once a worker of this session has said it: what it knew until then was an earlier one's."""

    level: SandboxLevel


class OfferChanged(Message, frozen=True, kw_only=True):
    """Told to an agent by the gate: ask OfferTools before the next request."""


class Merging(msgspec.Struct, frozen=True, kw_only=True):
    """What a merge would bring into the workspace, as far as its agent knows it."""

    files: tuple[str, ...]
    """That it would write or delete; relative to the workspace, also where they are outside of it."""
    diff: str
    """For people; cut at MOST_SHOWN."""
    id: str = ""
    """Of all of it, as of Patch."""


class Authorise(Message, frozen=True, kw_only=True):
    """Asked of the gate before a call is written down as started; the user may be asked on the way.

    Answered by Denied or Allowed; a call that only looks is handed on at once, and answered by its ToolResult.
    """

    call: ToolCall
    session_id: str = ""
    agent: str = ""
    """Of the ui alone: whose call it is to be judged and run as. The session: for hooks, and what a subagent may."""
    named: tuple[str, ...] = ()
    """Hosts among those that the call names which the user or a result had named before."""
    seen: tuple[Seen, ...] | None = None
    """Of a call that writes: the files the model knows. None: who calls is no model, and need not have read them."""
    typed: bool = False
    """The user has typed the command himself."""
    merging: Merging | None = None
    """Of merge_agent; None: not known, so that every mode but auto asks."""


class Allowed(Message, frozen=True, kw_only=True):
    ticket: str
    """Good for this one call; "" for a tool that the agent runs itself."""
    call: ToolCall | None = None
    """Of a tool that the agent runs itself: as it was judged, for hooks may have changed its arguments."""
    context: str = ""
    """What hooks want the model to know; it is added to the result."""


DENIED_BY_YOU = "denied by you"
"""Begins the remedy of what the user has denied: nothing else has to be said to people."""
NO_ANSWER = "The user did not answer."
"""Begins what the model is told of a question that had none."""
PLAN_APPROVED, PLAN_DENIED = "plan approved", "plan denied"
"""The summary of its result, and below how that of a denial ends."""
PLAN_STAYS = " Plan mode stays: change the plan and present it again."


class Denied(Message, frozen=True, kw_only=True):
    reason: str
    """For the model."""
    remedy: str = ""
    """For the user: the rule or flag that would allow it."""


class RunTool(Message, frozen=True, kw_only=True):
    """A stream: ToolProgress items, then a ToolResult. Asked of the gate, which hands it on as RunGranted."""

    call: ToolCall
    ticket: str


class Grant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the gate lets one call do; its worker does nothing beyond it, whatever the arguments say."""

    paths: tuple[str, ...] = ()
    """Absolute, symlinks resolved: the call touches these and what is below them, nothing else."""
    deleted: tuple[str, ...] = ()
    """Those of them that a file tool may delete."""
    own: tuple[str, ...] = ()
    """Those of them that are the session's own, in its folder for temporary files."""
    hidden: tuple[str, ...] = ()
    """Patterns of files that may not be read (as in Read(...) rules): left out of searches and lists, masked."""
    network: bool = False
    """Its command reaches the network."""
    sandboxed: bool = True
    folders: tuple[str, ...] = ()
    """Of a command outside the sandbox: absolute ones in which git may look for a repository."""
    anywhere: bool = False
    """Which folders these are is not known before it runs."""


class RunGranted(Message, frozen=True, kw_only=True):
    """RunTool as a worker gets it, from the gate alone; it answers whoever asked the gate."""

    call: ToolCall
    """Its arguments are the ones that the gate judged, encoded anew."""
    grant: Grant = Grant()
    seen: tuple[Seen, ...] | None = None
    """As of Authorise."""


class ToolProgress(Message, frozen=True, kw_only=True):
    call_id: str
    text: str
    """Output since the last one."""


class PreviewTool(Message, frozen=True, kw_only=True):
    """Asked of a tool worker by the gate: what would this call do? Changes nothing."""

    call: ToolCall
    grant: Grant = Grant()
    """What the call would have if it is allowed."""
    seen: tuple[Seen, ...] | None = None
    """As of Authorise."""


class CheckArguments(Message, frozen=True, kw_only=True):
    """Asked of a tool worker by the gate: does the tool take them? Answered by Done; fails with what is wrong."""

    call: ToolCall


MOST_SHOWN = 500_000
"""Characters of a title and detail. Wrapping so many takes half a second, and what is longer can only be refused."""


class Preview(Message, frozen=True, kw_only=True):
    title: str
    """One line: the command, the path."""
    detail: str = ""
    """A unified diff, or the whole command."""
    failure: str = ""
    """Why the call is going to fail; "" where nothing is known against it."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One of the answers to a question, by the key that is typed. facts: of a list, what else is known, in columns."""

    id: str
    key: str
    label: str
    takes_text: bool = False
    secret: bool = False  # what is written with it: shown as dots, and kept in no draft
    refuses: bool = False
    """It lets nothing happen; every other one is taken only once all of the question was on the screen."""
    facts: str = ""


class UserAsked(Message, frozen=True, kw_only=True):
    """A question of the gate or the providers to the ui; answered by UserAnswered. Shown as it is."""

    agent: str
    asker: str = ""
    """What people call it: the name of a subagent, which the title has, too; "" of any other."""
    kind: Literal["approval", "plan", "question", "trust", "server", "list", "sessions", "all sessions"]
    """The last three are lists of the ui itself, of this folder's sessions or of all; nothing has to be read before."""
    title: str
    """One line: the tool and what it would do, or the question."""
    detail: str = ""
    """A diff, a whole command, the plan's markdown, or files as they are."""
    risk: str = ""
    """What it can do, in a few words."""
    warning: str = ""
    """Why this one needs more care than others: shown strongly."""
    choices: tuple[Choice, ...]
    default: str
    """Id of the choice that Enter gives first."""
    escape: str
    """Id of the choice that Esc gives."""
    call: ToolCall


NOBODY = ""
"""In place of a choice's id: there was nobody who could give an answer."""


class UserAnswered(Message, frozen=True, kw_only=True):
    choice: str
    """Id of a choice, or NOBODY."""
    text: str = ""


class SetMode(Message, frozen=True, kw_only=True):
    agent: str
    mode: Mode
    session_id: str = ""
    """That the agent is about to open; "" for the one it has."""


class CarryMode(Message, frozen=True, kw_only=True):
    """Asked of the gate by an agent: a new session will begin in the mode of the one it has open. Answered by Done."""

    session_id: str


class ModeIs(Message, frozen=True, kw_only=True):
    """Answer to SetMode; also told to the ui when the gate changes a mode itself."""

    mode: Mode
    label: str
    """Its risk, in a few words."""
    agent: str = ""


class SandboxUnasked(Message, frozen=True, kw_only=True):
    """Told to the ui when that changes: whether all that stays inside the sandbox runs unasked."""

    counts: bool


class Explain(Message, frozen=True, kw_only=True):
    """Asked of the gate: what would be decided about this call, and why? Runs nothing, asks nobody."""

    call: ToolCall
    mode: Mode | None = None
    """None: the one there is."""


class Explanation(Message, frozen=True, kw_only=True):
    tool: str
    mode: Mode
    verdict: Verdict
    rule: str
    """What made it: a rule as it is written, or the name of a built-in one."""
    source: str
    """The rule's file or flag; "built in" for what is nobody's to change."""
    why: str
    change: str
    """What would change the decision; "" where nothing would."""
    strong: bool = False
    """Asked every time, whatever is allowed."""
    network: bool = False
    sandboxed: bool = True
    sandbox: SandboxLevel = "none"
    parts: tuple[str, ...] = ()
    """Of a command: each simple command with its own verdict and why, one line each."""
    hooks: tuple[str, ...] = ()
    """Which hooks hear of the call before it runs, and what each may still make of the verdict."""


class StandingRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule that counts now."""

    verdict: Verdict
    text: str
    source: str
    """A file's path, a flag, or "this session"."""
    can_be_forgotten: bool = False
    """It was given as an answer to a question."""


class DescribeRules(Message, frozen=True, kw_only=True):
    """Asked of the gate: the rules that count now, and what was allowed for this session. Answered by Rules."""


class Rules(Message, frozen=True, kw_only=True):
    rules: tuple[StandingRule, ...]


class ForgetRule(Message, frozen=True, kw_only=True):
    """Take back what was allowed, here and in its file: Done, also where it is gone. Fails for a flag's."""

    rule: StandingRule


class RunHooks(Message, frozen=True, kw_only=True):
    """Asked of the gate by an agent: run the hooks of an event. Answered by HooksRan."""

    event: HookEvent
    payload: str
    """A JSON object for the hooks' stdin; the gate adds event, session, cwd and mode."""
    tool: str = ""


class HooksRan(Message, frozen=True, kw_only=True):
    verdict: Verdict | None = None
    """The strictest one; None where no hook said anything."""
    reason: str = ""
    arguments: str = ""
    """Changed arguments of the call; "" for unchanged."""
    context: str = ""
    """What the hooks want the model to know."""


class RunHook(Message, frozen=True, kw_only=True):
    """Asked of a tool worker by the gate: one command in the sandbox, its input on stdin. Answered by HookRan."""

    command: str
    input: str
    timeout_s: float
    grant: Grant = Grant()


class RunCommand(Message, frozen=True, kw_only=True):
    """Asked of the gate by the ui alone: a command of the user's own, where this agent's commands run.

    Judged as in auto mode: what would still be asked about is refused. Answered by HookRan.
    """

    agent: str
    session_id: str
    """That the agent has open, or is about to."""
    command: str
    timeout_s: float


class HookRan(Message, frozen=True, kw_only=True):
    exit_code: int | None
    """None: it took too long and was ended."""
    output: str
    errors: str = ""


class LookForLoss(Message, frozen=True, kw_only=True):
    """Asked of a tool worker by the gate: would deleting these lose anything of worth? Answered by Loss."""

    paths: tuple[str, ...]
    """Absolute; `*`, `?` and `**` are patterns."""
    since: float
    """When the session began, in seconds since the epoch."""
    moved_to: tuple[str, ...] = ()
    """Absolute: where calls have moved something since then."""


class Loss(Message, frozen=True, kw_only=True):
    why: str
    """ "" for no."""


class MapRepository(Message, frozen=True, kw_only=True):
    """Asked of the gate by an agent, which hands it on to the worker. Answered by RepositoryMap."""

    tokens: int
    """About so many at most."""
    grant: Grant = Grant()
    """The gate's: what may be looked at."""


class RepositoryMap(Message, frozen=True, kw_only=True):
    text: str
    """ "" where there is nothing to show, or no grammar to read it."""
