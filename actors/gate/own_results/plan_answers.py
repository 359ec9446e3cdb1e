"""What follows from the user's answer to a plan: the mode is left, PLAN.md is written, the model is told."""

from collections.abc import Awaitable, Callable

import msgspec
import trio

from actors.errors import Failed
from actors.gate.own_tools import plan_of
from actors.gate.rules.scene import Scene
from actors.gate.workers import worker_of
from actors.mailbox import Mailbox
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.tool import PLAN_APPROVED, PLAN_DENIED, PLAN_STAYS, Mode, RunGranted, UserAnswered

PLAN_FILE = "PLAN.md"
WRITER = "write"
"""The worker's tool that writes it."""
DENIED = "The user denied the plan{why}" + PLAN_STAYS
LEFT = (
    "The user left plan mode without approving the plan; the mode is {mode} now. Do not present the plan again unless "
    "you are asked to: ask what to do, or do what the user says next."
)
APPROVED = "The user approved the plan. Plan mode is over, the mode is {mode}: carry the plan out now, you may write."
FRESH = (
    "The user approved the plan, and a fresh session that knows only the plan carries it out. Say no more than that "
    "and end your turn."
)


class PlanAnswers(msgspec.Struct, frozen=True):
    mailbox: Mailbox
    enter: Callable[[str, Mode], Awaitable[None]]
    """Another mode for an agent. Raises Failed."""
    before: Callable[[str], Mode]
    """The mode an agent was in before plan mode."""

    async def settle(self, scene: Scene, call: ToolCall, answer: UserAnswered) -> ToolResult:
        """Raises Failed when the mode cannot be left; then nothing is written."""
        before = self.before(scene.agent)
        match answer.choice:
            case "approve" | "fresh":
                plan = plan_of(call)
                await self.enter(scene.agent, before)
                told = (FRESH if answer.choice == "fresh" else APPROVED).format(mode=before)
                output, summary = f"{told} {await self._write(scene, call, plan)}", PLAN_APPROVED
            case "leave":
                await self.enter(scene.agent, before)
                output, summary = LEFT.format(mode=before), "plan mode left"
            case _:
                text = answer.text.strip()
                why = f" and says: {text}" if text else ", without saying why."
                output, summary = DENIED.format(why=why if not text else f"{why}\n"), PLAN_DENIED
        return ToolResult(call_id=call.call_id, name=call.name, output=output, summary=summary)

    async def _write(self, scene: Scene, call: ToolCall, plan: str) -> str:
        """How it went, in words. The approval answers whether it may be written, but lifts no denial."""
        arguments = msgspec.json.encode({"path": PLAN_FILE, "content": plan.rstrip("\n") + "\n"}).decode()
        write = ToolCall(call_id=call.call_id, name=WRITER, arguments=arguments)
        not_written = f"{PLAN_FILE} could not be written: "
        there = await trio.Path(scene.context.workspace, PLAN_FILE).exists()
        try:
            allowed = scene.in_mode("default").judge(write)
            if allowed.decision.verdict == "deny":
                return f"{not_written}{allowed.decision.why}."
            order = RunGranted(call=allowed.call, grant=allowed.grant)
            async with self.mailbox.stream(worker_of(scene.agent), order) as stream:
                result = await stream.result(ToolResult)
        except Failed as failure:
            return f"{not_written}{failure}"
        if result.failed:
            return f"{not_written}{result.output}"
        return f"The plan is in {PLAN_FILE}{' (the one that was there is replaced)' if there else ''}."
