"""Hooks: commands of the user's configuration that are told of an event and may decide about it.

A hook that cannot be understood is no yes: a call it should have looked at is asked about, a prompt is not sent.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from actors.errors import Failed
from actors.gate.decision import Decision, Judgement
from actors.mailbox import Mailbox
from actors.messages.tool import HookEvent, HookRan, HooksRan, RunHook, Verdict
from actors.messages.turn import Notice
from actors.settings.config import Settings
from actors.settings.tool_names import rule_name
from actors.settings.workspace_files import Hook

DENIED = 2
"""The exit code that denies; the reason is on stderr."""
STRICTER: tuple[Verdict | None, ...] = (None, "allow", "ask", "deny")
SHOWN = 300
"""Characters of what a hook complained of."""
ASKED_ABOUT: tuple[HookEvent, ...] = ("pre_tool",)
"""The events that the user can be asked about; the others happen or not."""
REFUSABLE: tuple[HookEvent, ...] = ("prompt", "session_start")
"""Those that an "ask" refuses."""


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hook's stdout."""

    decision: Literal["allow", "ask", "deny"] | None = None
    reason: str = ""
    arguments: dict[str, Any] | None = None
    context: str = ""


NOTHING = Said()


class Heard(msgspec.Struct, frozen=True):
    """What one hook said, or why it could not be understood."""

    said: Said = NOTHING
    failure: str = ""


def heard(ran: HookRan) -> Heard:
    if ran.exit_code is None:
        return Heard(failure="it took too long")
    if ran.exit_code == DENIED:
        return Heard(Said(decision="deny", reason=ran.errors.strip()))
    if ran.exit_code:
        complaint = ran.errors.strip()[:SHOWN]
        return Heard(
            failure=f"exit code {ran.exit_code}{f': {complaint}' if complaint else ', and it did not say why'}"
        )
    if not ran.output.strip():
        return Heard()
    try:
        return Heard(msgspec.json.decode(ran.output, type=Said))
    except (msgspec.DecodeError, RecursionError) as error:
        return Heard(failure=f"its stdout is not what a hook says: {error}")


def exist(settings: Settings, event: HookEvent, tool: str = "") -> bool:
    return any(True for _ in _of(settings, event, tool))


def may_still(settings: Settings, tool: str, decision: Decision) -> Iterator[str]:
    """What each hook may make of this decision about a call; what is denied anyway runs none."""
    if decision.verdict == "deny":
        return
    for hook, may_allow in _of(settings, "pre_tool", tool):
        allows = decision.verdict == "ask" and may_allow and not decision.strong
        may = {"allow": "ask about it or deny it", "ask": "allow or deny it" if allows else "deny it"}
        yield f"the hook `{hook.command}` may still {may[decision.verdict]}, or change its arguments"


def _of(settings: Settings, event: HookEvent, tool: str) -> Iterator[tuple[Hook, bool]]:
    """The user's, which may allow, before those of the workspace's local file."""
    for hooks, may_allow in ((settings.hooks, True), (settings.workspace_hooks, False)):
        of_event: tuple[Hook, ...] = getattr(hooks, event)
        for hook in of_event:
            if not hook.tools or rule_name(tool).casefold() in {rule_name(name).casefold() for name in hook.tools}:
                yield hook, may_allow


def with_hooks(judgement: Judgement, ran: HooksRan) -> Judgement:
    """Hooks tighten what was decided. Only an ask that is not strong becomes an allow, and only where one may allow."""
    decision = judgement.decision
    said = Decision(ran.verdict or "ask", "hook", "a hook", ran.reason)
    match ran.verdict, decision.verdict:
        case ("deny", "allow" | "ask") | ("ask", "allow"):
            return replace(judgement, decision=said, session=(), always=(), wider=())
        case "ask", "ask":
            return replace(judgement, session=(), always=(), wider=())  # it would ask again all the same
        case "allow", "ask" if not decision.strong:
            return replace(judgement, decision=said)
        case _:
            return judgement


class Hooks:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._without_effect: set[str] = set()
        """What the user has been told of."""

    async def run(self, worker: str, event: HookEvent, facts: Mapping[str, Any], tool: str = "") -> HooksRan:
        """One after the other until one denies; each sees the arguments as those before it have left them."""
        facts = {"event": event, **facts}
        total = HooksRan()
        for hook, may_allow in _of(self._settings, event, tool):
            one = await self._run(worker, hook, facts)
            self._tell(event, hook, one, may_allow=may_allow)
            total = _and(total, _counted(event, hook, one, may_allow=may_allow))
            if event == "pre_tool" and one.said.arguments is not None:
                facts = {**facts, "arguments": one.said.arguments}
            if total.verdict == "deny":
                break
        return total

    def _tell(self, event: HookEvent, hook: Hook, one: Heard, *, may_allow: bool) -> None:
        """A failure that is no refusal each time; a decision without effect once."""
        if one.failure:
            if event != "prompt":  # else it is the reason of the refusal
                self._mailbox.tell("ui", Notice(text=_failed(hook, one), level="warning"))
            return
        text = without_effect(event, hook, one.said, may_allow=may_allow)
        if text and text not in self._without_effect:
            self._without_effect.add(text)
            self._mailbox.tell("ui", Notice(text=text, level="warning"))

    async def _run(self, worker: str, hook: Hook, facts: Mapping[str, Any]) -> Heard:
        order = RunHook(command=hook.command, input=msgspec.json.encode(facts).decode(), timeout_s=hook.timeout_s)
        try:
            return heard(await self._mailbox.ask(worker, order, HookRan))
        except Failed as failure:
            return Heard(failure=str(failure))


def _counted(event: HookEvent, hook: Hook, one: Heard, *, may_allow: bool) -> HooksRan:
    """What one hook's words are worth."""
    if one.failure:
        refusing: dict[HookEvent, Verdict] = {"pre_tool": "ask", "prompt": "deny"}
        verdict = refusing.get(event)
        return HooksRan(verdict=verdict, reason=_failed(hook, one) if verdict else "")
    said = one.said
    arguments = "" if said.arguments is None or event != "pre_tool" else msgspec.json.encode(said.arguments).decode()
    if said.decision is None or (said.decision == "allow" and not may_allow):
        return HooksRan(arguments=arguments, context=said.context)
    refuses = said.decision == "ask" and event in REFUSABLE
    nobody = ", and nobody is asked about it" if refuses else ""
    done = {"allow": "allowed", "ask": "asked about", "deny": "denied"}[said.decision]
    reason = f"{done} by the hook `{hook.command}`{nobody}{f': {said.reason}' if said.reason else ''}"
    verdict = "deny" if refuses else said.decision
    return HooksRan(verdict=verdict, reason=reason, arguments=arguments, context=said.context)


def without_effect(event: HookEvent, hook: Hook, said: Said, *, may_allow: bool) -> str:
    """What the user is told of a decision that changes nothing; "" where it counts."""
    what = f'the hook `{hook.command}` of {event} says "{said.decision}", which has no effect'
    if said.decision == "ask" and event not in (*ASKED_ABOUT, *REFUSABLE):
        return f"{what} there: nobody is asked about what has happened already; it can deny."
    if said.decision == "allow" and event in ASKED_ABOUT and not may_allow:
        return f"{what} from this workspace's file: only a hook of your own config.toml can allow."
    return ""


def _failed(hook: Hook, one: Heard) -> str:
    return f"the hook `{hook.command}` failed: {one.failure}"


def _and(earlier: HooksRan, later: HooksRan) -> HooksRan:
    """The stricter one of the two decides."""
    strictest = later if STRICTER.index(later.verdict) > STRICTER.index(earlier.verdict) else earlier
    return HooksRan(
        verdict=strictest.verdict,
        reason=strictest.reason,
        arguments=later.arguments or earlier.arguments,
        context="\n".join(filter(None, (earlier.context, later.context))),
    )
