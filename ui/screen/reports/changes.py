"""/diff: what is not committed in the workspace, read by git in the sandbox where the agent's commands run.

/diff session: what was changed since the session's first prompt, committed or not, by the files recorded before it.
"""

from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import CheckpointDiff
from actors.messages.store import ReadTree, TreeNode
from actors.messages.tool import HookRan, RunCommand
from actors.messages.turn import PreviewRewind, RewindPreview
from ui.common import harmless
from ui.screen.sessions import tree_rows
from ui.screen.sessions.stored import read as read_stored
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.diff import whole_rows

DIFF = "git --no-pager diff --no-color --no-ext-diff --no-textconv HEAD"
UNTRACKED = "git ls-files --others --exclude-standard"
UNCHANGED = "no file was changed in this session"
WITHIN_S = 30.0
MOST_ROWS = 300
MOST_NAMED = 50
PLUMBING = ("diff --git ", "index ")
"""Lines of git before those that name the file."""


@dataclass(frozen=True)
class Changes:
    diff: str
    untracked: tuple[str, ...] = ()
    nothing: str = "everything is committed"
    rest: str = ": !git diff HEAD"
    """Where what is cut off here can be seen."""

    def rows(self, width: int, theme: Theme) -> list[str]:
        lines = [line for line in harmless.sanitise(self.diff).split("\n") if line and not line.startswith(PLUMBING)]
        shown = [theme.row(row) for row in whole_rows("\n".join(lines[:MOST_ROWS]), width, "")] if lines else []
        if len(lines) > MOST_ROWS:
            shown.append(theme.paint("warning", f"… {how_many(len(lines) - MOST_ROWS, 'more line')}{self.rest}"))
        new = [theme.paint("added", cells.clip(f"? {name}", width)) for name in self.untracked[:MOST_NAMED]]
        if len(self.untracked) > MOST_NAMED:
            new.append(theme.paint("dim", f"… {how_many(len(self.untracked) - MOST_NAMED, 'more file')} not tracked"))
        nothing = [theme.paint("dim", f"· {self.nothing}")]
        return ["", *(shown + new or nothing)]


async def read(mailbox: Mailbox, agent: str, session_id: str) -> Changes:
    """Raises Failed."""
    diff = await _run(mailbox, agent, session_id, DIFF)
    untracked = await _run(mailbox, agent, session_id, UNTRACKED)
    return Changes(diff, tuple(harmless.one_line(name) for name in untracked.splitlines()))


async def of_session(mailbox: Mailbox, agent: str, session_id: str) -> Changes:
    """Raises Failed."""
    rows = tree_rows.rows(await read_stored(mailbox, ReadTree(session_id=session_id), TreeNode))
    prompts = [row.node.entry_id for row in rows if row.active and row.node.kind == tree_rows.PROMPT]
    if not prompts:
        return Changes("", (), UNCHANGED)
    wanted = PreviewRewind(entry_id=prompts[0], since=True)
    preview = await mailbox.insist(agent, wanted, RewindPreview)
    if preview.problem:
        raise failed("no_checkpoint", f"the files were not recorded then: {preview.problem}", "/diff asks git instead.")
    files = preview.files or CheckpointDiff()
    unified = files.diff[max(files.diff.find(PLUMBING[0]), 0) :]  # without how much it is of each file
    return Changes(unified, tuple(harmless.one_line(name) for name in files.kept), UNCHANGED, rest="")


async def _run(mailbox: Mailbox, agent: str, session_id: str, command: str) -> str:
    """Raises Failed."""
    wanted = RunCommand(agent=agent, session_id=session_id, command=command, timeout_s=WITHIN_S)
    ran = await mailbox.insist("gate", wanted, HookRan)
    if ran.exit_code is None:
        raise failed("bad_request", f"git took more than {WITHIN_S:g} s.", f"Look by yourself: !{command}")
    if ran.exit_code:
        raise failed("bad_request", f"git says: {harmless.one_line(ran.errors) or f'exit {ran.exit_code}'}")
    return ran.output
