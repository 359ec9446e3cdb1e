"""Commands that are files of the user's or the repository's: which there are. What is built in always comes first."""

from pathlib import Path

from actors.settings.config import Settings
from actors.texts import templates
from actors.texts.documents import hidden_by
from actors.texts.templates import Found
from ui.common.mcp import prompt_lines
from ui.screen.commands.table import BY_NAME

_THEIRS = " (the repository's)"


def known(settings: Settings) -> Found:
    """As they are on the disk now."""
    return templates.find(settings, Path.home(), hidden_by(settings.rules))


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
