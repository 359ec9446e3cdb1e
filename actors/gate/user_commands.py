"""A command that the user has written for an agent's work, such as the check of a task: run like the agent's own."""

import msgspec

from actors.errors import failed
from actors.gate.standing.agent_states import AgentStates
from actors.gate.workers import kind_of
from actors.mailbox import Mailbox, Request
from actors.messages.conversation import ToolCall
from actors.messages.tool import HookRan, RunCommand, RunHook

USER = "ui"
SHELL = "bash"


async def run_command(mailbox: Mailbox, states: AgentStates, wanted: RunCommand, request: Request) -> None:
    """Raises Failed."""
    if request.sender != USER:
        raise failed("not_allowed", f"{request.sender} may run no command of the user's.")
    await states.begin(wanted.agent, wanted.session_id)
    scene = (await states.load(wanted.agent)).in_mode("auto")
    arguments = msgspec.json.encode({"command": wanted.command}).decode()
    judgement = scene.judge(ToolCall(call_id="", name=SHELL, arguments=arguments))
    decision = judgement.decision
    if decision.verdict != "allow":
        hint = "" if decision.verdict == "deny" else f"Allow it with: --allow 'Bash({wanted.command})'"
        raise failed("refused", f"`{wanted.command}` may not run: {decision.why}.", hint)
    kind = kind_of(judgement.call, scene.spec(SHELL), judgement.grant, scene.context)
    worker = await states.workers.ready(wanted.agent, kind)
    order = RunHook(command=wanted.command, input="", timeout_s=wanted.timeout_s, grant=judgement.grant)
    request.reply(await mailbox.ask(worker, order, HookRan))
