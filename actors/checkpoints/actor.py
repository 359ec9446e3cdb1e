"""Checkpoints: the files of a workspace are recorded, compared and brought back; one thing at a time in each."""

import os
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
import trio

from actors.checkpoints import retention
from actors.checkpoints.workspace import FOLDER, Workspace
from actors.checkpoints.worktrees.requests import OfOne, Requests, Wanted
from actors.errors import Failed, UnexpectedMessage, failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Message
from actors.messages.checkpoint import (
    BundleCheckpoints,
    DiffCheckpoint,
    ListCheckpoints,
    RestoreCheckpoint,
    TakeCheckpoint,
    TakeInCheckpoints,
)
from actors.settings.config import Settings

BUDGET_S = 20.0
"""So long a turn waits for its checkpoint; what is read by then need not be read again for the next."""
TOO_LONG = f"to record the files took longer than {BUDGET_S:.0f} s. The next turn goes on from there."

REFUSED_S = 600.0
"""To find out that a workspace is too large may take a second: not each turn."""
TIDY_EVERY = 50
"""Requests, from the first on."""

Answer = TypeVar("Answer", bound=Message)


async def run(mailbox: Mailbox, settings: Settings) -> None:
    async with trio.open_nursery() as nursery:
        worktrees = Requests(settings, os.getppid())
        actor = Actor(Path(settings.home), nursery, worktrees)
        async with trio.open_nursery() as served:
            swept = False
            async for request in mailbox:
                if not swept and not isinstance(request.message, OfOne):
                    swept = True
                    nursery.start_soon(worktrees.sweep)
                served.start_soon(request.serve, actor.answer)
        nursery.cancel_scope.cancel()


class Actor:
    def __init__(self, home: Path, nursery: trio.Nursery, worktrees: Requests) -> None:
        """nursery: for what goes on although nobody waits for it any more."""
        self._worktrees = worktrees
        self._home = home
        self._nursery = nursery
        self._workspaces: dict[str, Workspace] = {}
        self._refused: dict[str, tuple[float, Failed]] = {}
        """Workspaces of which there are no checkpoints, until when, and why."""
        self._busy: defaultdict[str, trio.Lock] = defaultdict(trio.Lock)
        self._tidying: dict[str, trio.CancelScope] = {}
        self._until_tidied: defaultdict[str, int] = defaultdict(int)
        """Requests."""

    async def answer(self, request: Request) -> None:
        """Raises Failed."""
        match request.message:
            case TakeCheckpoint() as wanted:
                request.reply(await self._take(wanted))
            case ListCheckpoints(cwd=cwd, session_id=session_id):
                request.reply(await self._do(cwd, lambda place: place.records(session_id)))
            case DiffCheckpoint() as compared:
                request.reply(await self._do(compared.cwd, lambda place: place.diff(compared)))
            case RestoreCheckpoint() as restored:
                request.reply(await self._do(restored.cwd, lambda place: place.restore(restored)))
            case BundleCheckpoints() as bundled:
                request.reply(await self._do(bundled.cwd, lambda place: place.bundle(bundled)))
            case TakeInCheckpoints() as incoming:
                request.reply(await self._do(incoming.cwd, lambda place: place.take_in(incoming)))
            case wanted_copy if isinstance(wanted_copy, Wanted):
                request.reply(await self._worktrees.answer(wanted_copy))
            case _:
                raise UnexpectedMessage(request.message)

    async def _take(self, wanted: TakeCheckpoint) -> Message:
        """Within the budget. A state that comes later is none of before the turn."""
        until, refusal = self._refused.get(wanted.cwd, (0.0, None))
        if refusal is not None and trio.current_time() < until:
            raise refusal
        began, is_late = time.monotonic(), trio.Event()

        def take(place: Workspace) -> Message:
            taken = place.take(wanted, is_wanted=lambda: not is_late.is_set())
            return msgspec.structs.replace(taken, ms=round((time.monotonic() - began) * 1000))

        try:
            with trio.move_on_after(BUDGET_S if wanted.moment == "before" else float("inf")):
                return await self._do(wanted.cwd, take)
        except Failed as failure:
            self._refused[wanted.cwd] = (trio.current_time() + REFUSED_S, failure)
            raise
        finally:
            is_late.set()
        raise failed("no_checkpoint", TOO_LONG)

    async def _do(self, cwd: str, act: Callable[[Workspace], Answer]) -> Answer:
        """In a thread that is not left half-way: whoever asked may not wait for it any more. Raises Failed."""
        outcome: list[Answer | Failed] = []
        over = trio.Event()

        async def work() -> None:
            if tidying := self._tidying.get(cwd):
                tidying.cancel()
            async with self._busy[cwd]:
                try:
                    outcome.append(await trio.to_thread.run_sync(partial(self._act, cwd, act)))
                except Failed as failure:
                    outcome.append(failure)
                over.set()
                await self._tidy(cwd)

        self._nursery.start_soon(work)
        await over.wait()
        if isinstance(outcome[0], Failed):
            raise outcome[0]
        return outcome[0]

    def _act(self, cwd: str, act: Callable[[Workspace], Answer]) -> Answer:
        if cwd not in self._workspaces:
            self._workspaces[cwd] = Workspace(self._home, Path(cwd), os.environ)
        return act(self._workspaces[cwd])

    async def _tidy(self, cwd: str) -> None:
        """Now and then, until there is something else to do."""
        self._until_tidied[cwd] -= 1
        if cwd not in self._workspaces or self._until_tidied[cwd] > 0:
            return
        with trio.CancelScope() as self._tidying[cwd]:
            await trio.to_thread.run_sync(retention.drop_unused, self._home / FOLDER, time.time())
            await retention.tidy(self._workspaces[cwd].repository)
            self._until_tidied[cwd] = TIDY_EVERY
        del self._tidying[cwd]
