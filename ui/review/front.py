"""The front of a review: the change in chunks to a model without tools, what comes back checked, one report."""

import os
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.common.plurals import how_many
from actors.mailbox import Mailbox
from actors.messages.checkpoint import CommitChanges, CommitMade
from actors.messages.model import ResolvedModel
from actors.settings.config import Settings
from ui.common import json_text
from ui.findings import markdown, writing
from ui.findings.fingerprints import deduplicated
from ui.findings.report import Report, counted
from ui.findings.review_comments import review_comments
from ui.headless import stdout
from ui.inquiry import kept_run, shell
from ui.inquiry.closing import Closing
from ui.inquiry.judging import Answers, Judged, transparency
from ui.inquiry.opening import Opening
from ui.inquiry.progress import Progress
from ui.inquiry.question import Asked
from ui.inquiry.room import most_tokens
from ui.review import placing, prompts
from ui.review import task as tasks
from ui.review.chunks import MOST, Chunk, chunks, render, size_of
from ui.review.task import STDOUT, Found, ReviewFront

UNCOMMITTED = "What was not committed when it was reviewed\n"


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """As the ui actor."""
    front = msgspec.msgpack.decode(settings.front, type=ReviewFront)
    await shell.run(mailbox, settings, front.kept, lambda shown: Review(mailbox, settings, front, shown).drive())


class Review:
    def __init__(self, mailbox: Mailbox, settings: Settings, front: ReviewFront, progress: Progress) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._front = front
        self._progress = progress

    async def drive(self) -> int:
        """From the change to the report. Raises Failed, Usage, OSError, StdoutGone."""
        front = self._front
        self._target = await trio.to_thread.run_sync(tasks.kept_target, self._settings.home, front.kept)
        opening = Opening(self._mailbox, self._settings, front.kept, self._progress, agreed=front.agreed)
        model = await opening.resolved()
        most = most_tokens(model.facts, prompts.system(), MOST)
        pieces = await trio.to_thread.run_sync(chunks, self._target.changes.files, most)
        inquiry = opening.inquiry(model, front.workers)
        asked = questions(self._target.what, pieces)
        base = await self._base() if front.fixes else ""
        sizes = [sum(map(size_of, piece)) for piece in pieces]
        await opening.agree(model, inquiry, asked, sizes, self._about())
        answers = Answers(asked, [partial(placing.check_all, chunk=piece) for piece in pieces], self._progress)
        await inquiry.ask_all(asked, answers)
        report = self._report(model, answers.judged)
        if front.fixes:
            used = report.transparency
            tokens = used.input_tokens + used.output_tokens
            found = Found(findings=report.findings, base=base, tokens=tokens, usd=used.cost_usd)
            tasks.keep(tasks.found_path(self._settings.home, front.kept), found)
        return await self._hand_over(report, answers.judged)

    async def _base(self) -> str:
        """The commit that fixes are made on top of. Raises Failed."""
        if self._target.kind != "working tree":
            return self._target.head
        if self._front.base:
            return self._front.base
        wanted = CommitChanges(cwd=self._settings.cwd, message=UNCOMMITTED)
        made = await self._mailbox.insist("checkpoints", wanted, CommitMade)
        for line in made.left_out:
            self._progress.say(f"not seen by those who fix: {line}")
        return made.commit

    def _about(self) -> str:
        changes = self._target.changes
        skipped = f", {how_many(len(changes.skipped), 'file')} left out" if changes.skipped else ""
        lines = how_many(changes.lines, "changed line")
        return f"{self._target.what}: {lines} in {how_many(len(changes.files), 'file')}{skipped}"

    def _report(self, model: ResolvedModel, judged: Sequence[Judged]) -> Report:
        changes = self._target.changes
        return Report(
            made_by="review",
            title=f"Review of {self._target.what}",
            command=self._front.command,
            findings=deduplicated(finding for one in judged for finding in one.findings),
            written_at=time.time(),
            transparency=transparency(
                model.model, judged, len(changes.files), counted(one.reason for one in changes.skipped)
            ),
        )

    async def _hand_over(self, report: Report, judged: Sequence[Judged]) -> int:
        """The report to where it goes. Raises Usage, OSError, StdoutGone."""
        front = self._front
        await self._write(report)
        where = "" if front.out == STDOUT else front.out
        closing = Closing(self._settings.home, front.kept, self._progress, front.fail_on)
        code = closing.code(report, judged, where)
        if front.fixes:
            kept_run.keep(self._settings.home, front.kept)  # it has ended when its fixes have
        return code

    async def _write(self, report: Report) -> None:
        """Raises Usage, OSError, StdoutGone."""
        front = self._front
        if front.form == "github":
            hunks = placing.commentable(self._target.changes.files)
            text = json_text.pretty(review_comments(report, hunks, self._target.head))
        elif front.out != STDOUT:
            root = Path(self._settings.cwd)
            await trio.to_thread.run_sync(writing.write, report, front.form, Path(front.out), root)
            return
        else:
            text = writing.rendered(report, front.form)
        if front.form == "markdown" and os.isatty(stdout.STDOUT):
            text = without_marks(text)
        await stdout.write(text)


def questions(what: str, pieces: Sequence[Chunk]) -> tuple[Asked, ...]:
    """One for each chunk, in their order."""
    system, count = prompts.system(), len(pieces)

    def asked(number: int, piece: Chunk) -> Asked:
        def prompt() -> str:
            return prompts.question(what, f"{number} of {count}", render(piece))

        return Asked(id=f"chunk {number} of {count}", system=system, prompt=prompt)

    return tuple(asked(number, piece) for number, piece in enumerate(pieces, start=1))


def without_marks(text: str) -> str:
    """Of a report as Markdown: for people the lines that only programs read are left out."""
    body = text.removeprefix(markdown.BEGINS).lstrip("\n")
    return body[: body.rindex(markdown.ENDS)].rstrip("\n") + "\n"
