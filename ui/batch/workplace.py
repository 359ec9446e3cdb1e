"""The folder that one task works in, with its agent and its worker: made, used for commands, and taken down."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import trio

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.checkpoint import (
    ListWorktrees,
    MakeWorktree,
    Patch,
    PatchOf,
    RemoveWorktree,
    WorktreeMade,
    WorktreeRemoved,
    Worktrees,
)
from actors.messages.system import StartActor, StopActor
from actors.messages.tool import FURTHER_WORKERS, HookRan, ModeIs, RunCommand, SetMode
from actors.settings.config import Settings
from ui.batch.results import Check
from ui.batch.task import Task

COMMAND_S = 1800.0
"""For a setup or a check."""
MOST_OUTPUT = 4000
"""Characters of the end of what a command said."""


class Workplace:
    def __init__(self, mailbox: Mailbox, settings: Settings, task: Task, session_id: str, patience_s: float) -> None:
        """settings: of the task's agent, but for the folder. patience_s: for each step of ours; 0: any time."""
        self._patience_s = patience_s or math.inf
        self._mailbox = mailbox
        self._settings = settings
        self._task = task
        self.session_id = session_id
        name = task.id.encode().hex()  # any id makes a name
        self.agent, self._worker = f"agent:{name}", f"tools:{name}"
        self.cwd = task.cwd
        """Where its agent works, once it is open."""
        self.base = ""
        """Whole id of the commit, of a worktree."""

    @property
    def settings(self) -> Settings:
        """Of its agent."""
        return msgspec.structs.replace(self._settings, cwd=self.cwd)

    @property
    def is_worktree(self) -> bool:
        return self._task.isolation == "worktree"

    async def open(self) -> None:
        """Raises Failed. Asked twice it is the same place."""
        if self.is_worktree:
            with self._bounded("checkpoints had not made its worktree"):
                made = await self._mailbox.insist("checkpoints", self._worktree(), WorktreeMade)
            self.cwd, self.base = made.cwd, made.base
        with self._bounded("its agent and its worker had not been started"):
            await self._start()

    async def _start(self) -> None:
        """Raises Failed."""
        settings = msgspec.structs.replace(self._settings, cwd=self.cwd, servers_cwd=self._settings.cwd)
        order = msgspec.Raw(msgspec.msgpack.encode(settings))
        await self._mailbox.insist("supervisor", StartActor(name=self._worker, settings=order), Done)
        if self._task.mode is not None:
            mode = SetMode(agent=self.agent, mode=self._task.mode, session_id=self.session_id)
            await self._mailbox.insist("gate", mode, ModeIs)
        await self._mailbox.insist("supervisor", StartActor(name=self.agent, settings=order), Done)

    def _worktree(self) -> MakeWorktree:
        return MakeWorktree(key=self.session_id, cwd=self._task.cwd, base=self._task.commit)

    async def is_lost(self) -> bool:
        """Somebody has deleted it since, with what was done in it. Raises Failed."""
        if not self.is_worktree or self.session_id in await listed(self._mailbox):
            return False
        with self._bounded("checkpoints had not made its worktree"):  # with what is kept, where it was removed in order
            await self._mailbox.insist("checkpoints", self._worktree(), WorktreeMade)
        return not await self.patch()

    async def run(self, command: str) -> Check:
        """A command of the user's, where the task's own run. It may be run again when somebody dies. Raises Failed."""
        order = RunCommand(agent=self.agent, session_id=self.session_id, command=command, timeout_s=COMMAND_S)
        ran = await self._mailbox.insist("gate", order, HookRan)
        said = "\n".join(filter(None, (ran.output.rstrip(), ran.errors.rstrip())))
        return Check(command=command, exit_code=ran.exit_code, output=said[-MOST_OUTPUT:])

    async def close(self) -> None:
        """Nobody works in it any more. Raises Failed."""
        for name in (self.agent, self._worker, *(f"{self._worker}{further}" for further in FURTHER_WORKERS)):
            await self._mailbox.ask("supervisor", StopActor(name=name), Done)

    async def patch(self) -> str:
        """What was changed in it; "" without a worktree. Raises Failed."""
        if not self.is_worktree:
            return ""
        with self._bounded("checkpoints had not told what it has changed"):
            return (await self._mailbox.insist("checkpoints", PatchOf(key=self.session_id), Patch)).text

    async def remove(self) -> str:
        """The ref that keeps what was done in it, or "". Raises Failed: then it is still there."""
        if not self.is_worktree:
            return ""
        with self._bounded("checkpoints had not removed its worktree"):
            return await remove(self._mailbox, self.session_id, self._task.cwd)

    @contextmanager
    def _bounded(self, what: str) -> Iterator[None]:
        """what: is said when it takes too long. Raises Failed."""
        try:
            with trio.fail_after(self._patience_s):
                yield
        except trio.TooSlowError:
            text = f"{what} after {self._patience_s:g} s (--start-timeout); it may wait for the disk."
            raise failed("stalled", text) from None


async def listed(mailbox: Mailbox) -> tuple[str, ...]:
    """Keys of all worktrees that there are. Raises Failed."""
    return tuple(one.key for one in (await mailbox.insist("checkpoints", ListWorktrees(), Worktrees)).worktrees)


async def remove(mailbox: Mailbox, key: str, cwd: str) -> str:
    """The ref that keeps what was in it, or "". Raises Failed: then it is still there.

    cwd: the folder it was made of, for one whose removal was cut short; "" where there still is a worktree.
    """
    return (await mailbox.insist("checkpoints", RemoveWorktree(key=key, cwd=cwd), WorktreeRemoved)).ref
