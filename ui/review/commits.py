"""The front that makes commits of fixes: one a finding, on a branch of their own, where its check passes."""

import re
import shlex
from pathlib import Path

import msgspec
from msgspec.structs import replace

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.checkpoint import CommitMade, CommitWork, MakeBranch
from actors.settings.config import Settings
from ui.batch.results import Result
from ui.batch.results_file import lines
from ui.batch.task import Task
from ui.batch.task_run import OF_THIS_PLACE
from ui.batch.workplace import Workplace
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import exposed, exposed_line, one_line
from ui.findings.finding import Finding
from ui.findings.markdown import place
from ui.headless import one_answer
from ui.headless.stdout import say
from ui.review.task import Fix, FixFront
from ui.start.fronts import START_S

LONGEST_SUBJECT = 72
CALLING = re.compile(r"([#@])(?=\w)")
NAMES = 100
"""So many branches of one name are tried: NAME, NAME-2, NAME-3."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """As the ui actor."""
    front = msgspec.msgpack.decode(settings.front, type=FixFront)
    await one_answer.run(mailbox, Commits(mailbox, settings, front).make)


class Commits:
    def __init__(self, mailbox: Mailbox, settings: Settings, front: FixFront) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._front = front
        self._results = {result.id: result for _, result in lines(Path(front.results))}
        self._tip = front.base

    async def make(self) -> int:
        """Returns the exit code. Raises Failed."""
        left: list[str] = []
        fixed = 0
        for fix in self._front.fixes:
            why = await self._fix(fix)
            title = exposed_line(fix.finding.title)
            if why:
                left.append(f"not fixed: {title}: {why}")
            else:
                fixed += 1
                say(f"fixed: {title}: {self._tip[:12]}")
        for line in left:
            say(line)
        if fixed:
            self._tell(await self._branch(), fixed)
        return FAILED if left else DONE

    async def _fix(self, fix: Fix) -> str:
        """Why there is no commit; "" where there is, and the next goes on top of it. Raises Failed."""
        result = self._results.get(fix.task_id)
        if result is None:
            return "its agent has not ended; trouper review --resume goes on"
        if result.reason != "done":
            return f"{one_line(result.error or result.reason)}{_kept(result)}"
        if not result.kept:
            return f"nothing was changed: {one_line(result.answer) or 'without a word'}"
        wanted = CommitWork(key=result.session, cwd=self._front.cwd, onto=self._tip, message=message(fix.finding))
        made = await self._mailbox.insist("checkpoints", wanted, CommitMade)
        if made.conflicts:
            each = made.conflicts[0]
            return f"it does not go together with the fixes before: {each.path}: {each.why}{_kept(result)}"
        if made.commit == self._tip:
            return "the fixes before have done the same"
        if self._front.check and not made.as_kept and (why := await self._problem(fix, made.commit)):
            return f"together with the fixes before {why}{_kept(result)}"
        self._tip = made.commit
        return ""

    async def _problem(self, fix: Fix, commit: str) -> str:
        """What the check says of a commit that no agent has worked in; "" for nothing. Raises Failed of this place."""
        task = Task(id=f"check-{fix.task_id}", prompt="", cwd=self._front.cwd, commit=commit, isolation="worktree")
        session_id = f"{self._settings.run_id}.{task.id}"
        settings = replace(self._settings, session_id=session_id, front=msgspec.Raw(b"\xc0"))
        workplace = Workplace(self._mailbox, settings, task, session_id, START_S)
        say(f"checks it together with the fixes before: {exposed_line(fix.finding.title)}")
        try:
            await workplace.open()
            check = await workplace.run(self._front.check)
            await workplace.close()
            await workplace.remove()
        except Failed as failure:
            if failure.problem.code in OF_THIS_PLACE:
                raise
            return f"it could not be checked: {failure}"
        if check.exit_code == 0:
            return ""
        last = one_line(check.output.strip().rpartition("\n")[2])
        return f"the check fails{f': {last}' if last else ''}"

    async def _branch(self) -> str:
        """Its name: none that is there already is moved. Raises Failed."""
        names = [self._front.branch, *(f"{self._front.branch}-{number}" for number in range(2, NAMES))]
        for name in names[:-1]:
            try:
                return await self._made(name)
            except Failed as failure:
                if "already" not in failure.problem.text:
                    raise
        return await self._made(names[-1])

    async def _made(self, name: str) -> str:
        """Raises Failed."""
        await self._mailbox.insist("checkpoints", MakeBranch(cwd=self._front.cwd, name=name, commit=self._tip), Done)
        return name

    def _tell(self, branch: str, fixed: int) -> None:
        base, top = self._front.base[:12], self._front.cwd
        git = "git" if top == self._settings.cwd else f"git -C {shlex.quote(top)}"  # git apply passes by what is above
        say(f"{how_many(fixed, 'commit')} on the branch {branch}: git log -p {base}..{branch}")
        if self._front.is_committed:
            say(f"to take them all: git cherry-pick {base}..{branch}")
        else:
            say(f"to take them all into your files: {git} diff {base} {branch} | {git} apply")


def message(finding: Finding) -> str:
    """Of its commit. The last part is ours: no trailer can be made by what was found."""
    subject = _inert(exposed_line(finding.title))
    if len(subject) > LONGEST_SUBJECT:
        subject = f"{subject[: LONGEST_SUBJECT - 1]}…"
    found = f"Found by a review ({finding.severity}, {finding.kind}), fixed by Trouper."
    where = f"At {exposed_line(place(finding))}. " if finding.placed else ""
    parts = (subject, _inert(exposed(finding.why)), f"{where}{found}", f"Review-Finding: {finding.fingerprint}\n")
    return "\n\n".join(filter(None, parts))


def _inert(text: str) -> str:
    """Where commits are pushed to, words with these signs close issues, and call people."""
    return CALLING.sub(r"\1 ", text)


def _kept(result: Result) -> str:
    return f" (what its agent did: git log -p {result.kept})" if result.kept else ""
