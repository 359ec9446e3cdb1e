"""The store: everything that waits is written in one transaction, then answered. A session has one holder at a time."""

import os
import platform
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing, closing, suppress
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.common import holders, locks
from actors.errors import Failed, UnexpectedMessage, failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.batch import ListRuns, OpenRun, ReadRun, RecordRun, RecordTask
from actors.messages.budget import Budgets, ReadBudgets, Release, Reserve
from actors.messages.conversation import Entry
from actors.messages.store import (
    Append,
    Checked,
    CheckSession,
    CloneSession,
    CloseSession,
    FindSession,
    Holder,
    HolderOf,
    Label,
    ListSessions,
    NameSession,
    OpenSession,
    PageEnds,
    ReadPage,
    ReadPageEnds,
    ReadSession,
    ReadTree,
    Recall,
    Recalled,
    RecapSession,
    Remember,
    RepairSession,
    SearchSessions,
    Sessions,
    TrashSession,
    TreeNode,
)
from actors.messages.turn import Notice
from actors.settings.config import Settings
from actors.store import batches, entries, lookup, recap, search_index, sessions, tree
from actors.store.repair import repair
from actors.store.schema import FILE, explain, in_one_transaction, may_take_long, open_database
from actors.store.search import search
from actors.store.session_check import check
from actors.store.session_copy import copy_session
from actors.store.spending import budgets
from actors.store.spending.counting import count
from actors.store.spending.waiting import Waiting

PATIENCE_S = 1.0
"""So long the database is opened without a word."""
OPENING = "the database of sessions is large, and is checked or brought to this version: one moment"
LookUp = FindSession | HolderOf | SearchSessions | ListSessions | CheckSession
Reading = ReadSession | ReadPage | ReadPageEnds | ReadTree
OfBudgets = Reserve | Release | ReadBudgets
Written = Append | Remember | RecordTask | RecordRun


async def run(mailbox: Mailbox, settings: Settings) -> None:
    home = Path(settings.home)
    with closing(Store(home, settings)) as store:
        store.hold_again()
        async with trio.open_nursery() as readers:
            async for request in mailbox:
                batch = [request, *mailbox.take_waiting(), *await store.open(mailbox)]
                store.write([r for r in batch if isinstance(r.message, Written)])
                for other in batch:
                    if not isinstance(other.message, Written):
                        readers.start_soon(other.serve, store.answer)  # a slow reader must not hold up the writes
            readers.cancel_scope.cancel()


class Store:
    """The database and the sessions this process holds. Opened by the first request, so that failing is an answer."""

    def __init__(self, home: Path, settings: Settings) -> None:
        self._home = home
        self._settings = settings
        self._database: sqlite3.Connection | None = None
        self._held: dict[str, int] = {}
        self._problem: Failed | None = None
        self._waiting = Waiting(settings.run_id, self._counts, by_screen=settings.interactive)

    async def open(self, mailbox: Mailbox) -> list[Request]:
        """What came while that took its time: who does not listen for long is taken for hung."""
        if self._database is not None:
            return []
        self._problem = None
        came: list[Request] = []
        try:
            if may_take_long(self._home):
                self._database, notice = await self._opened_beside(mailbox, came)
            else:
                self._database, notice = open_database(self._home)
        except Failed as problem:
            self._problem = problem
            return came
        with suppress(sqlite3.Error):  # it can wait for the next start
            if sessions.is_trash_due(self._database):
                in_one_transaction(self._database, partial(sessions.empty_trash, self._database))
                search_index.forget_gone(self._home, self._database)
        if notice:
            mailbox.tell("ui", Notice(text=notice, level="warning"))
        return came

    async def _opened_beside(self, mailbox: Mailbox, came: list[Request]) -> tuple[sqlite3.Connection, str]:
        """Raises Failed."""

        async def listen() -> None:
            async for request in mailbox:
                came.append(request)  # noqa: PERF401  # a cancel must not lose them

        async def tell() -> None:
            await trio.sleep(PATIENCE_S)
            mailbox.tell("ui", Notice(text=OPENING))

        outcome: list[tuple[sqlite3.Connection, str] | Failed] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen)
            nursery.start_soon(tell)
            try:
                outcome.append(await trio.to_thread.run_sync(open_database, self._home))
            except Failed as problem:
                outcome.append(problem)
            nursery.cancel_scope.cancel()
        if isinstance(outcome[0], Failed):
            raise outcome[0]
        return outcome[0]

    def hold_again(self) -> None:
        """What an earlier life of this store had: its locks have died with it, and the agents know nothing of that."""
        for path in (self._home / "run").glob("*.lock"):
            if self._holder(path.stem).run_id == self._settings.run_id:
                with suppress(Failed):  # somebody was quicker
                    self._hold(path.stem)

    def close(self) -> None:
        """Fold the log into the database and let the sessions go."""
        if self._database is not None:
            self._database.close()
        for session_id in tuple(self._held):
            self._let_go(session_id)

    def write(self, requests: Sequence[Request]) -> None:
        """One commit for all of them: one wait for the disk."""
        if not requests:
            return
        accepted = []
        for request in requests:
            try:
                self._hold_all(request.message)
            except Failed as problem:
                request.fail(problem.problem)
            else:
                accepted.append(request)
        try:
            self._commit([request.message for request in accepted])
        except Failed as problem:
            for request in accepted:
                request.fail(problem.problem)
        else:
            for request in accepted:
                request.reply(Done())
            with suppress(sqlite3.Error):  # they look again by themselves
                self._waiting.look(self._opened())

    async def answer(self, request: Request) -> None:
        """Raises Failed."""
        try:
            await self._answer(request)
        except sqlite3.Error as error:
            raise explain(error, self._home / FILE) from error
        except msgspec.DecodeError as error:
            hint = "Update Trouper, if a newer version wrote this; the other sessions are not touched by it."
            raise failed("store_damaged", f"an entry of this session cannot be read ({error}).", hint) from error

    async def _answer(self, request: Request) -> None:
        database = self._opened()
        match request.message:
            case OpenSession() as wanted:
                session_id = self._open_session(database, wanted)
                path = entries.path(database, session_id, wanted.at, whole=False)
                await self._send(request, session_id, entries.read_for_request(database, path))
            case ReadSession() | ReadPage() | ReadPageEnds() | ReadTree() as wanted:
                await self._read(request, wanted)
            case FindSession() | HolderOf() | SearchSessions() | ListSessions() | CheckSession() as asked:
                await self._look_up(request, asked)
            case Recall(key=key):
                request.reply(Recalled(value=sessions.recall(database, key)))
            case CloseSession(session_id=session_id):
                self._waiting.release(database, session_id, aside=None)
                self._let_go(session_id)
                request.reply(Done())
            case RecapSession(said=said):
                request.reply(recap.recap(database, said))
            case OpenRun() | ReadRun() | ListRuns() as about_runs:
                request.reply(batches.answer(database, about_runs))
            case Reserve() | Release() | ReadBudgets() as asked:
                await self._budget(request, asked)
            case message:
                in_one_transaction(database, partial(self._change, database, message))
                request.reply(Done())

    async def _read(self, request: Request, wanted: Reading) -> None:
        """Raises Failed."""
        session_id = lookup.find(database := self._opened(), wanted.session_id, "")
        match wanted:
            case ReadPageEnds(end=end):
                request.reply(PageEnds(ends=entries.page_ends(database, session_id, end)))
            case ReadTree():
                await self._send(request, session_id, tree.nodes(database, session_id))
            case ReadSession(last=last) if last:
                shown = entries.read_shown(database, entries.path(database, session_id, None, whole=True, most=last))
                await self._send(request, session_id, shown)
            case ReadSession() | ReadPage():
                numbers, whole = entries.wanted(database, session_id, wanted)
                await self._send(request, session_id, entries.read(database, numbers, attachments=whole))

    async def _look_up(self, request: Request, asked: LookUp) -> None:
        """Raises Failed."""
        database = self._opened()
        match asked:
            case FindSession(said=said, cwd=cwd, everywhere=everywhere, trashed=trashed, several=several):
                if several:
                    meant = lookup.all_meant(database, said, cwd, everywhere=everywhere, trashed=trashed)
                else:
                    meant = [lookup.find(database, said, cwd, everywhere=everywhere, trashed=trashed)]
                request.reply(Sessions(sessions=tuple(sessions.summary(database, one) for one in meant)))
            case HolderOf() as wanted:
                request.reply(self._holder(lookup.to_open(database, wanted)))
            case SearchSessions():
                async with aclosing(search(self._home, asked)) as found:
                    async for item in found:
                        await request.send(item)
                request.reply(Done())
            case ListSessions(below=parent) if parent:
                request.reply(Sessions(sessions=sessions.below(database, parent)))
            case ListSessions(cwd=cwd, limit=limit):
                await count(database, "")
                request.reply(Sessions(sessions=sessions.summaries(database, cwd, limit)))
            case CheckSession(session_id=session_id):
                request.reply(Checked(problems=await check(self._home, session_id)))

    async def _budget(self, request: Request, asked: OfBudgets) -> None:
        """Raises Failed."""
        database = self._opened()
        if isinstance(asked, Release):
            self._waiting.release(database, asked.session_id, aside=asked.aside)
            request.reply(Done())
            return
        for budget in asked.budgets:
            await count(database, budget.session_id)
        if isinstance(asked, Reserve):
            self._hold(asked.session_id)
            request.reply(await self._waiting.reserve(database, asked))
        else:
            run_id = self._settings.run_id
            stand = [budgets.stands(database, budget, run_id, self._counts) for budget in asked.budgets]
            request.reply(Budgets(budgets=tuple(stand)))

    def _change(self, database: sqlite3.Connection, message: Message) -> None:
        """What the user does with sessions. Raises Failed."""
        match message:
            case NameSession(session_id=start, name=name):
                sessions.name(database, lookup.find(database, start, ""), name)
            case Label(session_id=start, entry_id=entry_id, text=text):
                tree.label(database, lookup.find(database, start, ""), entry_id, text)
            case CloneSession(session_id=start, copy_id=copy_id, entry_id=entry_id):
                copy_session(database, lookup.find(database, start, ""), copy_id, entry_id)
            case RepairSession(session_id=session_id, copy_id=copy_id):
                repair(database, session_id, copy_id)
            case TrashSession(session_id=session_id, restore=restore):
                if not restore:
                    self._hold(session_id)  # nobody throws away what somebody works in
                    self._let_go(session_id)
                sessions.trash(database, session_id, restore=restore)
            case _:
                raise UnexpectedMessage(message)

    def _open_session(self, database: sqlite3.Connection, wanted: OpenSession) -> str:
        session_id = self._held_session(database, wanted)
        if wanted.branch:
            self._guard(lambda: sessions.be_on(database, session_id, wanted.branch))
        return session_id

    def _held_session(self, database: sqlite3.Connection, wanted: OpenSession) -> str:
        if not wanted.resume:
            self._hold(wanted.session_id)
            self._guard(lambda: sessions.make(database, wanted.session_id, wanted.cwd, wanted.model, wanted.branch))
            return wanted.session_id
        session_id = lookup.to_open(database, wanted)
        folder = sessions.cwd_of(database, session_id)
        if folder != wanted.cwd:
            hint = f"Go on there: cd {folder} && trouper -r {session_id[:8]}"
            raise failed("bad_request", f"session {session_id[:8]} belongs to the folder {folder}.", hint)
        if wanted.copy_id:
            self._hold(wanted.copy_id)
            copying = partial(copy_session, database, session_id, wanted.copy_id)
            self._guard(partial(in_one_transaction, database, copying))
            return wanted.copy_id
        self._hold(session_id)
        return session_id

    async def _send(self, request: Request, session_id: str, items: Iterable[Entry | TreeNode]) -> None:
        opened = sessions.opened(self._opened(), session_id)
        count = 0
        for item in items:
            await request.send(item)
            count += 1
        request.reply(msgspec.structs.replace(opened, entries=count))

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            raise self._problem or failed("store_locked", "the store is not open.")
        return self._database

    def _commit(self, messages: Sequence[Message]) -> None:
        database = self._opened()

        def write() -> None:
            for message in messages:
                match message:
                    case Append(entries=added):
                        entries.append(database, added)
                    case Remember(key=key, value=value):
                        sessions.remember(database, key, value)
                    case RecordTask() | RecordRun() as wanted:
                        batches.record(database, wanted)
                    case _:
                        raise UnexpectedMessage(message)

        self._guard(partial(in_one_transaction, database, write))

    def _guard(self, act: Callable[[], None]) -> None:
        try:
            act()
        except sqlite3.Error as error:
            raise explain(error, self._home / FILE) from error

    def _hold_all(self, message: Message) -> None:
        if isinstance(message, Append):
            for session_id in {entry.session_id for entry in message.entries}:
                self._hold(session_id)

    def _let_go(self, top: str) -> None:
        """With all below it: their agents have ended with that one's."""
        for session_id in [held for held in self._held if f"{held}.".startswith(f"{top}.")]:
            locks.release(self._home / "run" / f"{session_id}.lock", self._held.pop(session_id))

    def _hold(self, session_id: str) -> None:
        """Two programs must not write one session: the lock dies with this process. Raises Failed."""
        if session_id not in self._held:
            path = self._home / "run" / f"{session_id}.lock"
            try:
                self._held[session_id] = locks.take(path, msgspec.json.encode(self._this(session_id)))
            except BlockingIOError as error:
                again = f"trouper -r {session_id[:8]} --copy"
                hint = f"Go on there, here with a copy of it: {again}, or start a new session here: trouper"
                text = f"session {session_id} is open in another terminal{holders.named(self._holder(session_id))}."
                raise failed("session_in_use", text, hint) from error
            except OSError as error:
                hint = "Free some space or files, then go on with: trouper -c"
                raise failed("disk_full", f"cannot make {path}: {error.strerror}.", hint) from error

    def _counts(self, session_id: str, run_id: str) -> bool:
        """What is reserved: not where the program was killed and nobody has gone on with the session."""
        ours = run_id == self._settings.run_id or session_id in self._held
        return ours or not locks.is_free(self._home / "run" / f"{session_id}.lock")

    def _this(self, session_id: str) -> Holder:
        """This program, as the one that has it."""
        return Holder(
            session_id=session_id,
            run_id=self._settings.run_id,
            pid=os.getppid(),
            host=platform.node(),
            terminal=self._settings.terminal,
            since=time.time(),
        )

    def _holder(self, session_id: str) -> Holder:
        try:
            return msgspec.json.decode(locks.said(self._home / "run" / f"{session_id}.lock"), type=Holder)
        except msgspec.DecodeError:  # nobody, somebody who is just about to say it, or an older version
            return Holder(session_id=session_id)
