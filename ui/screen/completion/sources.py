"""What there is to complete to: known at once from the tables, asked of gate, store and providers while one types."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.mcp import DescribeServers, ServerIs, ServersAre
from actors.messages.model import ListModels, Models, ResolvedModel, ResolveModel
from actors.messages.store import ListSessions, Sessions, SessionSummary
from actors.messages.tool import DescribeRules, Rules
from actors.messages.turn import FilesFound, FindFiles
from actors.settings.config import Settings
from ui.common.amounts import age
from ui.common.harmless import one_line
from ui.common.mcp import prompt_lines
from ui.screen.commands import typed
from ui.screen.commands.base import Command
from ui.screen.commands.table import ALIASES, BY_NAME
from ui.screen.completion.arguments import expected
from ui.screen.completion.candidates import Candidate, Matches, matching, near
from ui.screen.completion.targets import Target
from ui.screen.shown import Shown

MOST = 50
"""Files that are asked for at once."""
ID_SHOWN = 8
"""Characters of a session's id."""
LISTED = 100
"""Sessions, the latest."""
LOOKS = "looking for files"


class Sources:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        shown: Shown,
        start: Callable[..., None],
        told: Callable[[], None],
    ) -> None:
        """start: a task: its function and arguments. told: there is news."""
        self._mailbox = mailbox
        self._settings = settings
        self._shown = shown
        self._start = start
        self._told = told
        self._known: dict[str, list[Candidate]] = {}
        self._wanted = ""
        self._files: tuple[str, FilesFound] | None = None
        """The letters, and what was found."""
        self._looking = False
        self._ask: dict[str, Callable[[], Awaitable[list[Candidate]]]] = {
            "/": self._typed_commands,
            "@": self._resources,
            "#": self._earlier,
            "MODEL": self._models,
            "EFFORT": self._efforts,
            "SESSION": self._sessions,
            "SERVER": self._server_names,
            "RULE": self._rules,
            "KIND": self._kinds,
        }

    def begin(self, target: Target) -> None:
        """It is about to be completed: what others know is asked anew; until they have said it what they said before
        counts.
        """
        for source in self._others(target):
            self._start(self._learn, source)

    def matches(self, target: Target) -> Matches:
        match target.kind:
            case "command":
                built_in = [_candidate(command) for command in BY_NAME.values()]
                return _all(matching(target.word, [*built_in, *self._known.get("/", [])], "/"))
            case "argument":
                candidates, places = expected(_forms(target.command), target.before)
                candidates += [replace(one, goes_on=more) for place, more in places.items() for one in self._of(place)]
                return _all(matching(target.word, candidates))
            case "mention":
                return self._mentions(target)
            case "session":
                return _all(near(target.word, self._known.get("#", [])))

    def _others(self, target: Target) -> list[str]:
        match target.kind:
            case "command":
                return ["/"]
            case "argument":
                _, places = expected(_forms(target.command), target.before)
                return [place for place in places if place in self._ask]
            case "mention":
                return [*(["@"] if self._settings.mcp else []), *(["KIND"] if target.start == 0 else [])]
            case "session":
                return ["#"]

    def _of(self, place: str) -> list[Candidate]:
        return self._agents() if place == "AGENT" else self._known.get(place, [])

    def _agents(self, sign: str = "") -> list[Candidate]:
        return [
            Candidate(f"{sign}{one_line(each.name)}", f"agent, {each.state}") for each in self._shown.own.subagents.all
        ]

    def _mentions(self, target: Target) -> Matches:
        """Agents and resources, and the files that the worker has found; of other letters until it has again.

        What the prompt begins with may be the kind of subagents that is to do it.
        """
        word = target.word
        kinds = [one for one in self._known.get("KIND", []) if not target.start and word.casefold() in one.text]
        near = matching(word, [*kinds, *self._agents("@")], "@")
        named = matching(word, self._known.get("@", []), "@") if word else []
        if self._files is None or self._files[0] != word:
            self._wanted = word
            if not self._looking:
                self._looking = True
                self._start(self._look)
        if self._files is None:
            return Matches((*near, *named), len(near) + len(named), LOOKS)
        letters, found = self._files
        files = [_file(path) for path in found.paths]
        if letters != word:
            files = matching(word, files, "@")
        total = found.total if letters == word else len(files)
        return Matches((*near, *files, *named), len(near) + total + len(named), found.why)

    async def _look(self) -> None:
        """For the files that are wanted last, until they are found."""
        try:
            while self._files is None or self._files[0] != self._wanted:
                letters = self._wanted
                try:
                    found = await self._mailbox.insist("gate", FindFiles(letters=letters, most=MOST), FilesFound)
                except Failed as failure:
                    found = FilesFound(paths=(), total=0, why=str(failure))
                self._files = letters, found
                self._told()
        finally:
            self._looking = False

    def forget_files(self) -> None:
        """They may be others the next time."""
        self._files = None

    async def _learn(self, source: str) -> None:
        try:
            self._known[source] = await self._ask[source]()
        except Failed:
            return  # who asks for it in earnest is told why
        self._told()

    async def _typed_commands(self) -> list[Candidate]:
        """The user's own and the repository's, and prompts of MCP servers."""
        found = await trio.to_thread.run_sync(typed.known, self._settings)
        own = [
            Candidate(f"/{one.name}", one_line(one.description or one.arguments), goes_on="<" in one.arguments)
            for one in found.templates
            if one.name not in BY_NAME
        ]
        return own + [
            Candidate(
                f"/{server.name}:{one_line(prompt_lines.typed_name(prompt))}",
                one_line(prompt.description),
                goes_on=any(argument.required for argument in prompt.arguments),
            )
            for server in await self._servers()
            for prompt in server.prompts
        ]

    async def _servers(self) -> tuple[ServerIs, ...]:
        """Raises Failed."""
        if not (self._settings.mcp or self._settings.mcp_left_out):
            return ()
        return (await self._mailbox.insist("gate", DescribeServers(), ServersAre)).servers

    async def _server_names(self) -> list[Candidate]:
        return [Candidate(one_line(one.name), one.state) for one in await self._servers()]

    async def _resources(self) -> list[Candidate]:
        return [
            Candidate(f"@{server.name}:{one_line(each.uri)}", one_line(each.name))
            for server in await self._servers()
            for each in server.resources
        ]

    async def _models(self) -> list[Candidate]:
        listed = await self._mailbox.insist("providers", ListModels(filter=""), Models)
        return [Candidate(one_line(one.model)) for one in listed.models if one.usable]

    async def _efforts(self) -> list[Candidate]:
        asked = ResolveModel(model=self._shown.own.name)
        facts = (await self._mailbox.insist("providers", asked, ResolvedModel)).facts
        return [Candidate(one_line(one)) for one in (*facts.choices, "default")]

    async def _sessions(self) -> list[Candidate]:
        return [Candidate(one.session_id[:ID_SHOWN], _called(one)) for one in await self._others_here()]

    async def _earlier(self) -> list[Candidate]:
        from ui.common.mentions.sessions import reference  # only who begins with a # pays for it

        now = time.time()
        return [
            Candidate(reference(one.session_id), age(max(now - one.updated_at, 0.0)), shown=_called(one))
            for one in await self._others_here()
        ]

    async def _others_here(self) -> list[SessionSummary]:
        asked = ListSessions(cwd=self._settings.cwd, limit=LISTED)
        listed = (await self._mailbox.insist("store", asked, Sessions)).sessions
        return [one for one in listed if one.session_id != self._shown.own.session_id]

    async def _kinds(self) -> list[Candidate]:
        from ui.common.mentions import addressee  # only who begins with an @ pays for it

        there = await trio.to_thread.run_sync(addressee.known, self._settings)
        return [Candidate(f"@{one_line(one.name)}", f"a subagent: {one_line(one.description)}") for one in there]

    async def _rules(self) -> list[Candidate]:
        rules = (await self._mailbox.insist("gate", DescribeRules(), Rules)).rules
        return [Candidate(one_line(one.text), one_line(one.source)) for one in rules if one.can_be_forgotten]


def _called(session: SessionSummary) -> str:
    return one_line(session.name or session.title)


def _candidate(command: Command) -> Candidate:
    needs = bool(command.arguments) and not command.arguments.startswith("[")
    also = " ".join(alias for alias, name in ALIASES.items() if name == command.name)
    return Candidate(f"/{command.name}", command.summary, needs, also, f"/{command.name} {command.arguments}".strip())


def _forms(command: str) -> tuple[str, ...]:
    return BY_NAME[command].completes if command in BY_NAME else ()


def _file(path: str) -> Candidate:
    """One with blanks is in quotes; those of a folder stay open for what is in it."""
    is_folder = path.endswith("/")
    quoted = any(letter.isspace() for letter in path) or '"' in path
    text = f'@"{path}{"" if is_folder else chr(34)}' if quoted else f"@{path}"
    return Candidate(text, goes_on=is_folder, shown=one_line(path))


def _all(candidates: list[Candidate]) -> Matches:
    return Matches(tuple(candidates), len(candidates))
