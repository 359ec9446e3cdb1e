"""What the user has allowed for a session: on disk before it counts, and counting again in the next run of it.

Only there where it was given: see DECISIONS, what a resumed session may again. It is never in an entry, so that no
copy, export or import has it.
"""

import hashlib
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import trio

from actors.errors import BadConfiguration
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import GRANTS_OF, Recall, Recalled, Remember
from actors.messages.tool import SandboxLevel
from actors.settings import trust
from actors.settings.config import Settings
from actors.settings.permissions import RuleLine, is_for_sandbox
from actors.settings.workspace_files import TEAM_FILE

SESSION = "this session"
"""The source of these rules."""
DAYS = 30
"""What was allowed longer ago has been forgotten by whoever allowed it."""
WEAKNESS: dict[SandboxLevel, int] = {"bubblewrap": 0, "namespaces": 0, "landlock": 1, "none": 2}
NAMED = 5


class Given(msgspec.Struct, frozen=True):
    rule: str
    level: SandboxLevel
    """What commands ran in: in less it does not count."""
    at: float
    """Seconds since the epoch."""

    @property
    def line(self) -> RuleLine:
        return RuleLine(verdict="allow", text=self.rule, source=SESSION)


class Kept(msgspec.Struct, frozen=True):
    """As it is in the store."""

    run_id: str
    """The start of the program that wrote it."""
    where: str
    """The folder and what was trusted in it, as a fingerprint."""
    given: tuple[Given, ...] = ()


def counting(kept: Kept, run_id: str, where: str, now: float) -> tuple[Given, ...]:
    """Of what was given before. In its own run all of it."""
    if kept.run_id == run_id:
        return kept.given
    if kept.where != where:
        return ()
    return tuple(one for one in kept.given if 0 <= now - one.at < DAYS * 86_400 and _lasts(one.rule))


def _lasts(rule: str) -> bool:
    """Not the one that is as wide as the mode auto, nor what this version does not know."""
    try:
        return not is_for_sandbox(rule)
    except BadConfiguration:
        return False


def where(settings: Settings) -> str:
    """Another folder of the same name has other inodes; what is trusted there decides what a rule means."""
    workspace = Path(settings.cwd)
    marks = [str(workspace)]
    for path in (workspace, workspace / ".git"):
        with suppress(OSError):
            marks.append(str(path.lstat().st_ino))
    with suppress(BadConfiguration):
        marks.append(trust.record(Path(settings.home), workspace / TEAM_FILE).text or "")
    return hashlib.sha256(msgspec.json.encode(marks)).hexdigest()


class Grants:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._given: dict[str, tuple[Given, ...]] = {}
        """By session."""
        self._on_disk: dict[str, str] = {}
        self._taken_up: dict[str, tuple[Given, ...]] = {}
        self._where = ""
        self._changing = trio.Lock()

    async def load(self, session_id: str) -> None:
        """Raises Failed."""
        if session_id in self._given:
            return
        if not (self._settings.interactive or self._settings.resume):
            self._given[session_id] = ()  # nobody has been there to give anything
            return
        async with self._changing:
            if session_id not in self._given:
                await self._recall(session_id)

    async def look_again(self, session_id: str) -> None:
        """What it was when it was loaded may have been changed by another program. Raises Failed."""
        if session_id in self._on_disk:
            async with self._changing:
                await self._recall(session_id)

    async def _recall(self, session_id: str) -> None:
        recalled = (await self._mailbox.insist("store", Recall(key=GRANTS_OF + session_id), Recalled)).value or ""
        if self._on_disk.get(session_id) != recalled:
            self._given[session_id] = await self._counting(session_id, recalled)
            self._on_disk[session_id] = recalled

    async def _counting(self, session_id: str, recalled: str) -> tuple[Given, ...]:
        self._taken_up.pop(session_id, None)
        try:
            kept = msgspec.json.decode(recalled, type=Kept)
        except msgspec.DecodeError:  # none, or of another version: the user is asked again
            return ()
        run_id = self._settings.run_id
        given = counting(kept, run_id, await self._here(), time.time())
        if kept.run_id != run_id:
            self._taken_up[session_id] = given
        return given

    def lines(self, session_id: str, level: SandboxLevel | None) -> tuple[RuleLine, ...]:
        """That count in this sandbox; None: it is not known. Once they are loaded."""
        return tuple(dict.fromkeys(one.line for one in self._given[session_id] if _holds(one, level)))

    def taken_up(self, session_id: str, level: SandboxLevel | None) -> str:
        """For the user: what of an earlier run counts again; "" for nothing."""
        rules = [one.rule for one in self._taken_up.get(session_id, ()) if _holds(one, level)]
        if not rules:
            return ""
        more = f" and {len(rules) - NAMED} more" if len(rules) > NAMED else ""
        return f"Allowed for this session before: {', '.join(rules[:NAMED])}{more} (/permissions forget takes it back)."

    async def add(self, session_id: str, rules: tuple[str, ...], level: SandboxLevel) -> None:
        """level: what commands run in now. Raises Failed; then they do not count."""
        new = [Given(rule, level, time.time()) for rule in rules]
        async with self._changing:
            before = [one for one in self._given[session_id] if one.rule not in rules or one.level != level]
            await self._keep(session_id, (*before, *new))

    async def forget(self, session_id: str, rule: str) -> None:
        """Raises Failed; then it still counts."""
        async with self._changing:
            await self._keep(session_id, tuple(one for one in self._given[session_id] if one.rule != rule))

    async def _keep(self, session_id: str, given: tuple[Given, ...]) -> None:
        value = msgspec.json.encode(Kept(self._settings.run_id, await self._here(), given)).decode()
        await self._mailbox.insist("store", Remember(key=GRANTS_OF + session_id, value=value), Done)
        self._given[session_id], self._on_disk[session_id] = given, value
        self._taken_up.pop(session_id, None)

    async def _here(self) -> str:
        """As it was when it was first asked: what changes later is another place for the next run."""
        if not self._where:
            self._where = await trio.to_thread.run_sync(where, self._settings)
        return self._where


def _holds(one: Given, level: SandboxLevel | None) -> bool:
    return level is None or WEAKNESS[level] <= WEAKNESS[one.level]
