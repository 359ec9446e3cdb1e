"""Which session each agent has open, and the scene of its calls at any moment: mode, rules, what was allowed.

On disk before it counts: a gate that dies must not come back with wider permissions, nor ask again what was answered.
"""

from collections.abc import Iterable
from pathlib import Path

import trio
from msgspec.structs import replace

from actors.errors import Failed, failed
from actors.gate.mcp.catalogue import Catalogue, Told
from actors.gate.rules.confinement import mode_of, told_mode
from actors.gate.rules.scene import Scene, context_of
from actors.gate.standing.confinements import Confinements, is_subagent
from actors.gate.standing.given_rules import Always
from actors.gate.standing.session_grants import SESSION, Grants
from actors.gate.standing.session_modes import Modes
from actors.gate.workers import Workers
from actors.mailbox import Mailbox
from actors.messages.model import ToolSpec
from actors.messages.store import Recall, Recalled, open_session_key
from actors.messages.subagent import Confine
from actors.messages.tool import Mode, OfferChanged, OfferTools, SandboxUnasked, Tools
from actors.settings.config import Settings
from actors.settings.permissions import RuleLine, is_for_sandbox
from actors.texts import skills

MAIN = "agent:main"


def agent_of(who: str) -> str:
    """Whose session somebody speaks of: the screen has none of its own."""
    return who if who.startswith("agent:") else MAIN


class AgentStates:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self.workers = Workers(mailbox, settings)
        self.servers = Catalogue(mailbox, settings)
        self._modes = Modes(mailbox, settings)
        self._grants = Grants(mailbox, settings)
        self._always = Always(mailbox, settings)
        self._confinements = Confinements(mailbox)
        self._open: dict[str, str] = {}
        """Agent -> its session."""
        self._opened = trio.Event()
        self._named: frozenset[str] = frozenset()
        self._skilled = skills.there_are(settings, Path.home())
        self._changed = trio.Event()

    async def load(self, who: str) -> Scene:
        """Raises Failed."""
        await self._session_of(who)
        return self._scene(who, await self.workers.described(who))

    async def offered(self, agent: str, wanted: OfferTools) -> Tools:
        """What its model may be told of, which waits for no worker where there was one before. Raises Failed."""
        known = await self.workers.expected(agent)
        self._skilled = skills.there_are(self._settings, Path.home())
        session_id = wanted.session_id or await self._session_of(agent)
        await self._load_confinement(agent, session_id)
        if wanted.anew:
            await self._modes.look_again(session_id)
            await self._grants.look_again(session_id)
        await self._open_session(agent, session_id)
        scene = self._scene(agent, known)  # last: while a worker was being started the mode may have changed
        known = self._with_servers(known, scene, self.servers.told(agent, wanted.turn_id))
        if scene.confined is not None:
            return replace(known, mode=told_mode(scene.context.mode))
        told = (self._modes.taken_up(session_id), self._grants.taken_up(session_id, known.sandbox))
        return replace(known, mode=scene.context.mode, taken_up=" ".join(filter(None, told)))

    def _with_servers(self, known: Tools, scene: Scene, told: Told) -> Tools:
        tools = replace(scene, served=told.tools).offered()
        if not told.servers:
            return replace(known, tools=tools)
        from actors.gate.mcp import deferral, told_servers  # only who has servers pays for it

        said = told_servers.sections(told.servers, deferral.of_servers(tools), whole=scene.confined is None)
        offered, findable = deferral.within(tools, self._settings.mcp_tools_tokens, scene.finding())
        return replace(known, tools=offered, findable=findable, servers=said)

    def findable(self, scene: Scene) -> tuple[ToolSpec, ...]:
        """The tools of MCP servers that its agent may use now."""
        offered = replace(scene, served=self.servers.tools).offered()
        return tuple(tool for tool in offered if tool.server)

    async def begin(self, agent: str, session_id: str) -> None:
        """It is about to open this session. Raises Failed."""
        await self._open_session(agent, session_id)

    async def confine(self, wanted: Confine, asker: str) -> None:
        """Raises Failed; then it does not count."""
        await self._confinements.set(wanted, asker)
        self._open[wanted.agent] = wanted.session_id
        self._has_changed()

    async def why_nothing(self, agent: str, session_id: str) -> str:
        """Of a subagent that may do nothing at all; "" for all others. Raises Failed.

        session_id: that it says is its own. After a death of the gate nobody else says so; another lends it nothing.
        """
        if is_subagent(agent) and session_id:
            self._open.setdefault(agent, session_id)
        try:
            await self._session_of(agent)
        except Failed as failure:
            if failure.problem.code != "not_allowed":
                raise
            return failure.problem.text
        return ""

    async def _open_session(self, agent: str, session_id: str) -> None:
        """Raises Failed."""
        await self._load(session_id)
        left, self._open[agent] = self._open.get(agent), session_id
        if left is None:
            opened, self._opened = self._opened, trio.Event()
            opened.set()
        elif left != session_id:
            self._rules_changed(agent, self._sandbox_unasked(left, agent))

    async def keep_begun(self, agent: str) -> None:
        """What its session begins with in this run is what a later one finds. Raises Failed."""
        if not is_subagent(agent):  # its mode is its parent's
            await self._modes.keep_begun(self._open[agent])

    async def _session_of(self, who: str) -> str:
        """With all of it loaded. A session that is resumed has to be found first, and only its agent knows which it is.

        Raises Failed.
        """
        agent = agent_of(who)
        while agent not in self._open:
            key = open_session_key(self._settings.run_id, agent)
            known = (await self._mailbox.insist("store", Recall(key=key), Recalled)).value
            if is_subagent(agent):  # the session of the settings is not its own
                self._open.setdefault(agent, known or "")
            elif known or not self._settings.resume:
                self._open.setdefault(agent, known or self._settings.session_id)
            elif agent not in self._open:
                await self._opened.wait()
        await self._load_confinement(agent, session_id := self._open[agent])
        await self._load(session_id)
        return session_id

    async def _load_confinement(self, agent: str, session_id: str) -> None:
        """Of a subagent: and what its parent may. Raises Failed."""
        if is_subagent(agent):
            try:
                confined = await self._confinements.load(session_id, agent)
            except Failed:
                if self._open.get(agent) == session_id:
                    del self._open[agent]  # it may be said yet
                raise
            await self._session_of(confined.parent)

    async def _load(self, session_id: str) -> None:
        await self._always.load()
        await self._grants.load(session_id)
        await self._modes.load(session_id)

    def now(self, who: str) -> Scene:
        """Once it is loaded."""
        return self._scene(who, self.workers.known(who))

    def _scene(self, who: str, known: Tools) -> Scene:
        session_id = self._open[agent_of(who)]
        session = self._grants.lines(session_id, known.sandbox)
        confined = self._confinements.of(session_id) if is_subagent(who) else None
        context = context_of(
            self._settings, known, self._mode(session_id, confined), rules=self._always.lines, session=session
        )
        named = replace(context, named=self._named)
        return Scene(who, known, named, self._settings.interactive, self._skilled, self.servers.every, confined)

    def _mode(self, session_id: str, confined: Confine | None) -> Mode:
        if confined is None:
            return self._modes.of(session_id)
        return mode_of(confined, self._modes.of(self._open[confined.parent]))

    def name(self, hosts: Iterable[str]) -> None:
        """They are known from here on. A gate that died asks about them once more."""
        if new := frozenset(hosts) - self._named:
            self._named |= new
            self._has_changed()

    async def enter(self, agent: str, mode: Mode) -> None:
        """Raises Failed; then nothing has changed."""
        if is_subagent(agent):
            raise failed("bad_request", f"the mode of {agent} is that of who has spawned it.", "Change that one.")
        await self._modes.set(await self._session_of(agent), mode)
        for one in (agent, *self._confinements.below(agent)):
            self._mailbox.tell(one, OfferChanged())
        self._has_changed()

    def mode_before(self, agent: str) -> Mode:
        """The one to go back to from plan and research mode. Once it is loaded."""
        return self._modes.before(self._open[agent])

    async def carry(self, agent: str, to: str) -> None:
        """The mode of its session to a new one. Raises Failed."""
        await self._modes.carry(await self._session_of(agent), to)

    async def standing(self) -> tuple[RuleLine, ...]:
        """The rules that count now. Raises Failed."""
        return tuple(dict.fromkeys(self._lines(await self._session_of(MAIN), MAIN)))

    async def allow(self, rules: tuple[str, ...], scene: Scene) -> None:
        """For its session. Raises Failed; then they do not count."""
        agent = agent_of(scene.agent)
        before = self._sandbox_unasked(self._open[agent], agent)
        await self._grants.add(self._open[agent], rules, scene.context.level)
        self._rules_changed(agent, before)

    async def allow_always(self, rules: tuple[str, ...], source: str, scene: Scene) -> None:
        """They are in that file by now. Raises Failed; then they do not count."""
        agent = agent_of(scene.agent)
        before = self._sandbox_unasked(self._open[agent], agent)
        await self._always.add(rules, source)
        self._rules_changed(agent, before)

    async def forget(self, rule: RuleLine) -> None:
        """Raises Failed; then it still counts."""
        session_id = await self._session_of(MAIN)
        before = self._sandbox_unasked(session_id, MAIN)
        if rule.source == SESSION:
            await self._grants.forget(session_id, rule.text)
        else:
            await self._always.forget(rule)
        self._rules_changed(MAIN, before)

    def _lines(self, session_id: str, agent: str) -> tuple[RuleLine, ...]:
        return (*self._always.lines, *self._grants.lines(session_id, self.workers.level(agent)))

    def _sandbox_unasked(self, session_id: str, agent: str) -> bool:
        return any(line.verdict == "allow" and is_for_sandbox(line.text) for line in self._lines(session_id, agent))

    def _rules_changed(self, agent: str, before: bool) -> None:
        if (counts := self._sandbox_unasked(self._open[agent], agent)) != before:
            self._mailbox.tell("ui", SandboxUnasked(counts=counts))
        self._has_changed()

    def _has_changed(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    async def change(self) -> None:
        """Until the next one; what was decided before may be decided otherwise then."""
        await self._changed.wait()
