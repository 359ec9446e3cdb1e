"""The parent of subagents and all it talks to, in one process: what each of the others does is said by the test."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import trio
import trio.testing

from actors.agent.session.history import History
from actors.agent.session.journal import Journal
from actors.agent.session.watchers import Watchers
from actors.agent.subagents import launch
from actors.agent.subagents.board import Board
from actors.agent.subagents.subagents import Subagents
from actors.checkpoints.worktrees.merging import CHANGED
from actors.errors import UnexpectedMessage, failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
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
from actors.messages.conversation import AssistantMessage, Body, EndReason, Entry, Text, TurnEnded, UserMessage
from actors.messages.store import ListSessions, Sessions
from actors.messages.subagent import SubagentEnded
from actors.messages.system import StartActor, StopActor
from actors.messages.turn import Accepted, CancelTurn, EntryAdded, Event, Prompt, Subscribe
from actors.settings.config import Settings
from actors.texts.agents.agent_tools import SpawnAgent
from tests.fakes.network import Network, open_network

SESSION = "s"
CHILD = f"{SESSION}.1"
AGENT = launch.agent_of(CHILD)


class Child:
    """A subagent that works until it is told to stop, or has its turn ended."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage
        self._said, self._events = list[Message](), trio.Event()
        self._number = 0

    async def run(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, self._serve)
            nursery.cancel_scope.cancel()

    async def _serve(self, request: Request) -> None:
        match request.message:
            case Prompt(prompt_id=prompt_id, text=text):
                self._stage.log.append(f"prompt {prompt_id}")
                self._stage.prompts.append(text)
                self._tell(UserMessage(text=text, turn_id=prompt_id, prompt_id=prompt_id))
                request.reply(Accepted(turn_id=prompt_id))
                self._said += self._stage.meets
                if self._stage.answer:
                    self.end("done", self._stage.answer)
            case CancelTurn() if self._stage.stubborn:
                request.reply(Done())
            case CancelTurn(text=text):
                self._stage.log.append("cancel")
                if self._said:
                    self.end("interrupted", text=text)
                request.reply(Done())
            case Subscribe():
                await self._follow(request)
            case message:
                raise UnexpectedMessage(message)

    def end(self, reason: EndReason, answer: str = "", text: str = "") -> None:
        if answer:
            self._tell(AssistantMessage(blocks=(Text(text=answer),), stop_reason="end_turn", model="m"))
        turn_id = next(
            said.entry.body.turn_id
            for said in reversed(self._said)
            if isinstance(said, EntryAdded) and isinstance(said.entry.body, UserMessage)
        )
        self._tell(TurnEnded(turn_id=turn_id, reason=reason, text=text))

    def _tell(self, body: Body) -> None:
        self._number += 1
        entry = Entry(id=f"e{self._number}", session_id=CHILD, parent="", body=body, at=0.0)
        self._said.append(EntryAdded(entry=entry))
        self._events.set()
        self._events = trio.Event()

    async def _follow(self, request: Request) -> None:
        told = 0
        while True:
            while told < len(self._said):
                told += 1
                await request.send(self._said[told - 1])
            await self._events.wait()


class Watched(Watchers):
    """By the test."""

    def __init__(self, told: list[Event]) -> None:
        super().__init__()
        self._told = told

    def put(self, event: Event) -> None:
        self._told.append(event)


class Stage:
    """The test is the model and the user; `log` has what happened in the order in which it did."""

    def __init__(self, network: Network, nursery: trio.Nursery, settings: Settings) -> None:
        self.network = network
        self.nursery = nursery
        self._parent = trio.CancelScope()
        self.log: list[str] = []
        self.prompts: list[str] = []
        self.files: list[str] = []
        """In its worktree, that were not there."""
        self.merged: list[MergeWorktree] = []
        self.meets: list[Event] = []
        """It says when it was prompted."""
        self.told: list[Event] = []
        """Who watches the parent was told this."""
        self.answer = ""
        """That it gives at once; "": it works on and on."""
        self.stubborn = False
        """It does not end its turn when it is told to."""
        self.writes_at_its_end: list[str] = []
        """Files, while it is being stopped."""
        self._running: set[str] = set()
        mailbox = network.mailbox("agent:main")
        self.history = History(SESSION)
        self.journal = Journal(mailbox, self.history, lambda entry: self.subagents.saved(entry))
        self.subagents = Subagents(mailbox, settings, self.history, self.journal, Board(Watched(self.told), tuple))
        for name, run in (
            ("supervisor", self._supervisor),
            ("gate", self._gate),
            ("store", self._store),
            ("checkpoints", self._checkpoints),
        ):
            network.start(name, run)

    async def run(self) -> None:
        with self._parent:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.journal.run)
                nursery.start_soon(self.subagents.run)

    def leave(self) -> None:
        """The parent goes, in whatever state its subagents are."""
        self._parent.cancel()

    async def spawn(self, *, worktree: bool = True) -> None:
        isolation, kind = ("worktree", "general") if worktree else ("none", "explore")
        wanted = SpawnAgent(name="one", prompt="do it", type=kind, background=True, isolation=isolation)  # type: ignore[arg-type]
        await self.subagents.spawn("c1", wanted)

    async def until(self, logged: str) -> None:
        while logged not in self.log:
            await trio.testing.wait_all_tasks_blocked()

    async def cancelled(self) -> SubagentEnded:
        await self.subagents.cancel([self.subagents.one("one")])
        return self.subagents.one("one").outcome

    async def _supervisor(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, self._obey)

    async def _obey(self, request: Request) -> None:
        match request.message:
            case StartActor(name=name):
                if name == AGENT:
                    self._running.add(name)
                    self.network.start(name, Child(self).run)
                self.log.append(f"start {name}")
            case StopActor(name=name):
                if name in self._running:
                    self.files += self.writes_at_its_end
                    self._running.remove(name)
                    self.network.kill(name)
                self.log.append(f"stop {name}")
            case message:
                raise UnexpectedMessage(message)
        request.reply(Done())

    async def _gate(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            request.reply(Done())

    async def _store(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            self.log.append(type(request.message).__name__)
            request.reply(Sessions(sessions=()) if isinstance(request.message, ListSessions) else Done())

    async def _checkpoints(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            self.log.append(type(request.message).__name__)
            wanted = request.message
            if isinstance(wanted, MergeWorktree) and wanted.seen not in ("", self._patch_id()):
                request.fail(failed("no_worktree", CHANGED).problem)
            else:
                request.reply(self._of_worktree(wanted))

    def _patch_id(self) -> str:
        return " ".join(self.files)

    def _of_worktree(self, wanted: Message) -> Message:
        match wanted:
            case MakeWorktree():
                return WorktreeMade(top="/copy", cwd="/copy", base="0" * 40)
            case PatchOf():
                return Patch(
                    base="0" * 40, text="diff" if self.files else "", files=tuple(self.files), id=self._patch_id()
                )
            case MergeWorktree():
                self.merged.append(wanted)
                return WorktreeMerged(files=tuple(self.files))
            case RemoveWorktree():
                return WorktreeRemoved()
            case _:
                raise UnexpectedMessage(wanted)


def positions(log: Iterable[str], *wanted: str) -> list[int]:
    """Where each happened last."""
    said = list(log)
    return [len(said) - 1 - said[::-1].index(each) for each in wanted]


@asynccontextmanager
async def a_stage(home: str) -> AsyncIterator[Stage]:
    settings = Settings(home=home, cwd=home, session_id=SESSION, run_id="r1", mode="auto")
    async with open_network() as network, trio.open_nursery() as nursery:
        stage = Stage(network, nursery, settings)
        nursery.start_soon(stage.run)
        yield stage
        nursery.cancel_scope.cancel()
