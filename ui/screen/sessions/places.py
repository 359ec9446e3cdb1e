"""/tree and /fork: to another place of this session, and on from there."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import Entry, UserMessage
from actors.messages.store import Label, ReadSession, ReadTree, TreeNode
from actors.messages.turn import GoTo
from ui.screen.composer.editor import Editor
from ui.screen.questions.choice_list import Ask, choose
from ui.screen.sessions import tree_rows
from ui.screen.sessions.stored import read
from ui.screen.sessions.tree_rows import PROMPT, Row

EMPTY = "nothing has been said in this session yet"
NO_PROMPT = "there is no earlier prompt to go back to"


@dataclass(frozen=True)
class Places:
    mailbox: Mailbox
    agent: str
    session_id: Callable[[], Awaitable[str]]
    editor: Editor
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""
    typed: Callable[[], None]
    """What is in the composer has changed."""

    async def go(self, which: str) -> None:
        """which: a number of the list, or "" to choose in it."""
        try:
            listed = await self._rows()
            if not listed:
                self.say(EMPTY, "warning")
            elif which and not (which.isdecimal() and 0 < int(which) <= len(listed)):
                self.say(f"there is no place {which}: write /tree, or /tree 1 to {len(listed)}", "warning")
            elif (row := listed[int(which) - 1] if which else await self._chosen(listed)) is not None:
                await self._go_to(row)
        except Failed as failure:
            self.say(str(failure), "error")

    async def label(self, text: str) -> None:
        """The place where the session stands."""
        try:
            here = [row for row in await self._rows() if row.here]
            for row in here:
                wanted = Label(session_id=await self.session_id(), entry_id=row.node.entry_id, text=text)
                await self.mailbox.insist("store", wanted, Done)
                self.say(f'this place is now called "{text}"' if text else "this place has no name any more", "info")
            if not here:
                self.say(EMPTY, "warning")
        except Failed as failure:
            self.say(str(failure), "error")

    async def fork(self) -> None:
        """To before a prompt, which comes back into the composer."""
        try:
            prompts = await self.prompts()
            if not prompts:
                self.say(NO_PROMPT, "warning")
                return
            rows = [tree_rows.in_list(row, time.time()) for row in prompts]
            chosen = await choose(self.ask, "Put which prompt differently?", rows, len(prompts) - 1)
            if chosen is not None:
                await self._put_differently(prompts[chosen].node)
        except Failed as failure:
            self.say(str(failure), "error")

    async def prompts(self) -> list[Row]:
        """Of the path that the session is on. Raises Failed."""
        return [row for row in await self._rows() if row.active and row.node.kind == PROMPT]

    def compose(self, text: str) -> None:
        """Into the composer, unless something is being written there."""
        if self.editor.text:
            self.say(f"what you are typing stays; the prompt was: {text}", "info")
        else:
            self.editor.paste(text)
            self.typed()

    async def _rows(self) -> list[Row]:
        return tree_rows.rows(await read(self.mailbox, ReadTree(session_id=await self.session_id()), TreeNode))

    async def _chosen(self, listed: list[Row]) -> Row | None:
        rows = tree_rows.numbered(listed, time.time())
        marked = next((at for at, row in enumerate(listed) if row.here), 0)
        chosen = await choose(self.ask, "Go on after which prompt?", rows, marked)
        return None if chosen is None else listed[chosen]

    async def _go_to(self, row: Row) -> None:
        if row.here:
            self.say("the session stands there already", "info")
        else:
            await self.mailbox.insist(self.agent, GoTo(entry_id=row.end), Done)

    async def _put_differently(self, node: TreeNode) -> None:
        entries = await read(self.mailbox, ReadSession(session_id=await self.session_id()), Entry)
        said = next((entry.body for entry in entries if entry.id == node.entry_id), None)
        await self.mailbox.insist(self.agent, GoTo(entry_id=node.before), Done)
        if not isinstance(said, UserMessage):
            return
        self.compose(said.text)
        if said.attachments:
            names = ", ".join(attachment.name for attachment in said.attachments)
            self.say(f"attach them again if they are to go with it: {names}", "info")
