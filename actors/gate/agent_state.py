"""What stands in a session beside the rules: each agent's mode, and what the user has allowed since it began.

On disk before it counts: a gate that dies must not come back with wider permissions, nor ask again what was answered.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import trio
from msgspec.structs import replace

from actors.gate.rules.modes import MODES
from actors.gate.rules.scene import Scene, context_of
from actors.gate.workers import Workers
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import Mode, OfferChanged, SandboxUnasked, Tools
from actors.settings.config import Settings
from actors.settings.permissions import RuleLine, is_for_sandbox
from actors.texts import skills

SESSION = "this session"
"""The source of rules that end with the session."""
LOOKING: tuple[Mode, ...] = ("plan", "research")
"""Modes that one comes back from."""


class Modes:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._modes: dict[str, tuple[Mode, Mode]] = {}
        """Agent -> its mode, and the one to go back to."""

    async def load(self, agent: str) -> Mode:
        """Raises Failed."""
        if agent not in self._modes:
            recalled = (await self._mailbox.insist("store", Recall(key=self._key(agent)), Recalled)).value or ""
            known = [mode for name in recalled.split() for mode in MODES if mode == name]
            first = self._settings.mode
            found = (known[0], known[1]) if len(known) == 2 else (first, _to_go_back_to(first, "default"))
            self._modes.setdefault(agent, found)
        return self.of(agent)

    def of(self, agent: str) -> Mode:
        """Once it is loaded."""
        return self._modes[agent][0]

    def before(self, agent: str) -> Mode:
        """The one to go back to from plan and research mode."""
        return self._modes[agent][1]

    async def set(self, agent: str, mode: Mode) -> None:
        """Raises Failed; then nothing has changed."""
        await self.load(agent)
        before = _to_go_back_to(mode, self.before(agent))
        await self._mailbox.insist("store", Remember(key=self._key(agent), value=f"{mode} {before}"), Done)
        self._modes[agent] = (mode, before)

    def _key(self, agent: str) -> str:
        return f"mode/{self._settings.run_id}/{agent}"


def _to_go_back_to(mode: Mode, before: Mode) -> Mode:
    return before if mode in LOOKING else mode


class Kept(msgspec.Struct, frozen=True):
    """As it is in the store."""

    lines: tuple[RuleLine, ...] = ()
    forgotten: tuple[RuleLine, ...] = ()


class Given:
    """The rules the user has given by answering questions; those that are also in a file count at once.

    And the ones that were taken back: the settings still have those that were in a file at the start.
    """

    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._kept = Kept()
        self._loaded = not settings.interactive
        self._changing = trio.Lock()

    async def load(self) -> None:
        """Raises Failed."""
        if self._loaded:
            return
        async with self._changing:
            if not self._loaded:
                recalled = (await self._mailbox.insist("store", Recall(key=self._key), Recalled)).value
                self._kept = msgspec.json.decode(recalled, type=Kept) if recalled else Kept()
                self._loaded = True

    @property
    def session(self) -> tuple[RuleLine, ...]:
        return tuple(line for line in self._kept.lines if line.source == SESSION)

    @property
    def always(self) -> tuple[RuleLine, ...]:
        return tuple(line for line in self._kept.lines if line.source != SESSION)

    @property
    def from_start(self) -> tuple[RuleLine, ...]:
        """Of the settings' rules those that still count."""
        return tuple(line for line in self._settings.rules if line not in self._kept.forgotten)

    async def add(self, rules: tuple[str, ...], source: str) -> None:
        """Raises Failed; then they do not count."""
        new = [RuleLine(verdict="allow", text=rule, source=source) for rule in rules]
        async with self._changing:
            lines = (*self._kept.lines, *(line for line in new if line not in self._kept.lines))
            await self._keep(msgspec.structs.replace(self._kept, lines=lines))

    async def forget(self, rule: RuleLine) -> None:
        """Raises Failed; then it still counts."""
        async with self._changing:
            lines = tuple(line for line in self._kept.lines if line != rule)
            forgotten = (rule,) if rule in self.from_start else ()
            await self._keep(Kept(lines=lines, forgotten=(*self._kept.forgotten, *forgotten)))

    async def _keep(self, kept: Kept) -> None:
        value = msgspec.json.encode(kept).decode()
        await self._mailbox.insist("store", Remember(key=self._key, value=value), Done)
        self._kept = kept

    @property
    def _key(self) -> str:
        return f"grants/{self._settings.run_id}"


class AgentStates:
    """All of it, and with it the scene of each agent at any moment."""

    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self.workers = Workers(mailbox, settings)
        self.modes = Modes(mailbox, settings)
        self.given = Given(mailbox, settings)
        self._named: frozenset[str] = frozenset()
        self._skilled = skills.there_are(settings, Path.home())
        self._changed = trio.Event()

    async def load(self, agent: str) -> Scene:
        """Raises Failed."""
        await self.given.load()
        await self.modes.load(agent)
        return self._scene(agent, await self.workers.described(agent))

    async def offered(self, agent: str) -> Tools:
        """What its model may be told of, which waits for no worker where there was one before. Raises Failed."""
        known = await self.workers.expected(agent)
        self._skilled = skills.there_are(self._settings, Path.home())
        await self.given.load()
        mode = await self.modes.load(agent)  # last: while a worker was being started it may have changed
        return msgspec.structs.replace(known, tools=self._scene(agent, known).offered(), mode=mode)

    def now(self, agent: str) -> Scene:
        """Once it is loaded."""
        return self._scene(agent, self.workers.known(agent))

    def _scene(self, agent: str, known: Tools) -> Scene:
        mode, given = self.modes.of(agent), self.given
        rules = (*given.from_start, *given.always)
        context = context_of(self._settings, known, mode, rules=rules, session=given.session)
        return Scene(agent, known, replace(context, named=self._named), self._settings.interactive, self._skilled)

    def name(self, hosts: Iterable[str]) -> None:
        """They are known from here on. A gate that died asks about them once more."""
        if new := frozenset(hosts) - self._named:
            self._named |= new
            self._has_changed()

    async def enter(self, agent: str, mode: Mode) -> None:
        """Raises Failed; then nothing has changed."""
        await self.modes.set(agent, mode)
        self._mailbox.tell(agent, OfferChanged())
        self._has_changed()

    async def allow(self, rules: tuple[str, ...], source: str) -> None:
        """Raises Failed; then they do not count."""
        before = self._sandbox_unasked()
        await self.given.add(rules, source)
        self._rules_changed(before)

    async def forget(self, rule: RuleLine) -> None:
        """Raises Failed; then it still counts."""
        before = self._sandbox_unasked()
        await self.given.forget(rule)
        self._rules_changed(before)

    def _sandbox_unasked(self) -> bool:
        given = self.given
        lines = (*given.from_start, *given.always, *given.session)
        return any(line.verdict == "allow" and is_for_sandbox(line.text) for line in lines)

    def _rules_changed(self, before: bool) -> None:
        if (counts := self._sandbox_unasked()) != before:
            self._mailbox.tell("ui", SandboxUnasked(counts=counts))
        self._has_changed()

    def _has_changed(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    async def change(self) -> None:
        """Until the next one; what was decided before may be decided otherwise then."""
        await self._changed.wait()
