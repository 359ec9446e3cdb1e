"""The rules that count now, for the user to see; and taking back those that were given as an answer."""

from pathlib import Path

import trio

from actors.errors import BadConfiguration, failed
from actors.gate.standing.agent_states import AgentStates
from actors.gate.standing.session_grants import SESSION
from actors.messages.tool import StandingRule
from actors.settings.config import Settings
from actors.settings.permissions import RuleLine
from actors.settings.saved_rules import forget
from actors.settings.workspace_files import LOCAL_FILE


class Revocation:
    def __init__(self, settings: Settings, states: AgentStates) -> None:
        self._settings = settings
        self._states = states

    async def rules(self) -> tuple[StandingRule, ...]:
        """Raises Failed."""
        return tuple(map(_shown, await self._states.standing()))

    async def forget(self, rule: StandingRule) -> None:
        """Raises Failed, also when it counts no more and only its file could not be changed."""
        line = RuleLine(verdict=rule.verdict, text=rule.text, source=rule.source)
        if not _was_answer(line):
            raise failed("bad_request", f'The rule "{rule.text}" is not forgotten: change it in {rule.source}.')
        why = "" if line.source == SESSION else await self._out_of_file(line)
        await self._states.forget(line)
        if why:
            text = f'The rule "{rule.text}" does not count any more in this session, but it is still in its file: {why}'
            raise failed("bad_configuration", text)

    async def _out_of_file(self, line: RuleLine) -> str:
        """Why it could not be taken out; "" when it is out."""
        home = Path(self._settings.home)
        try:
            await trio.to_thread.run_sync(forget, Path(line.source), line.text, home, ("allow",))
        except (BadConfiguration, OSError) as error:
            return str(error)
        return ""


def _shown(line: RuleLine) -> StandingRule:
    return StandingRule(verdict=line.verdict, text=line.text, source=line.source, can_be_forgotten=_was_answer(line))


def _was_answer(line: RuleLine) -> bool:
    """Where answers go: into the session, or the local file."""
    return line.verdict == "allow" and (line.source == SESSION or line.source.endswith(f"/{LOCAL_FILE}"))
