"""From a call to a yes or no: the rules, then the hooks, then the user, each where the one before leaves it open."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import trio

from actors.errors import BadConfiguration, Failed, failed
from actors.gate import agent_calls, approval, own_tools
from actors.gate.decision import Judgement
from actors.gate.hooks import Hooks, exist, with_hooks
from actors.gate.leak_check import LeakCheck
from actors.gate.loss_check import LossCheck
from actors.gate.rules.scene import Scene
from actors.gate.standing.agent_states import AgentStates
from actors.gate.workers import kind_of, worker_of
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec
from actors.messages.tool import (
    DENIED_BY_YOU,
    NOBODY,
    Authorise,
    CheckArguments,
    Denied,
    HooksRan,
    Preview,
    PreviewTool,
    UserAnswered,
    UserAsked,
)
from actors.messages.turn import Notice
from actors.settings.config import Settings
from actors.settings.mcp.names import LIST_TOOL
from actors.settings.saved_rules import remember
from actors.settings.workspace_files import LOCAL_FILE

DENIED_BY_USER = "denied by the user; it did not run."
READ = "read"
"""The tool."""
USER = "ui"
"""Who calls a tool there has written its arguments."""
LIVES = 1000
"""Of the screen, before a question is given up: a kill from outside is not the question's fault, and what has cost two
lives by itself is not asked again in any case (supervisor)."""
NO_COMMENT = " Do not try it again; ask what to do."


class Yes(msgspec.Struct, frozen=True):
    judgement: Judgement
    context: str = ""
    """What hooks want the model to know."""
    answer: UserAnswered | None = None
    """To what one of the gate's own tools asks."""


class Authorisation:
    def __init__(self, mailbox: Mailbox, settings: Settings, states: AgentStates) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._states = states
        self._hooks = Hooks(mailbox, settings)
        self._leak_check = LeakCheck(mailbox, states)
        self._loss_check = LossCheck(mailbox, settings)

    async def decide(self, agent: str, wanted: Authorise) -> Yes | Denied:
        """Raises Failed."""
        decided = await self._decide(agent, wanted)
        if isinstance(decided, Yes):
            self._loss_check.note(decided.judgement)
        return decided

    async def _decide(self, agent: str, wanted: Authorise) -> Yes | Denied:
        """Raises Failed. What was asked is decided again when a rule or the mode has changed meanwhile."""
        await self._states.load(agent)
        scene = self._now(agent, wanted)
        wanted, ran = await self._past_hooks(scene, wanted)
        call = wanted.call
        if _leaves(scene.spec(call.name)) and not scene.context.unrestricted:
            self._states.name(wanted.named if agent != USER else scene.hosts(call))
            if refused := await self._leak_check.refused(scene, call):
                return refused
            await self._leak_check.look_for_hosts(scene, call)
        while True:
            scene, judged = await self.looked_at(self._now(agent, wanted), call, wanted.session_id)
            judgement = with_hooks(judged, ran)
            if judgement.decision.verdict == "deny":
                return _denied(scene, judgement)
            own = own_tools.asks(call.name)
            if own and (refusal := scene.refusal(call.name)):
                raise failed("tool_failed", refusal)
            if judgement.decision.verdict == "allow" and not own:
                return Yes(judgement, ran.context)
            if decided := await self._by_user(scene, wanted, judgement, ran):
                return decided

    async def _by_user(
        self, scene: Scene, wanted: Authorise, judgement: Judgement, ran: HooksRan
    ) -> Yes | Denied | None:
        """None: it need not be asked any more. Raises Failed, before anybody is asked, of what can come to nothing."""
        own = own_tools.asks(wanted.call.name)
        await self.check(scene, wanted.call)
        if not (scene.interactive or self._settings.asks_approvals):
            return _nobody_to_ask(judgement)
        if own:
            question = own_tools.question(scene.agent, wanted.call)
        else:
            preview = await self._preview(scene, wanted, judgement)
            if preview.failure and _may_be_told(scene, wanted.call, judgement):
                raise failed("tool_failed", preview.failure)
            question = approval.approval(scene, wanted.call, judgement, preview)
        answer = await self._ask(scene, wanted, question, ran)
        if answer is not None and own:
            return Yes(judgement, ran.context, answer)
        return None if answer is None else await self._answered(scene, judgement, ran, answer)

    def _now(self, agent: str, wanted: Authorise) -> Scene:
        """Once it is loaded. Only where a user is there can one have typed anything."""
        scene = self._states.now(agent)
        is_typed = wanted.typed and scene.interactive and scene.confined is None
        return scene.for_typed() if is_typed else scene

    async def looked_at(self, scene: Scene, call: ToolCall, session_id: str = "") -> tuple[Scene, Judgement]:
        """To judge this call in, and how. Raises Failed."""
        return await self._loss_check.at(scene, call, session_id)

    async def _past_hooks(self, scene: Scene, wanted: Authorise) -> tuple[Authorise, HooksRan]:
        """With the call as hooks have left it. What is denied anyway runs no hooks."""
        call = wanted.call
        if not exist(self._settings, "pre_tool", call.name) or scene.judge(call).decision.verdict == "deny":
            return wanted, HooksRan()
        facts = facts_of(scene, wanted.session_id) | {"tool": call.name, "arguments": decoded(call.arguments)}
        ran = await self._hooks.run(worker_of(scene.agent), "pre_tool", facts, call.name)
        if not ran.arguments:
            return wanted, ran
        told = "\n".join(filter(None, (ran.context, f"the arguments were changed to {ran.arguments}")))
        ran = msgspec.structs.replace(ran, context=told)
        call = msgspec.structs.replace(call, arguments=ran.arguments)
        return msgspec.structs.replace(wanted, call=call), ran

    async def _ask(self, scene: Scene, wanted: Authorise, question: UserAsked, ran: HooksRan) -> UserAnswered | None:
        """None: it need not be asked any more. The question outlives the screen: a new one is asked again."""
        call = wanted.call
        own = own_tools.asks(call.name)

        def is_settled() -> bool:
            now = self._now(scene.agent, wanted)
            verdict = with_hooks(now.judge(call), ran).decision.verdict
            return verdict == "deny" or bool(now.refusal(call.name)) if own else verdict != "ask"

        return None if is_settled() else await self._ask_until(question, is_settled)

    async def _ask_until(self, question: UserAsked, is_settled: Callable[[], bool]) -> UserAnswered | None:
        """Withdrawn once it is settled otherwise."""
        answer: UserAnswered | Failed | None = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._withdraw, is_settled, nursery.cancel_scope)
            try:
                answer = await self._mailbox.insist("ui", question, UserAnswered, LIVES)
            except Failed as failure:
                answer = failure
            nursery.cancel_scope.cancel()
        if isinstance(answer, Failed):
            raise answer
        return answer

    async def _withdraw(self, is_settled: Callable[[], bool], asked: trio.CancelScope) -> None:
        while not is_settled():
            await self._states.change()
        asked.cancel()

    async def check(self, scene: Scene, call: ToolCall) -> None:
        """Raises Failed for arguments that the tool does not take: nothing would come of such a call."""
        match scene.spec(call.name).runs_in:
            case "gate" if call.name == LIST_TOOL:
                self._states.servers.resources(call)
            case "gate":
                own_tools.check(scene.agent, call)
            case "agent":
                agent_calls.check(call)
            case "mcp":
                from actors.gate.mcp import server_calls  # only who has servers pays for it

                server_calls.check(call)
            case _:
                await self._mailbox.insist(worker_of(scene.agent), CheckArguments(call=call), Done)

    async def _preview(self, scene: Scene, wanted: Authorise, judgement: Judgement) -> Preview:
        name = wanted.call.name
        if scene.spec(name).runs_in == "agent":
            return agent_calls.preview(judgement.call, wanted.merging)
        if scene.spec(name).runs_in == "mcp":
            from actors.gate.mcp import server_calls  # only who has servers pays for it

            return server_calls.preview(scene.spec(name), judgement.call)
        if scene.spec(name).runs_in == "gate":
            return Preview(title=name, detail=judgement.call.arguments)
        kind = kind_of(judgement.call, scene.spec(name), judgement.grant, scene.context)
        try:
            worker = await self._states.workers.ready(scene.agent, kind)
            preview = PreviewTool(call=judgement.call, grant=judgement.grant, seen=wanted.seen)
            return await self._mailbox.insist(worker, preview, Preview)
        except Failed as failure:
            return Preview(title=name, detail=f"{judgement.call.arguments}\n({failure})")

    async def _answered(self, scene: Scene, judgement: Judgement, ran: HooksRan, answer: UserAnswered) -> Yes | Denied:
        if answer.choice == NOBODY:
            return _nobody_to_ask(judgement)
        rules = approval.rules_given(answer.choice, judgement)
        if rules:
            await self._remember(answer.choice, rules, scene)
        if rules or answer.choice == "once":
            self._states.name(scene.hosts(judgement.call))
            return Yes(judgement, ran.context)
        text = answer.text.strip()
        said = f" The user says: {text}" if text else NO_COMMENT
        return Denied(reason=DENIED_BY_USER + said, remedy=f"{DENIED_BY_YOU}: {text}" if text else DENIED_BY_YOU)

    async def _remember(self, choice: str, rules: tuple[str, ...], scene: Scene) -> None:
        """What cannot be remembered is allowed this once all the same."""
        path = scene.context.workspace / LOCAL_FILE
        try:
            if approval.is_for_session(choice):
                await self._states.allow(rules, scene)
                return
            await trio.to_thread.run_sync(remember, path, rules, Path(self._settings.home))
            await self._states.allow_always(rules, str(path), scene)
        except (BadConfiguration, OSError, Failed) as error:
            text = f"This was allowed once; it could not be remembered: {error}"
            self._mailbox.tell("ui", Notice(text=text, level="warning"))


def _may_be_told(scene: Scene, call: ToolCall, judgement: Judgement) -> bool:
    """That it is going to fail says nothing that may not be read unasked."""
    reads = (ToolCall(call_id="", name=READ, arguments=_path(path)) for path in judgement.grant.paths)
    return scene.spec(call.name).effect == "write" and all(
        scene.judge(read).decision.verdict == "allow" for read in reads
    )


def _path(path: str) -> str:
    return msgspec.json.encode({"path": path}).decode()


def _leaves(spec: ToolSpec) -> bool:
    """Its arguments go to somebody else."""
    return spec.effect == "network" or spec.runs_in == "mcp"


def facts_of(scene: Scene, session_id: str) -> dict[str, object]:
    """What every hook is told."""
    return {"session": session_id, "cwd": str(scene.context.workspace), "mode": scene.context.mode}


def decoded(arguments: str) -> object:
    """As hooks see them; what is no JSON as it is."""
    try:
        return msgspec.json.decode(arguments)
    except (msgspec.DecodeError, RecursionError):
        return arguments


def _denied(scene: Scene, judgement: Judgement) -> Denied:
    why = judgement.decision.why
    reason = why if why.startswith("denied") else f"denied: {why}"
    remedy = _with_change(judgement) if judgement.decision.change else why
    return Denied(reason=f"{reason}.{scene.way_on}", remedy=remedy)


def _with_change(judgement: Judgement) -> str:
    decision = judgement.decision
    return f"{decision.why}.{f' To allow it: {decision.change}' if decision.change else ''}"


def _nobody_to_ask(judgement: Judgement) -> Denied:
    how = _with_change(judgement)
    return Denied(reason=f"denied: it needs approval and nobody is there to ask ({how})", remedy=how)
