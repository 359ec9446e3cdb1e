"""What the gate finds out about a fetch or a search before it leaves: does it carry a secret, who named its host?"""

import re

from actors.common.call_arguments import said
from actors.errors import Failed
from actors.gate.rules.scene import Scene
from actors.gate.rules.subject_decision import UNNAMED
from actors.gate.standing.agent_states import AgentStates
from actors.gate.workers import worker_of
from actors.mailbox import Mailbox
from actors.messages import model
from actors.messages.conversation import ToolCall
from actors.messages.tool import Denied, HookRan, RunHook

NAME = re.compile(r"[a-z0-9.:_-]+")
SEARCH = "grep -rqIiwF --exclude-dir=.git -e {host} ."
SEARCH_S = 2.0
"""A workspace that takes longer counts as one that does not name it."""
LEAK = "denied: it carries the value of a secret ({secret}), which does not leave this machine. Do without it."
TOO_LONG = "it is longer than can be looked through for secrets"


class LeakCheck:
    def __init__(self, mailbox: Mailbox, states: AgentStates) -> None:
        self._mailbox = mailbox
        self._states = states

    async def refused(self, scene: Scene, call: ToolCall) -> Denied | None:
        """For the secret that the call carries. Raises Failed."""
        context, text = scene.context, said(call.arguments)
        if len(text) > model.LONGEST_OUTGOING:
            return Denied(reason=f"denied: {TOO_LONG}. Send less.", remedy=TOO_LONG)
        asked = model.CheckOutgoing(text=text, workspace=str(context.workspace), hidden=scene.hidden)
        secret = (await self._mailbox.insist("providers", asked, model.Outgoing)).secret
        return Denied(reason=LEAK.format(secret=secret), remedy=f"it carries a secret of {secret}") if secret else None

    async def look_for_hosts(self, scene: Scene, call: ToolCall) -> None:
        """In the files of the workspace, where it is they that make the difference. Raises Failed."""
        if scene.judge(call).decision.rule != UNNAMED:
            return
        for host in filter(NAME.fullmatch, scene.hosts(call)):
            search = RunHook(command=SEARCH.format(host=host), input="", timeout_s=SEARCH_S)
            try:
                ran = await self._mailbox.insist(worker_of(scene.agent), search, HookRan)
            except Failed:
                continue  # it is asked about
            if ran.exit_code == 0:
                self._states.name((host,))
