"""/diff: what is not committed in the workspace, read by git in the sandbox where the agent's commands run."""

from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.tool import HookRan, RunCommand
from ui.common import harmless
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.diff import whole_rows

DIFF = "git --no-pager diff --no-color --no-ext-diff --no-textconv HEAD"
UNTRACKED = "git ls-files --others --exclude-standard"
WITHIN_S = 30.0
MOST_ROWS = 300
MOST_NAMED = 50
PLUMBING = ("diff --git ", "index ")
"""Lines of git before those that name the file."""


@dataclass(frozen=True)
class Changes:
    diff: str
    untracked: tuple[str, ...] = ()

    def rows(self, width: int, theme: Theme) -> list[str]:
        lines = [line for line in harmless.sanitise(self.diff).split("\n") if line and not line.startswith(PLUMBING)]
        shown = [theme.row(row) for row in whole_rows("\n".join(lines[:MOST_ROWS]), width, "")] if lines else []
        if len(lines) > MOST_ROWS:
            shown.append(theme.paint("warning", f"… {how_many(len(lines) - MOST_ROWS, 'more line')}: !git diff HEAD"))
        new = [theme.paint("added", cells.clip(f"? {name}", width)) for name in self.untracked[:MOST_NAMED]]
        if len(self.untracked) > MOST_NAMED:
            new.append(theme.paint("dim", f"… {how_many(len(self.untracked) - MOST_NAMED, 'more file')} not tracked"))
        nothing = [theme.paint("dim", "· everything is committed")]
        return ["", *(shown + new or nothing)]


async def read(mailbox: Mailbox, agent: str, session_id: str) -> Changes:
    """Raises Failed."""
    diff = await _run(mailbox, agent, session_id, DIFF)
    untracked = await _run(mailbox, agent, session_id, UNTRACKED)
    return Changes(diff, tuple(harmless.one_line(name) for name in untracked.splitlines()))


async def _run(mailbox: Mailbox, agent: str, session_id: str, command: str) -> str:
    """Raises Failed."""
    wanted = RunCommand(agent=agent, session_id=session_id, command=command, timeout_s=WITHIN_S)
    ran = await mailbox.insist("gate", wanted, HookRan)
    if ran.exit_code is None:
        raise failed("bad_request", f"git took more than {WITHIN_S:g} s.", f"Look by yourself: !{command}")
    if ran.exit_code:
        raise failed("bad_request", f"git says: {harmless.one_line(ran.errors) or f'exit {ran.exit_code}'}")
    return ran.output
