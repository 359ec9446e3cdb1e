"""One task from its first preparation to its result in the journal and in the file; also one that goes on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import trio
from msgspec.structs import replace

from actors.common.budget import over
from actors.common.small_files import replace_file
from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, ProblemCode
from actors.messages.batch import TaskRow, TaskState
from actors.messages.budget import Budget, Budgets, ReadBudgets
from actors.messages.conversation import EndReason
from actors.messages.store import CloseSession
from actors.messages.turn import Event, Notice, Prompt
from actors.messages.usage import Usage
from actors.settings.config import Settings
from actors.settings.mcp.configured import elsewhere_notice
from ui.batch.attempt import HELD, Attempt, Ended
from ui.batch.journal import Journal, with_ref
from ui.batch.live.tracker import ASKING
from ui.batch.places import timeout_s
from ui.batch.reports import left_behind
from ui.batch.reports.folder_names import folder_name
from ui.batch.results import Check
from ui.batch.task import BatchFront, Task
from ui.batch.workplace import Workplace
from ui.common.harmless import one_line
from ui.common.json_text import line
from ui.headless.report import Tally, reason_of, result

GO_ON = "Go on with the task."
OF_THIS_PLACE: tuple[ProblemCode, ...] = ("disk_full", "store_locked", "store_damaged")
"""Whichever task they hit, none has failed: all of them go on when that is mended."""
HELD_AGAIN_S = 0.2
HELD_S = 30.0
"""For what is left of an earlier start to let go of the session."""


class OutOfBudget(Exception):
    """All of the batch has no more to spend; text for the user."""


@dataclass(frozen=True)
class Told:
    """How it goes, for who looks on."""

    hear: Callable[[Event], None]
    """What its agent tells of."""
    does: Callable[[str], None]
    """What is done with it where no agent can tell of it, in a few words."""
    say: Callable[[str], None]
    """A line for good."""
    misses: Callable[[str], None]
    """What of it could not be left behind, for people."""


class TaskRun:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        journal: Journal,
        task: Task,
        told: Told,
    ) -> None:
        self._mailbox = mailbox
        self._front = journal.front
        self._journal = journal
        self._task = task
        self._told = told
        self._of_batch = settings
        self._settings, self._place = self._prepared()
        self._goes_on = self._row.prompts > 0
        """An earlier start has said its prompt, and may have ended it."""
        self._tally = Tally()
        self._attempted: Attempt | None = None
        """The one there is, or was last."""
        self._setup: Check | None = None
        self.left = ""
        """Why its worktree is still there."""

    @property
    def _row(self) -> TaskRow:
        return self._journal.rows[self._task.id]

    def _prepared(self) -> tuple[Settings, Workplace]:
        """For its session."""
        settings = _of_task(self._of_batch, self._front, self._task, self._row.session_id)
        return settings, Workplace(self._mailbox, settings, self._task, self._row.session_id, self._front.start_s)

    async def _begin_anew_if_lost(self) -> None:
        """Its session would go on with changes that are no longer there. Raises Failed of the journal."""
        if not self._goes_on:
            return
        try:
            if not await self._place.is_lost():
                return
        except Failed:
            return  # to open it is tried again, and fails with the task
        await self._journal.begin_anew(self._row)
        self._settings, self._place = self._prepared()
        self._goes_on = False
        self._told.say(f"the worktree of {one_line(self._task.id)} is gone, with what was done in it: it begins anew")

    async def run(self) -> None:
        """Raises OutOfBudget; Failed where neither journal nor session can be written, Usage and OSError for a file."""
        await self._begin_anew_if_lost()
        ended, check = await self._ended()
        if ended.code != "" and ended.code in OF_THIS_PLACE:
            await self._close()
            raise failed(ended.code, ended.text)
        if ended.reason == "budget" and not await self._has_spent_its_own():
            await self._close()
            await self._journal.record(replace(self._row, state="pending"))
            raise OutOfBudget(ended.text)
        if self._tally.agents:
            for problem in await left_behind.of_agents(self._mailbox, self._front.reports, self._row):
                self._told.misses(problem)
        await self._close()
        await self._finish(ended, check)

    async def _ended(self) -> tuple[Ended, Check | None]:
        """After as many attempts as it is worth, and its check. Raises Failed."""
        ended = await self._attempt()
        while ended.is_worth_another and self._row.attempts <= self._front.retries:
            await self._close()
            prompts = self._row.prompts + (1 if ended.is_said else 0)
            await self._journal.record(replace(self._row, attempts=self._row.attempts + 1, prompts=prompts))
            ended = await self._attempt()
        if ended.reason != "done" or not self._task.check:
            return ended, None
        try:
            self._told.does(f"checks: {self._task.check}")
            check = await self._place.run(self._task.check)
        except Failed as failure:
            text, code = f"the check could not run: {failure}", failure.problem.code
            return Ended(reason="failed", text=text, code=code), None
        if check.exit_code != 0:
            return Ended(reason="failed", text=f"the check failed: {_how(check)}"), check
        return ended, check

    async def _attempt(self) -> Ended:
        """Raises Failed only where the journal cannot be written."""
        deadline = trio.current_time() + HELD_S
        while (ended := await self._begin_and_follow()).code == HELD and trio.current_time() < deadline:
            await self._close()
            self._told.does("waits until an earlier start lets go of its session")
            await trio.sleep(HELD_AGAIN_S)
        if self._goes_on and (ended.reason in ("interrupted", "budget") or ended.code in OF_THIS_PLACE):
            # that was in the earlier start
            self._goes_on = False
            await self._journal.record(replace(self._row, prompts=self._row.prompts + 1))
            return await self._follow()
        self._goes_on = False
        return ended

    async def _begin_and_follow(self) -> Ended:
        row = self._row
        await self._journal.record(replace(row, state="leased", attempts=max(1, row.attempts)))
        try:
            self._told.does("makes its worktree" if self._place.is_worktree else "starts its agent")
            await self._place.open()
            if row.prompts == 0 and self._task.setup:
                self._told.does(f"sets up: {self._task.setup}")
                self._setup = await self._place.run(self._task.setup)
                if self._setup.exit_code != 0:
                    return Ended(reason="failed", text=f"the setup failed: {_how(self._setup)}")
        except Failed as failure:
            code = failure.problem.code
            reason = "timeout" if code == "stalled" else reason_of(failure)
            return Ended(reason=reason, text=str(failure), code=code, is_said=False)
        begun = replace(self._row, state="running", prompts=max(1, row.prompts), base=self._place.base)
        await self._journal.record(begun)
        return await self._follow()

    async def _follow(self) -> Ended:
        self._told.does(ASKING)
        number = self._row.prompts
        prompt_id = f"{self._row.session_id}/prompt{f'/{number}' if number > 1 else ''}"
        prompt = Prompt(prompt_id=prompt_id, text=self._task.prompt if number == 1 else GO_ON)
        files = self._front.files.get(self._task.id, ()) if number == 1 else ()
        attempt = Attempt(self._mailbox, self._place, prompt, files, self._hear)
        self._tally, self._attempted = attempt.tally, attempt
        return await attempt.follow(self._front.stall_s, timeout_s(self._task, self._front))

    def _hear(self, event: Event) -> None:
        if isinstance(event, Notice) and self._attempted is not None and not self._attempted.is_said:
            self._told.say(f"{one_line(self._task.id)}: {event.text}")  # of what its prompt names
        self._told.hear(event)

    async def _has_spent_its_own(self) -> bool:
        """Its own budget, which ends the task alone; of the batch's all have to pause."""
        own = _own_budget(self._task, self._row.session_id)
        if not own or own == self._settings.budgets:
            return bool(own)
        stand = (await self._mailbox.insist("store", ReadBudgets(budgets=own), Budgets)).budgets
        return any(over(one) is not None for one in stand)

    async def _close(self) -> None:
        try:
            await self._place.close()
            # else the store holds as many open files as there are tasks; it also gives back what a request had reserved
            await self._mailbox.insist("store", CloseSession(session_id=self._row.session_id), Done)
        except Failed:
            return  # the program ends, and all with it

    async def _finish(self, ended: Ended, check: Check | None) -> None:
        """The result is in the journal first; then the worktree goes, and then the file is told."""
        patch = ""
        if self._place.is_worktree:
            self._told.does("takes its patch")
        try:
            patch = self._kept_patch(await self._place.patch())
        except Failed as failure:
            if failure.problem.code in OF_THIS_PLACE:
                raise
            if ended.reason == "done":
                ended = Ended(reason="failed", text=f"its patch could not be taken: {failure}")
        told = self._line(ended, check, patch)
        state: TaskState = "done" if ended.reason == "done" else "failed"
        await self._journal.record(replace(self._row, state=state, result=line(told).strip()))
        if self._place.is_worktree and (kept := await self._removed()) is not None:
            await self._journal.record(with_ref(self._row, kept))
        self._journal.publish(self._row)

    def _kept_patch(self, text: str) -> str:
        """Raises OSError."""
        if not self._front.patch_folder or not text:
            return text
        path = Path(self._front.patch_folder, f"{folder_name(self._task.id)}.patch")
        replace_file(path, text.encode(errors="surrogateescape"))  # not through a link that a task has made there
        return str(path)

    def _line(self, ended: Ended, check: Check | None, patch: str) -> dict[str, object]:
        tally, row = self._tally, self._row
        reason: EndReason = ended.reason
        told = {"id": row.id, **result(tally, reason, ended.text), "session": row.session_id}
        if row.prompts > 1:  # what was used before it went on belongs to it
            told["usage"] = _reported(tally.session_usage)
        return {
            **told,
            "attempts": row.attempts,
            "base": row.base,
            "patch": patch,
            "setup": msgspec.to_builtins(self._setup),
            "check": msgspec.to_builtins(check),
            "tags": self._task.tags,
            **({"notices": self._notices} if self._notices else {}),
        }

    @property
    def _notices(self) -> list[str]:
        notice = elsewhere_notice(Path(self._of_batch.cwd), Path(self._task.cwd))
        return [one_line(notice)] if notice else []

    async def _removed(self) -> str | None:
        """The ref that keeps what was in it; None where it is still there, which is said and tried again later."""
        try:
            return await self._place.remove()
        except Failed as failure:
            self.left = str(failure)
            return None


def _of_task(settings: Settings, front: BatchFront, task: Task, session_id: str) -> Settings:
    """Of its agent and its worker."""
    return replace(
        settings,
        session_id=session_id,
        model=task.model or settings.model,
        effort=task.effort or settings.effort,
        max_turns=task.max_turns or front.max_turns,
        budgets=(*settings.budgets, *_own_budget(task, session_id)),
        front=msgspec.Raw(b"\xc0"),
    )


def _own_budget(task: Task, session_id: str) -> tuple[Budget, ...]:
    if task.max_cost is None and task.max_tokens is None:
        return ()
    return (Budget(session_id=session_id, usd=task.max_cost, tokens=task.max_tokens, what=f'the task "{task.id}"'),)


def _how(check: Check) -> str:
    if check.exit_code is None:
        return f"`{check.command}` took too long."
    last = check.output.strip().rpartition("\n")[2]
    return f"`{check.command}` ended with {check.exit_code}{f': {last}' if last else ''}"


def _reported(usage: Usage) -> object:
    return msgspec.to_builtins(usage) if usage.is_reported else None
