"""`!cmd`: a command that the user has typed runs beside the turns, and its output waits for the next prompt.

That it was begun is on disk before anything runs, and how it ended after: whoever dies, none of them runs twice. It
goes through the gate like a call of the model's, which is told that the user has typed it.
"""

from collections.abc import Awaitable
from typing import Protocol

import msgspec
import trio

from actors.agent.calls.tool_call import ToolCalls, Ways
from actors.agent.calls.typed_commands import SHELL, not_ours
from actors.agent.hook_moments import Hooks
from actors.agent.session.history import OUTCOME_UNKNOWN, History
from actors.agent.session.watchers import Watchers
from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.conversation import Body, ShellEnded, ShellStarted, ToolCall
from actors.messages.tool import Authorise
from actors.messages.turn import RunShell

AT_ONCE = 4
PATIENCE_S = 600
"""The most that the tool takes; a command that takes longer goes on as a background job."""
NOT_RUN = "this was not run, for its start could not be written down: {why}"
STOPPED = "stopped by the user; it may have had a part of its effect."


class Save(Protocol):
    def __call__(self, *bodies: Body) -> Awaitable[None]: ...


class ShellCommands:
    def __init__(self, mailbox: Mailbox, history: History, watchers: Watchers, hooks: Hooks, save: Save) -> None:
        """save: as of the journal."""
        self._history = history
        self._save = save
        self._calls = ToolCalls(mailbox, watchers, hooks, Ways(self._wanted, _nothing_to_record, not_ours))
        self._begun, self._to_run = trio.open_memory_channel[ShellStarted](AT_ONCE)
        self._running: dict[str, trio.CancelScope] = {}
        self._idle = trio.Event()
        self._idle.set()

    async def begin(self, wanted: RunShell) -> None:
        """It is on disk that it is begun; the same id twice is one command. Raises Failed."""
        if wanted.id in self._history.shell.known:
            await self._save()
            return
        if len(self._running) >= AT_ONCE:
            raise failed("refused", f"{AT_ONCE} commands of yours run already.", "Wait for one, or end them with Esc.")
        started = ShellStarted(id=wanted.id, command=wanted.command, told=wanted.told)
        self._running[wanted.id] = trio.CancelScope()
        self._idle = trio.Event()
        try:
            await self._save(started)
        except trio.Cancelled:  # who asked is dead; that it is begun may be on disk
            self._begun.send_nowait(started)
            raise
        except Failed as failure:
            self._over(started)
            await self._end(_ended(started, NOT_RUN.format(why=failure.problem.text), failed=True))
            raise
        self._begun.send_nowait(started)

    async def cancel(self) -> None:
        """Nothing of them runs any more when this returns, and that is on disk, or waits for it."""
        for scope in self._running.values():
            scope.cancel()
        await self._idle.wait()

    async def run(self) -> None:
        """For as long as the session is open; first it is said of those that an earlier life began."""
        async with trio.open_nursery() as nursery:
            for started in list(self._history.shell.running.values()):
                if started.id not in self._running:
                    nursery.start_soon(self._end, _ended(started, OUTCOME_UNKNOWN, failed=True))
            async for started in self._to_run:
                nursery.start_soon(self._run, started)

    async def _run(self, started: ShellStarted) -> None:
        ended = _ended(started, STOPPED, failed=True)
        begun = trio.current_time()
        try:
            with self._running[started.id]:
                ended = await self._outcome(started)
            ms = ended.ms or round((trio.current_time() - begun) * 1000)
            await self._end(msgspec.structs.replace(ended, ms=ms))
        finally:
            self._over(started)

    async def _outcome(self, started: ShellStarted) -> ShellEnded:
        arguments = {"command": started.command, "timeout_s": PATIENCE_S, "background": True}
        call = ToolCall(call_id=started.id, name=SHELL, arguments=msgspec.json.encode(arguments).decode())
        try:
            result = await self._calls.run(call)
        except Failed as failure:
            return _ended(started, str(failure), failed=True)
        ended = _ended(started, result.output, failed=result.failed)
        return msgspec.structs.replace(ended, denied=result.denied, summary=result.summary, ms=result.ms)

    async def _end(self, ended: ShellEnded) -> None:
        try:
            await self._save(ended)
        except Failed:
            return  # the journal keeps it, and tries again with what is saved next

    def _over(self, started: ShellStarted) -> None:
        self._running.pop(started.id, None)
        if not self._running:
            self._idle.set()

    async def _wanted(self, call: ToolCall) -> Authorise:
        return Authorise(call=call, session_id=self._history.session_id, typed=True)


async def _nothing_to_record(_call: ToolCall) -> None:
    """That it is begun is written down already; what the user does to the files is not for /rewind to take back."""


def _ended(started: ShellStarted, output: str, *, failed: bool) -> ShellEnded:
    return ShellEnded(id=started.id, command=started.command, told=started.told, output=output, failed=failed)
