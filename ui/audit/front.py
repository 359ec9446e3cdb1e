"""The front of an audit: what is asked, how much it is, the answers, the report, the exit code."""

import time
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.usage import NOTHING_USED, Usage
from actors.settings.config import Settings
from ui.audit import prompts, reduction
from ui.audit.answers import checked
from ui.audit.plan import MOST, Plan, Wanted, made, questions, reports_of, sizes
from ui.audit.task import DEFAULT_OUT, STDOUT, AuditFront
from ui.findings import baseline, writing
from ui.findings.finding import Finding
from ui.findings.fingerprints import deduplicated
from ui.findings.report import Report, folder_in_repository
from ui.headless.stdout import write
from ui.inquiry import shell
from ui.inquiry.closed_files import closed
from ui.inquiry.closing import Closing
from ui.inquiry.inquiry import ITS_OWN, Inquiry
from ui.inquiry.judging import Answers, Judged, transparency
from ui.inquiry.opening import Opening
from ui.inquiry.progress import Progress
from ui.inquiry.question import Asked
from ui.inquiry.room import most_tokens


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """As the ui actor."""
    front = msgspec.msgpack.decode(settings.front, type=AuditFront)
    await shell.run(mailbox, settings, front.kept, lambda shown: Audit(mailbox, settings, front, shown).drive())


class Audit:
    def __init__(self, mailbox: Mailbox, settings: Settings, front: AuditFront, progress: Progress) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._front = front
        self._progress = progress
        self._root = Path(settings.cwd)

    async def drive(self) -> int:
        """From the model to the report. Raises Failed, Usage, OSError, StdoutGone."""
        front, known = self._front, frozenset[str]()
        if front.baseline:
            known = await trio.to_thread.run_sync(baseline.read_baseline, Path(front.baseline), abandon_on_cancel=True)
        self._known = known
        opening = Opening(self._mailbox, self._settings, front.kept, self._progress, agreed=front.agreed)
        self._model = await opening.resolved()
        budget = most_tokens(self._model.facts, prompts.for_chunks(front.focus), MOST)
        self._progress.say(f"reading the files of {self._root}")
        plan = await self._planned(budget)
        inquiry = opening.inquiry(self._model, front.workers)
        asked = questions(plan, prompts.for_chunks(front.focus))
        await opening.agree(self._model, inquiry, asked, sizes(plan), how_many(plan.files, "file"))
        answers = Answers(asked, [partial(checked, plan.root, chunk) for chunk in plan.chunks], self._progress)
        await inquiry.ask_all(asked, answers)
        report = await self._report(inquiry, plan, answers.judged, budget)
        return await self._hand_over(report, answers.judged)

    async def _planned(self, budget: int) -> Plan:
        """What is told of the whole stays as it was at the start of the run: one changed file would change them all.

        Raises Failed, Usage.
        """
        key = f"audit overview/{self._front.kept.run_id}/{budget}"
        told = (await self._mailbox.insist("store", Recall(key=key), Recalled)).value
        plan = await trio.to_thread.run_sync(self._plan, budget, told or "", abandon_on_cancel=True)
        if told is None:
            await self._mailbox.insist("store", Remember(key=key, value=plan.overview), Done)
        return plan

    def _plan(self, budget: int, told: str) -> Plan:
        front = self._front
        wanted = Wanted(
            root=self._root,
            keep_out=reports_of(self._root, front.out, front.baseline, DEFAULT_OUT),
            closed=closed(self._settings.rules),
            base=front.base,
            max_chunks=front.max_chunks,
            overview=told,
        )
        return made(wanted, budget)

    async def _report(self, inquiry: Inquiry, plan: Plan, judged: list[Judged], budget: int) -> Report:
        """Raises Failed."""
        all_found = deduplicated(finding for one in judged for finding in one.findings)
        found = tuple(one for one in all_found if one.fingerprint not in self._known)
        said, last = await self._reduced(inquiry, found, len(plan.chunks), budget)
        kept, gone = reduction.merged(found, said.same)
        known = tuple(one.fingerprint for one in all_found if one.fingerprint in self._known)
        return Report(
            made_by="audit",
            title="Security audit",
            command=self._front.command,
            findings=kept,
            summary=said.summary,
            folder=folder_in_repository(self._root),
            left_out=(*known, *gone),
            written_at=time.time(),
            transparency=transparency(
                self._model.model,
                judged,
                plan.files,
                tuple(plan.collection.skipped_by_reason.items()),
                known=len(known),
                besides=last,
            ),
        )

    async def _reduced(
        self, inquiry: Inquiry, found: tuple[Finding, ...], chunks: int, budget: int
    ) -> tuple[reduction.Said, Usage]:
        """And what that has used. One question has nothing to be put together. Raises Failed."""
        if chunks < 2 or len(found) < 2:
            return reduction.Said(), NOTHING_USED
        self._progress.say("putting the findings together")
        prompt = partial(reduction.question, found, budget)
        asked = Asked(id="summary", system=prompts.for_all(self._front.focus), prompt=prompt)
        try:
            heard = await inquiry.answer(asked, partial(self._progress.waits, asked.id))
        except Failed as failure:
            if failure.problem.code not in ITS_OWN:
                raise
            self._progress.say(f"without a summary: {failure.problem.text}")
            return reduction.Said(), NOTHING_USED
        return reduction.said(heard.text), heard.usage

    async def _hand_over(self, report: Report, judged: list[Judged]) -> int:
        """The report to where it goes. Raises Usage, OSError, StdoutGone."""
        front = self._front
        if front.out == STDOUT:
            await write(writing.rendered(report, front.form))
        else:
            await trio.to_thread.run_sync(writing.write, report, front.form, Path(front.out), self._root)
        where = "" if front.out == STDOUT else front.out
        closing = Closing(self._settings.home, front.kept, self._progress, front.fail_on)
        return closing.code(report, judged, where)
