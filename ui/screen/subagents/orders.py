"""What the agent is asked to do with one of its subagents: tell it something, cancel it, take its changes over."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.checkpoint import Patch, WorktreeMerged
from actors.messages.conversation import ToolCall
from actors.messages.subagent import (
    CancelSubagent,
    MergeSubagent,
    ShowChanges,
    SteerSubagent,
    SubagentEnded,
    SubagentIs,
)
from actors.messages.tool import Choice, UserAsked
from ui.common import harmless
from ui.screen.questions.choice_list import Ask
from ui.screen.transcript.subagents.blocks import named

GO_ON = "Go on where you stopped."
MERGE, NO = "merge", "no"


@dataclass(frozen=True)
class Orders:
    mailbox: Mailbox
    agent: str
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""

    async def steer(self, name: str, text: str, prompt_id: str = "") -> bool:
        """One that has ended goes on with it. False: it was not told, and the user was."""
        wanted = SteerSubagent(name=name, prompt_id=prompt_id or uuid.uuid4().hex, text=text)
        try:
            await self.mailbox.insist(self.agent, wanted, Done)
        except Failed as failure:
            self.say(str(failure), "error")
            return False
        return True

    async def cancel(self, name: str) -> None:
        """Its row says that it is."""
        try:
            await self.mailbox.insist(self.agent, CancelSubagent(name=name), SubagentEnded)
        except Failed as failure:
            self.say(str(failure), "error")

    async def merge(self, one: SubagentIs) -> None:
        """Once the user has seen what it is."""
        try:
            patch = await self._patch(one)
            if not (patch.files if isinstance(patch, Patch) else one.patch_files):
                self.say(f"there is nothing of {harmless.one_line(one.name)} to merge", "info")
            elif (await self.ask(question(one, patch))).choice == MERGE:
                wanted = MergeSubagent(name=one.name, seen=patch.id if isinstance(patch, Patch) else "")
                self._merged(one, await self.mailbox.insist(self.agent, wanted, WorktreeMerged))
        except Failed as failure:
            self.say(str(failure), "error")

    async def _patch(self, one: SubagentIs) -> Patch | Failed:
        """Or why it cannot be had; the user may merge it nevertheless."""
        try:
            return await self.mailbox.insist(self.agent, ShowChanges(name=one.name), Patch)
        except Failed as failure:
            return failure

    def _merged(self, one: SubagentIs, merged: WorktreeMerged) -> None:
        """What is merged has a row that says so."""
        if merged.conflicts:
            name = harmless.one_line(one.name)
            why = "\n".join(
                f"{harmless.one_line(each.path)}  {harmless.one_line(each.why)}" for each in merged.conflicts
            )
            self.say(f"nothing of {name} was merged, for there are conflicts:\n{why}", "warning")


def question(one: SubagentIs, patch: Patch | Failed) -> UserAsked:
    """Esc leaves all as it is."""
    if isinstance(patch, Failed):
        count, detail = one.patch_files, f"It cannot be shown: {harmless.one_line(str(patch))}"
    else:
        count, detail = len(patch.files), f"{named(patch.files)}\n\n```diff\n{patch.text.rstrip()}\n```"
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=harmless.one_line(f"Bring {how_many(count, 'changed file')} of {one.name} into the workspace?"),
        detail=detail,
        choices=(
            Choice(id=MERGE, key="m", label="merge all of it; where there is a conflict nothing is changed"),
            Choice(id=NO, key="n", label="no, leave it where it is", refuses=True),
        ),
        default=MERGE,
        escape=NO,
        call=ToolCall(call_id="merge", name="", arguments="{}"),
    )
