"""One subagent until it ends: it waits for others and for room, is started, followed, and its end is written down."""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Literal

import msgspec
import trio

from actors.agent.compaction import cut
from actors.agent.session.ledger import Subagent, told
from actors.agent.subagents import following, launch
from actors.agent.subagents.following import Heard
from actors.agent.subagents.ports import Ports
from actors.errors import Failed, failed
from actors.messages.base import Done
from actors.messages.checkpoint import Patch, PatchOf, RemoveWorktree, WorktreeRemoved
from actors.messages.conversation import TurnEnded
from actors.messages.model import Retrying
from actors.messages.subagent import State, SubagentEnded, SubagentIs
from actors.messages.turn import Accepted, CancelTurn, Notice, Prompt
from actors.texts.agents.kinds import NoSuchKind

PATIENCE_S = 5.0
"""For a turn that is cancelled to end; then its process is ended."""
GONE_S = 60.0
"""For its processes to be gone once they are killed: one may stand still in the kernel, at a disk that is away."""
ROOM_S = 5.0
"""Between two looks for room, where nobody of ours has ended."""
MOST_SAID = 12_000
"""Characters of an answer that its parent is told."""
ALL_OF_IT = "\n\n[The whole answer is in its session: trouper -r {session_id}]"
BY_USER = "cancelled by the user."
SAID_NOTHING = "It ended without saying anything."
SAID_BEFORE = "{why}\n\nIt had said by then:\n\n{answer}"
WITH_OTHERS = "{prompt}\n\n---\n\nWhat the agents have found that this waited for:\n\n{found}"
WITHOUT = "Its worktree was without:"
NOT_KNOWN = "{text}\n\nWhat it has changed is not known: {why}"
NOT_IN_PATCH = "In its worktree, but not in what can be merged:"
MOST_LISTED = 10
WAITED_IN_VAIN = 'the agent "{name}", which this one waited for, {how}.'


class _Outcome(msgspec.Struct, frozen=True):
    state: Literal["completed", "failed", "cancelled"]
    text: str


class Life:
    def __init__(
        self, ports: Ports, one: Subagent, changed: Callable[[], None], met: Callable[[str, Retrying | Notice], None]
    ) -> None:
        """changed: called when how it stands is different. met: with its name, and what it has met."""
        self._ports = ports
        self._one = one
        self._changed = changed
        self.heard = Heard(changed, partial(met, one.name))
        self.state: State = "blocked" if one.spawned.depends_on else "pending"
        self.over = trio.Event()
        """Its end is written down, and its processes are gone."""
        self._leg = one.ends
        self._began_at = 0.0
        self._turn_id = ""
        self._without: tuple[str, ...] = ()
        """What its worktree lacks, and why."""
        self._sent = 0
        """Of what was said to it."""
        self._sending = trio.Lock()
        self._cancelled = trio.Event()
        self._why = BY_USER
        self._is_gone = False
        """None of its processes is left."""

    @property
    def session_id(self) -> str:
        return self._one.spawned.session_id

    def stands(self) -> SubagentIs:
        one, heard = self._one, self.heard
        return SubagentIs(
            name=one.name,
            kind=one.spawned.kind,
            session_id=self.session_id,
            agent=launch.agent_of(self.session_id) if self.state == "running" else "",
            state=self.state,
            background=one.background,
            isolation="worktree" if one.spawned.worktree else "none",
            doing=heard.doing,
            used=one.used + heard.used,
            started_at=heard.began_at or self._began_at,
            last_event_at=heard.last_event_at,
        )

    def cancel(self, why: str = BY_USER) -> None:
        """`over` says when that is done."""
        if not self._cancelled.is_set():
            self._why = why
            self._cancelled.set()

    async def run(self) -> None:
        try:
            outcome = await self._outcome()
            ended = await self._ended(outcome)
            with suppress(Failed):  # it counts; the journal tries again
                await self._ports.save(ended)
        finally:
            if not self._is_gone:
                launch.let_stop(self._ports.mailbox, self.session_id)
            self.over.set()
            self._ports.room.happen()
            self._changed()

    async def said(self) -> None:
        """What was said to it since is sent, if it runs by now. Raises Failed."""
        async with self._sending:
            if self.state == "running":
                await self._send()

    async def _outcome(self) -> _Outcome:
        outcomes: list[_Outcome] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._end_when_cancelled, nursery.cancel_scope)
            try:
                outcomes.append(await self._work())
            except Failed as failure:
                outcomes.append(_Outcome("failed", str(failure)))
            nursery.cancel_scope.cancel()
        return outcomes[0] if outcomes else _Outcome("cancelled", self._why)

    async def _end_when_cancelled(self, all_of_it: trio.CancelScope) -> None:
        await self._cancelled.wait()
        if self.state == "running":
            with trio.move_on_after(PATIENCE_S), suppress(Failed):
                async with self._sending:
                    pass  # what was on its way when this came is a turn first, or the cancel would be there before it
                await self._ports.mailbox.insist(launch.agent_of(self.session_id), CancelTurn(text=self._why), Done)
                await trio.sleep_forever()  # whoever follows it hears of its end
        all_of_it.cancel()

    async def _work(self) -> _Outcome:
        """Raises Failed."""
        await self._ports.save()  # that it is wanted is on disk before anything is done for it
        if why := await self._others():
            return _Outcome("failed", why)
        self._stand("pending")
        await self._start()
        self._began_at = time.time()
        self._stand("running")
        async with self._sending:
            await self._send()
        if not self._sent:
            return _Outcome("cancelled", self._why)
        return _of_turn(await self._last_turn(), self.heard.answer, self._why if self._cancelled.is_set() else BY_USER)

    async def _others(self) -> str:
        """Until those it waits for have ended; why it can not begin, "" where it can. Gone on with it waits no more."""
        if self._leg:
            return ""
        while True:
            for name in self._one.spawned.depends_on:
                other = self._ports.ledger.all.get(name)
                if other is None and name not in self._ports.planned():
                    return WAITED_IN_VAIN.format(name=name, how="was never started")
                if other is not None and other.over and other.outcome.state != "completed":
                    return WAITED_IN_VAIN.format(name=name, how=f"has {_how(other.outcome)}")
            if all(name in self._ports.ledger.all for name in self._one.spawned.depends_on) and not (
                self._ports.ledger.waits_for(self._one)
            ):
                return ""
            await self._ports.anything.wait()

    async def _start(self) -> None:
        """Raises Failed."""
        ports, spawned = self._ports, self._one.spawned
        try:
            tools = launch.definition(ports.settings, spawned.kind).tools
        except NoSuchKind as error:
            raise failed("bad_request", str(error)) from error
        made = await launch.worktree(ports.mailbox, ports.settings, self._one)
        self._without = made.left_out if made else ()
        cwd = made.cwd if made else ports.settings.cwd
        while True:
            try:
                return await launch.start(ports.mailbox, ports.settings, spawned, tools, cwd)
            except Failed as failure:
                if failure.problem.code != "no_room":
                    raise
            with trio.move_on_after(ROOM_S):
                await ports.room.wait()

    async def _send(self) -> None:
        """In its order, each once; nothing more once it is cancelled. Raises Failed."""
        while self._sent < len(prompts := self._prompts()) and not self._cancelled.is_set():
            accepted = await self._ports.mailbox.insist(launch.agent_of(self.session_id), prompts[self._sent], Accepted)
            self._turn_id = accepted.turn_id
            self._sent += 1

    def _prompts(self) -> list[Prompt]:
        said = [Prompt(prompt_id=each.prompt_id, text=each.text) for each in self._one.prompts]
        if self._one.begun:
            return said
        return [Prompt(prompt_id=f"{self.session_id}/prompt", text=self._first()), *said]

    def _first(self) -> str:
        spawned, known = self._one.spawned, self._ports.ledger.all
        found = "\n\n---\n\n".join(
            told(known[name].outcome) for name in spawned.depends_on if name in known and known[name].over
        )
        return WITH_OTHERS.format(prompt=spawned.prompt, found=found) if found else spawned.prompt

    async def _last_turn(self) -> TurnEnded:
        """Of all that was said to it. Raises Failed."""
        agent, first = launch.agent_of(self.session_id), self._prompts()[0].prompt_id
        while True:
            ended = await following.to_the_end(self._ports.mailbox, agent, first, self.heard)
            async with self._sending:
                all_is_said = self._sent == len(self._prompts()) or self._cancelled.is_set()
                if ended.turn_id in ("", self._turn_id) and all_is_said:
                    return ended
                await self._send()

    async def _ended(self, outcome: _Outcome) -> SubagentEnded:
        """With what it has changed: nobody is there any more who could change more of it."""
        files: tuple[str, ...] = ()
        text = _capped(outcome.text, self.session_id)
        try:
            await self._stop()
            if self._one.spawned.worktree:
                patch = await self._patch()
                files = patch.files
                text += _listed(WITHOUT, self._without) + _listed(NOT_IN_PATCH, patch.left_out)
        except Failed as failure:
            if self._one.spawned.worktree and self._began_at:  # else there may be none yet
                text = NOT_KNOWN.format(text=text, why=failure)
        return SubagentEnded(
            name=self._one.name,
            state=outcome.state,
            summary=text,
            used=self.heard.used,
            patch_files=files,
            begun=self._one.begun or self._sent > 0,
        )

    async def _stop(self) -> None:
        """Its processes are gone, and then what they had reserved. Raises Failed: they may still be at work."""
        with trio.move_on_after(GONE_S) as patience:
            await launch.stop(self._ports.mailbox, self.session_id)
        if patience.cancelled_caught:
            raise failed("gone", f"its processes have not ended within {GONE_S:.0f} s.")
        self._is_gone = True
        with suppress(Failed):
            await launch.release(self._ports.mailbox, self.session_id)

    async def _patch(self) -> Patch:
        """Where there is nothing in it the worktree goes. Raises Failed."""
        mailbox, key = self._ports.mailbox, self.session_id
        patch = await mailbox.insist("checkpoints", PatchOf(key=key), Patch)
        if not patch.files and not patch.left_out:
            await mailbox.insist("checkpoints", RemoveWorktree(key=key), WorktreeRemoved)
        return patch

    def _stand(self, state: State) -> None:
        self.state = state
        self._changed()


def _of_turn(ended: TurnEnded, answer: str, why_cancelled: str) -> _Outcome:
    if ended.reason == "done":
        return _Outcome("completed", answer.strip() or SAID_NOTHING)
    why = why_cancelled if ended.reason == "interrupted" else ended.text or ended.reason
    text = SAID_BEFORE.format(why=why, answer=answer.strip()) if answer.strip() else why
    return _Outcome("cancelled" if ended.reason == "interrupted" else "failed", text)


def _capped(text: str, session_id: str) -> str:
    short = cut.middle(text, MOST_SAID)
    return short if short == text else short + ALL_OF_IT.format(session_id=session_id)


def _listed(head: str, lines: tuple[str, ...]) -> str:
    """The first of them; "" where there are none."""
    more = [f"and {len(lines) - MOST_LISTED} more"] if len(lines) > MOST_LISTED else []
    return "\n- ".join(["\n\n" + head, *lines[:MOST_LISTED], *more]) if lines else ""


def _how(ended: SubagentEnded) -> str:
    why = ended.summary.strip().partition("\n")[0]
    return f"{'failed' if ended.state == 'failed' else 'been cancelled'}: {why}"
