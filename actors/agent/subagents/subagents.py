"""All subagents of one session: spawned, gone on with after a death, spoken to, cancelled, merged."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

import msgspec
import trio

from actors.agent.session.history import History, unanswered
from actors.agent.session.journal import Journal
from actors.agent.session.ledger import NOT_OWN, PROGRAM_ENDED, Subagent, line
from actors.agent.session.model_choice import choice
from actors.agent.subagents import launch, merging, plan
from actors.agent.subagents.board import Board
from actors.agent.subagents.life import BY_USER, Life
from actors.agent.subagents.ports import Ports
from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import (
    MakeWorktree,
    MergeWorktree,
    Patch,
    PatchOf,
    RemoveWorktree,
    WorktreeMade,
    WorktreeMerged,
    WorktreeRemoved,
)
from actors.messages.conversation import Body, Entry
from actors.messages.store import ListSessions, Sessions
from actors.messages.subagent import (
    SubagentEnded,
    SubagentEntry,
    SubagentIs,
    SubagentMerged,
    SubagentPrompted,
    SubagentSpawned,
)
from actors.messages.tool import Merging
from actors.settings.config import Settings
from actors.texts.agents.agent_tools import SpawnAgent
from actors.texts.agents.kinds import NoSuchKind

CHECKPOINTS = "checkpoints"
ONLY_LOOKS = 'agents of the type "{kind}" only look: they cannot have a worktree.'


class Subagents:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        history: History,
        journal: Journal,
        board: Board,
    ) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._history = history
        self._board = board
        self.ledger = history.subagents
        self.ports = Ports(mailbox, settings, self.ledger, journal, self.planned)
        self._lives: dict[str, Life] = {}
        """Of those that have not ended, and of those that have since this conversation was opened."""
        self._working: set[str] = set()
        """Those that have a worktree by now, as far as this life knows."""
        self._begun = False
        self._to_run, self._born = trio.open_memory_channel[Life](float("inf"))
        self._taken: int | None = None
        """The highest number that any session below this one has; None: to be asked for."""

    async def run(self) -> None:
        """For as long as the session is open."""
        self._begin()
        async with trio.open_nursery() as nursery:
            async for life in self._born:
                nursery.start_soon(life.run)

    def saved(self, entry: Entry) -> None:
        self.ports.anything.happen()
        if isinstance(entry.body, SubagentEntry):
            self._board.changed()

    def planned(self) -> dict[str, tuple[str, ...]]:
        return plan.planned(unanswered(self._history.open_turn), self.ledger)

    def one(self, name: str) -> Subagent:
        """Raises Failed."""
        self._begin()
        if (one := self.ledger.all.get(name)) is not None:
            return one
        known = ", ".join(self.ledger.all) or "none"
        raise failed("bad_request", f'there is no agent "{name}".', f"There are: {known}.")

    async def spawn(self, call_id: str, wanted: SpawnAgent) -> Subagent:
        """On disk when this returns; the same call again is the same one. Raises Failed."""
        self._begin()
        if self._taken is None:
            self._taken = await self._highest()
        if (known := self.ledger.of_call(call_id, wanted.name)) is None:
            known = self._spawned(call_id, wanted)
        await self.ports.save()
        return known

    def _spawned(self, call_id: str, wanted: SpawnAgent) -> Subagent:
        """Raises Failed."""
        if refused := plan.refusal(wanted, self.ledger, self.planned()):
            raise refused
        try:
            kind = launch.definition(self._settings, wanted.type)
        except NoSuchKind as error:
            raise failed("bad_arguments", str(error)) from error
        worktree = wanted.isolation == "worktree"
        if worktree and not kind.may_write:
            raise failed("bad_arguments", ONLY_LOOKS.format(kind=kind.name), "Leave out `isolation`.")
        chosen = choice(self._history, self._settings)
        number = max(self.ledger.number, self._taken or 0) + 1
        spawned = SubagentSpawned(
            name=wanted.name,
            session_id=f"{self._history.session_id}.{number}",
            call_id=call_id,
            kind=kind.name,
            prompt=wanted.prompt,
            background=wanted.background,
            depends_on=wanted.depends_on,
            worktree=worktree,
            budget_usd=wanted.budget.usd,
            budget_tokens=wanted.budget.tokens,
            model=kind.model or chosen.model,
            effort="" if kind.model else chosen.effort,
            run_id=self._settings.run_id,
        )
        self.ports.save_soon(spawned)
        self._live(self.ledger.all[wanted.name])
        return self.ledger.all[wanted.name]

    async def ended(self, name: str) -> SubagentEnded:
        """How it ended, once it has. Raises Failed: there is none of that name."""
        one = self.one(name)
        while not one.over or not self._is_gone(name):
            if life := self._lives.get(name):
                await life.over.wait()
            else:
                await self.ports.anything.wait()
        return one.outcome

    def _is_gone(self, name: str) -> bool:
        return name not in self._lives or self._lives[name].over.is_set()

    async def say(self, name: str, prompt_id: str, text: str) -> bool:
        """On disk when this returns; the same id twice is said once. True: it had ended, and goes on. Raises Failed."""
        one = self.one(name)
        if not one.own:
            raise failed("bad_request", NOT_OWN, "Spawn a new one.")
        if one.over:
            await self.ended(name)  # also its processes
        goes_on = one.over
        if prompt_id not in (said.prompt_id for said in one.prompts):
            said = SubagentPrompted(name=name, prompt_id=prompt_id, text=text, run_id=self._settings.run_id)
            self.ports.save_soon(said)
            if goes_on:
                self._live(one)
        await self.ports.save()
        if (life := self._lives.get(name)) is not None and not goes_on:
            await life.said()
        return goes_on

    async def cancel(self, ones: Iterable[Subagent], why: str = BY_USER) -> None:
        """Their ends are on disk, and they are gone, when this returns."""
        names = [one.name for one in ones]
        self._begin()
        lives = [life for name in names if (life := self._lives.get(name))]
        for life in lives:
            life.cancel(why)
        for life in lives:
            await life.over.wait()

    @property
    def unfinished(self) -> list[Subagent]:
        return self.ledger.unfinished

    async def merge(
        self, name: str, paths: tuple[str, ...], seen: str, before: Callable[[], Awaitable[tuple[Body, ...]]]
    ) -> WorktreeMerged:
        """seen: as of MergeWorktree. before: gives what is to be saved before files of the workspace change.

        Raises Failed.
        """
        one = self._mergeable(name)
        within = await self._within(one)
        wanted = tuple(merging.below_top(path, within) for path in paths)
        files = _chosen(one, wanted)
        await self.ports.save(*await before())
        order = MergeWorktree(key=one.spawned.session_id, paths=wanted, seen=seen)
        merged = await self._mailbox.insist(CHECKPOINTS, order, WorktreeMerged)
        if merged.conflicts:
            return merged
        await self.ports.save(SubagentMerged(name=name, files=files))
        if not one.unmerged:
            with suppress(Failed):  # it is tried again at the program's end
                await self._mailbox.insist(CHECKPOINTS, RemoveWorktree(key=one.spawned.session_id), WorktreeRemoved)
        return msgspec.structs.replace(merged, files=merged.files or files)

    async def merging(self, name: str, paths: tuple[str, ...]) -> Merging:
        """What that would bring. Raises Failed."""
        one = self._mergeable(name)
        within = await self._within(one)
        wanted = tuple(merging.below_top(path, within) for path in paths)
        _chosen(one, wanted)
        return merging.told(await self._patch(one), wanted, within)

    async def patch(self, name: str) -> Patch:
        """All that it has changed. Raises Failed."""
        return await self._patch(self._mergeable(name))

    async def _patch(self, one: Subagent) -> Patch:
        return await self._mailbox.insist(CHECKPOINTS, PatchOf(key=one.spawned.session_id), Patch)

    def _mergeable(self, name: str) -> Subagent:
        """Raises Failed."""
        one = self.one(name)
        if not one.own:
            raise failed("bad_request", NOT_OWN)
        if not one.over:
            raise failed("bad_request", f'the agent "{name}" has not ended yet.', "Wait for it, or cancel it.")
        if not one.unmerged:
            why = "is in the workspace already" if one.merged else "is nothing"
            raise failed("bad_request", f'what the agent "{name}" has changed {why}.')
        return one

    async def _within(self, one: Subagent) -> str:
        """Where in the repository the workspace is; its worktree is there then. Raises Failed."""
        self._working.add(one.name)
        again = MakeWorktree(key=one.spawned.session_id, cwd=self._settings.cwd, with_changes=True)
        made = await self._mailbox.insist(CHECKPOINTS, again, WorktreeMade)
        return merging.within(made)

    def standing(self) -> tuple[SubagentIs, ...]:
        self._begin()
        return tuple(self.stands(one) for one in self.ledger.all.values())

    def listed(self) -> str:
        """For the model; "" where there are none."""
        return "\n".join(
            line(one, stands.state) + (f"; now: {' '.join(stands.doing.split())}" if stands.doing else "")
            for one, stands in zip(self.ledger.all.values(), self.standing(), strict=True)
        )

    def let_go(self) -> None:
        """The program ends: of what is not merged the work is kept, and its folders go."""
        for one in self.ledger.all.values():
            if one.name in self._working and (one.unmerged or not one.over):
                self._mailbox.tell(CHECKPOINTS, RemoveWorktree(key=one.spawned.session_id))

    def stands(self, one: Subagent) -> SubagentIs:
        spawned, life = one.spawned, self._lives.get(one.name)
        if life is not None and not one.over:
            return life.stands()
        return SubagentIs(
            name=one.name,
            kind=spawned.kind,
            session_id=spawned.session_id,
            state=one.outcome.state,
            background=one.background,
            isolation="worktree" if spawned.worktree else "none",
            used=one.used,
            summary=one.outcome.summary,
            patch_files=len(one.unmerged),
        )

    def _begin(self) -> None:
        """Once: those of an earlier life go on."""
        if self._begun:
            return
        self._begun = True
        for one in self.ledger.unfinished:
            if self._history.turn_id or one.run_id == self._settings.run_id:
                self._live(one)
            else:
                self.ports.save_soon(SubagentEnded(name=one.name, state="cancelled", summary=PROGRAM_ENDED))

    def _live(self, one: Subagent) -> None:
        if one.spawned.worktree:
            self._working.add(one.name)
        life = self._lives[one.name] = Life(self.ports, one, self._is_different, self._board.met)
        self._to_run.send_nowait(life)
        self._is_different()

    def _is_different(self) -> None:
        self.ports.anything.happen()
        self._board.changed()

    async def _highest(self) -> int:
        """Of all paths of the session, also those it is not on. Raises Failed."""
        parent = self._history.session_id
        below = await self._mailbox.insist("store", ListSessions(below=parent), Sessions)
        return plan.number((one.session_id for one in below.sessions), parent)


def _chosen(one: Subagent, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Raises Failed."""
    if files := merging.chosen(one.unmerged, wanted):
        return files
    raise failed("bad_request", f'"{one.name}" has changed none of these.', f"It has: {', '.join(one.unmerged)}.")
