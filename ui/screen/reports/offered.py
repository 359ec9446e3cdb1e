"""/tools, /skills and /todo: what the model has to work with now, and what it has noted to do."""

from dataclasses import dataclass
from pathlib import Path

from actors.common.plurals import how_many
from actors.messages.tool import Tools
from actors.settings.config import Settings
from actors.texts import skills
from actors.texts.documents import hidden_by
from ui.common import harmless
from ui.common.modes import LOOKING, SHORT
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import todo

WHERE = {
    "worker": "in the sandbox",
    "web": "network only",
    "open": "no sandbox",
    "gate": "asks you",
    "agent": "the agent itself",
    "mcp": "MCP server",
}
NO_SKILLS = "there are no skills; one is a folder with a SKILL.md in {home}/skills or .trouper/skills"


@dataclass(frozen=True)
class Steps:
    """Of the agent's list, a row each."""

    steps: tuple[todo.Step, ...]

    def rows(self, width: int, theme: Theme) -> list[str]:
        return ["", *(cells.clip(theme.row(row), width) for row in todo.rows(self.steps))]


def tools_in_words(tools: Tools, settings: Settings) -> str:
    """A line a tool, and why some that one may look for are not there."""
    groups: dict[str, list[str]] = {}
    for tool in tools.tools:
        place = f"MCP server {tool.server}" if tool.server else WHERE[tool.runs_in]
        groups.setdefault(harmless.one_line(place), []).append(harmless.one_line(tool.server_tool or tool.name))
    widest = max(map(len, groups), default=0)
    lines = [f"{place:<{widest}}  {', '.join(sorted(names))}" for place, names in groups.items()]
    count = f"{how_many(len(tools.tools), 'tool')} in mode {SHORT[tools.mode]}"
    return "\n".join([count, *lines, *_missing(tools, settings)])


def _missing(tools: Tools, settings: Settings) -> list[str]:
    there = {tool.name for tool in tools.tools}
    why = []
    if tools.mode in LOOKING:
        why.append("what changes anything is refused in this mode: shift+tab leaves it")
    if "web_search" not in there and not settings.searching:
        why.append("web_search is missing: no search service is set up (docs/configuration.md)")
    denied = [line.text for line in settings.rules if line.verdict == "deny" and "(" not in line.text]
    if denied:
        why.append(f"denied by rules: {', '.join(map(harmless.one_line, denied))} (/permissions shows where)")
    return why


def skills_in_words(settings: Settings, user_home: Path) -> str:
    """As they are on the disk now."""
    found = skills.find(settings, user_home, hidden_by(settings.rules))
    rows = [
        (harmless.one_line(one.name), harmless.one_line(one.description) + ("" if one.own else " (the repository's)"))
        for one in found.skills
    ]
    widest = max((len(name) for name, _ in rows), default=0)
    lines = [f"{name:<{widest}}  {what}" for name, what in rows] or [NO_SKILLS.format(home=settings.home)]
    return "\n".join([*lines, *map(harmless.one_line, found.notices)])
