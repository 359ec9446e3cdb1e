"""The gate: decides about every call, asks the user where it must, hands the call to the agent's own worker.

What it decided for one call is a ticket, good once. Its worker answers the agent directly.
"""

import uuid

import trio

from actors.config import Settings
from actors.errors import ActorDied, Failed, UnexpectedMessage, failed
from actors.gate.modes import LABELS
from actors.gate.rules import Decision, decide, remedy, risk
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import (
    Allowed,
    ApprovalAsked,
    ApprovalGiven,
    Authorise,
    Denied,
    DescribeTools,
    Mode,
    ModeIs,
    OfferTools,
    Preview,
    PreviewTool,
    RunTool,
    SetMode,
    Tools,
)

MODES: tuple[Mode, ...] = ("default", "accept-edits", "auto", "plan")


async def run(mailbox: Mailbox, settings: Settings) -> None:
    gate = Gate(mailbox, settings)
    async with trio.open_nursery() as nursery:
        async for request in mailbox:
            match request.message:
                case OfferTools():
                    nursery.start_soon(request.serve, gate.offer)
                case Authorise():
                    nursery.start_soon(request.serve, gate.authorise)
                case RunTool(call=call, ticket=ticket):
                    gate.hand_on(request, call, ticket)
                case SetMode():
                    nursery.start_soon(request.serve, gate.set_mode)
                case _:
                    raise UnexpectedMessage(request.message)
        nursery.cancel_scope.cancel()


class Gate:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._tools: Tools | None = None
        self._describing = trio.Lock()
        """Agent and screen ask at the same moment; the worker is asked once."""
        self._modes: dict[str, Mode] = {}
        self._tickets: dict[str, tuple[str, ToolCall]] = {}

    async def offer(self, request: Request) -> None:
        """What the mode denies the model does not even see."""
        agent = request.sender
        mode = await self._mode(agent)
        known = await self._known_tools(agent)
        offered = tuple(tool for tool in known.tools if self._decide(mode, tool, known).verdict != "deny")
        request.reply(Tools(tools=offered, mode=mode, sandbox=known.sandbox))

    async def authorise(self, request: Request) -> None:
        if not isinstance(request.message, Authorise):
            raise UnexpectedMessage(request.message)
        call, agent = request.message.call, request.sender
        known = await self._known_tools(agent)
        tool = next((tool for tool in known.tools if tool.name == call.name), None)
        if tool is None:
            names = ", ".join(tool.name for tool in known.tools)
            raise failed("no_such_tool", f'there is no tool "{call.name}".', f"The tools are: {names}.")
        decision = self._decide(await self._mode(agent), tool, known)
        match decision.verdict:
            case "allow":
                request.reply(self._allow(agent, call))
            case "deny":
                request.reply(Denied(reason=f"denied: {decision.why}.", remedy=decision.why))
            case "ask" if self._settings.interactive:
                request.reply(await self._ask_user(agent, call, risk(tool.effect, sandboxed=known.sandbox != "none")))
            case "ask":
                how = remedy(call.name, decision)
                request.reply(
                    Denied(reason=f"denied: it needs approval and nobody is there to ask ({how})", remedy=how)
                )

    def hand_on(self, request: Request, call: ToolCall, ticket: str) -> None:
        if self._tickets.pop(ticket, None) != (request.sender, call):
            request.fail(failed("unknown_ticket", "the gate did not allow this call.").problem)
        else:
            request.forward(_worker(request.sender))

    async def set_mode(self, request: Request) -> None:
        """On disk before it counts: a gate that dies must not come back with wider permissions."""
        if not isinstance(request.message, SetMode):
            raise UnexpectedMessage(request.message)
        agent, mode = request.message.agent, request.message.mode
        await self._mailbox.insist("store", Remember(key=self._key(agent), value=mode), Done)
        self._modes[agent] = mode
        request.reply(ModeIs(mode=mode, label=LABELS[mode]))

    async def _mode(self, agent: str) -> Mode:
        if agent not in self._modes:
            recalled = (await self._mailbox.insist("store", Recall(key=self._key(agent)), Recalled)).value
            self._modes[agent] = next((mode for mode in MODES if mode == recalled), self._settings.mode)
        return self._modes[agent]

    def _key(self, agent: str) -> str:
        return f"mode/{self._settings.run_id}/{agent}"

    async def _known_tools(self, agent: str) -> Tools:
        async with self._describing:
            if self._tools is None:
                self._tools = await self._mailbox.insist(_worker(agent), DescribeTools(), Tools)
        return self._tools

    def _decide(self, mode: Mode, tool: ToolSpec, known: Tools) -> Decision:
        sandboxed = known.sandbox != "none"
        return decide(mode, tool.effect, tool.name, self._settings.permissions, sandboxed=sandboxed)

    def _allow(self, agent: str, call: ToolCall) -> Allowed:
        ticket = uuid.uuid4().hex
        self._tickets[ticket] = (agent, call)
        return Allowed(ticket=ticket)

    async def _ask_user(self, agent: str, call: ToolCall, risk: str) -> Allowed | Denied:
        """The question outlives the screen: a new one is asked again."""
        question = ApprovalAsked(agent=agent, call=call, preview=await self._preview(agent, call), risk=risk)
        answer = await self._mailbox.insist("ui", question, ApprovalGiven)
        if answer.allowed:
            return self._allow(agent, call)
        guidance = f" The user says: {answer.feedback}" if answer.feedback else " Do not try it again; ask what to do."
        return Denied(reason=f"denied by the user; it did not run.{guidance}", remedy="denied by you")

    async def _preview(self, agent: str, call: ToolCall) -> Preview:
        try:
            return await self._mailbox.ask(_worker(agent), PreviewTool(call=call), Preview)
        except ActorDied:
            return Preview(title=call.name, detail=call.arguments)
        except Failed as failure:
            return Preview(title=call.name, detail=f"{call.arguments}\n({failure})")


def _worker(agent: str) -> str:
    """agent:t1 has tools:t1; the ui itself, which runs a tool without a model, the main one."""
    return f"tools:{agent.partition(':')[2] or 'main'}"
