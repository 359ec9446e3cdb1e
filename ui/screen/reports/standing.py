"""/status: what one would paste into a report, and nothing secret in it."""

import os
import platform
from collections.abc import Mapping
from pathlib import Path

from actors.common.checkout import git_branch
from actors.settings.config import Settings
from actors.version import VERSION
from ui.common import harmless
from ui.common.amounts import price, thousands
from ui.common.modes import SHORT
from ui.screen.session_view import SessionView
from ui.start.first_frame import short


def in_words(settings: Settings, session: SessionView, session_id: str, environ: Mapping[str, str] = os.environ) -> str:
    """environ: of the terminal; named are only its kind and its multiplexer."""
    tokens = session.usage.input_tokens + session.usage.output_tokens
    inside = "unrestricted" if session.unrestricted else session.sandbox or "not known before the first call"
    rows = (
        ("version", f"trouper {VERSION}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"),
        ("session", f"{session_id}{f', called {session.called}' if session.called else ''}"),
        ("model", f"{session.name or 'not chosen yet'} {session.effort}".rstrip()),
        ("mode", SHORT[session.mode]),
        ("sandbox", inside),
        ("folder", _folder(settings.cwd)),
        ("context", f"{thousands(tokens)} tok; /context shows where they go" if tokens else "empty"),
        ("cost", price(session.used.known_cost_usd)),
        ("MCP servers", f"{len(settings.mcp)} configured; /mcp shows how they stand" if settings.mcp else "none"),
        ("agents", f"{len(session.subagents.at_work) or 'none'} at work"),
        ("terminal", _terminal(environ)),
        ("settings", f"{settings.home}; trouper doctor looks whether all of it works"),
    )
    return "\n".join(f"{name:<11}  {harmless.one_line(text)}" for name, text in rows)


def _folder(cwd: str) -> str:
    branch = git_branch(Path(cwd))
    return short(cwd) + (f" ({branch})" if branch else "")


def _terminal(environ: Mapping[str, str]) -> str:
    program = environ.get("TERM_PROGRAM", "")
    parts = (environ.get("TERM", ""), program, "in tmux" if environ.get("TMUX") and program != "tmux" else "")
    return ", ".join(filter(None, parts)) or "unknown"
