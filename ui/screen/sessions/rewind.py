"""/rewind: back to before a prompt, in the conversation, the files or both; what would change is shown first."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import CheckpointDiff
from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAsked
from actors.messages.turn import PreviewRewind, Rewind, RewindPreview, Rewound
from ui.common import harmless
from ui.screen.questions.choice_list import Ask, choose
from ui.screen.sessions import tree_rows
from ui.screen.sessions.places import NO_PROMPT, Places

NAMED = 8
"""Files of a kind."""
UNDO = "/rewind undo takes it back"
KINDS = (
    ("get back what they had", "gets back what it had"),
    ("that came to be since are removed", "that came to be since is removed"),
    ("made by no turn of a session stay", "made by no turn of a session stays"),
    ("of these were changed by somebody else since", "of these was changed by somebody else since"),
    ("cannot be brought back", "cannot be brought back"),
    ("were not recorded then and stay as they are", "was not recorded then and stays as it is"),
)
BOTH, CONVERSATION, FILES, ALL, NOTHING = "both", "conversation", "files", "all", "no"


@dataclass(frozen=True)
class Rewinding:
    mailbox: Mailbox
    agent: str
    places: Places
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""

    async def to_a_prompt(self) -> None:
        try:
            prompts = await self.places.prompts()
            if not prompts:
                self.say(NO_PROMPT, "warning")
                return
            rows = [tree_rows.in_list(row, time.time()) for row in prompts]
            chosen = await choose(self.ask, "Go back to before which prompt?", rows, len(prompts) - 1)
            if chosen is not None:
                await self._before(prompts[chosen].node.entry_id)
        except Failed as failure:
            self.say(str(failure), "error")

    async def undo(self) -> None:
        """Of the last one."""
        try:
            done = await self._do(Rewind(entry_id="", rewind_id=uuid.uuid4().hex))
        except Failed as failure:
            self.say(str(failure), "error")
        else:
            self.say(f"the last rewind is taken back; {_changed(done.files)}", "info")

    async def _before(self, entry_id: str) -> None:
        preview = await self.mailbox.insist(self.agent, PreviewRewind(entry_id=entry_id), RewindPreview)
        what = (await self.ask(question(preview))).choice
        if what == NOTHING:
            return
        wanted = Rewind(
            entry_id=entry_id,
            rewind_id=uuid.uuid4().hex,
            files=what != CONVERSATION,
            conversation=what != FILES,
            remove_others=what == ALL,
        )
        done = await self._do(wanted)
        self.say(f"gone back; {_changed(done.files)}; {UNDO}", "info")
        if wanted.conversation:
            self.places.compose(done.prompt)

    async def _do(self, wanted: Rewind) -> Rewound:
        return await self.mailbox.insist(self.agent, wanted, Rewound)


def question(preview: RewindPreview) -> UserAsked:
    """Esc leaves all as it is."""
    words = harmless.one_line(preview.prompt)
    words = words if len(words) <= tree_rows.WORDS else f"{words[: tree_rows.WORDS - 1]}…"
    choices = _choices(preview)
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=f'Take back {how_many(preview.prompts, "prompt")}, from "{words}" on?',
        detail=_detail(preview),
        choices=choices,
        default=choices[0].id,
        escape=NOTHING,
        call=ToolCall(call_id="rewind", name="", arguments="{}"),
    )


def _choices(preview: RewindPreview) -> tuple[Choice, ...]:
    files = preview.files
    choices = [Choice(id=CONVERSATION, key="c", label="the conversation only")]
    if files is not None and not preview.problem and not files.is_empty:
        choices.insert(0, Choice(id=BOTH, key="b", label="the conversation and the files"))
        choices.append(Choice(id=FILES, key="f", label="the files only"))
    if files is not None and not preview.problem and (kept := files.counts[2]):
        label = f"both, and remove {how_many(kept, 'file')} that no turn has made"
        choices.append(Choice(id=ALL, key="a", label=label))
    return (*choices, Choice(id=NOTHING, key="n", label="no, leave all as it is", refuses=True))


def _detail(preview: RewindPreview) -> str:
    """Which files would change, and how."""
    files = preview.files
    if preview.problem:
        return f"The files cannot be brought back: {preview.problem}"
    if files is None:
        return "No file was changed since."
    lists = (files.restored, files.removed, files.kept, files.edited, files.not_restored, files.left_out)
    lines = [
        f"{how_many(count, 'file')} {one if count == 1 else many}: {_named(paths, count)}"
        for (many, one), count, paths in zip(KINDS, files.counts, lists, strict=True)
        if count
    ]
    if files.diff:
        lines += ["", "```diff", files.diff.rstrip("\n"), "```"]
    return "\n".join(lines or ["The files are as they were then."])


def _named(paths: tuple[str, ...], count: int) -> str:
    more = [f"and {count - NAMED} more"] * (count > NAMED)
    return ", ".join([*(harmless.one_line(path) for path in paths[:NAMED]), *more])


def _changed(files: CheckpointDiff) -> str:
    restored, removed, _, _, refused, left_out = files.counts
    said = [f"{how_many(restored, 'file')} brought back, {how_many(removed, 'file')} removed"]
    if files.is_empty:
        said = ["no file was changed"]
    if refused:
        said.append(f"{refused} could not be brought back: {_named(files.not_restored, refused)}")
    if left_out:
        said.append(f"{left_out} had not been recorded: {_named(files.left_out, left_out)}")
    return ", ".join(said)
