"""Commands that are files of the user's or the repository's: which there are. What is built in always comes first."""

from collections.abc import Iterable
from pathlib import Path

from actors.common.plurals import how_many
from actors.messages.mcp import ServerIs
from actors.settings.config import Settings
from actors.texts import templates
from actors.texts.documents import hidden_by
from actors.texts.templates import LONGEST_DESCRIPTION, Found
from ui.common.mcp import prompt_lines
from ui.screen.commands.table import BY_NAME

MOST_LISTED = 40
_THEIRS = " (the repository's)"


def known(settings: Settings) -> Found:
    """As they are on the disk now."""
    return templates.find(settings, Path.home(), hidden_by(settings.rules))


def of_servers(servers: Iterable[ServerIs]) -> list[tuple[str, str]]:
    """For /help: their prompts."""
    found = [
        (prompt_lines.usage(server.name, prompt), f"{_brief(prompt.description)} (the MCP server's)".lstrip())
        for server in servers
        for prompt in server.prompts
    ]
    extra = len(found) - MOST_LISTED
    more = [(f"{how_many(extra, 'more prompt')}", "trouper mcp get NAME lists them")] if extra > 0 else []
    return [*found[:MOST_LISTED], *more]


def _brief(text: str) -> str:
    return " ".join(text.split())[:LONGEST_DESCRIPTION]


def is_of_server(settings: Settings, line: str) -> bool:
    """It names an MCP server; whether that counts and has such a prompt is seen when it is asked."""
    prompt = prompt_lines.read(line)
    configured = {*(one.name for one in settings.mcp), *(one.name for one in settings.mcp_left_out)}
    return prompt is not None and prompt.server in configured


def rows(settings: Settings) -> list[tuple[str, str]]:
    """For /help, with what does not count."""
    found = known(settings)
    shown = [
        (f"/{each.name} {each.arguments}".strip(), f"{each.description or each.path}{'' if each.own else _THEIRS}")
        for each in found.templates
        if each.name not in BY_NAME
    ]
    hidden = [f"/{each.name} of {each.path} is built in" for each in found.templates if each.name in BY_NAME]
    return [*shown, *(("not counted", why) for why in (*hidden, *found.notices))]
