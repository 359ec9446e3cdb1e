"""/terminal-setup: which terminal this is, and what it still needs to tell Shift+Enter from Enter. It changes nothing.

What terminals do by themselves is from their own documentation, as of 2026; the sequence is CSI u, which Trouper reads
whether or not it has asked for it.
"""

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ui.common.harmless import one_line

Environ = Mapping[str, str]
ALWAYS = "A new line in every terminal: Ctrl-J, or \\ and Enter."
BY_ITSELF = "It tells Shift+Enter from Enter by itself: nothing is to be done."
UNKNOWN = (
    "What it can do is not known here. If Shift+Enter sends the prompt, have it send ESC [13;2u for that key, where "
    "its settings can do so."
)
TMUX = """Add to ~/.tmux.conf, and start tmux anew:
    set -s extended-keys on
    set -as terminal-features 'xterm*:extkeys'
    set -g focus-events on
    set -g set-clipboard on
Shift+Enter needs the first two, and a terminal around tmux that sends it.
Notifications while you look elsewhere need the third, /copy the fourth."""
SCREEN = "GNU screen passes neither Shift+Enter nor the clipboard on, and no setting of it does: use Ctrl-J."
VSCODE = """Add to keybindings.json (command: Preferences: Open Keyboard Shortcuts (JSON)):
    {"key": "shift+enter", "command": "workbench.action.terminal.sendSequence",
     "args": {"text": "\\u001b[13;2u"}, "when": "terminalFocus"}"""
WINDOWS = """Add to "actions" in its settings.json:
    {"command": {"action": "sendInput", "input": "\\u001b[13;2u"}, "keys": "shift+enter"}"""
WEZTERM = """Add to wezterm.lua:
    config.enable_kitty_keyboard = true"""
ITERM = "From version 3.5 it tells Shift+Enter from Enter, unless Settings, Profiles, Keys forbids to ask for it."
APPLE = """It cannot tell Shift+Enter from Enter.
The Alt keys need: Settings, Profiles, Keyboard, "Use Option as Meta key"."""
VTE = "It cannot tell Shift+Enter from Enter: use Ctrl-J, or Alt+Enter while nothing is under way."
KONSOLE = """Settings, Edit Current Profile, Keyboard, Edit: change the entry Return+Shift to
    \\E[13;2u"""
ALACRITTY = "From version 0.13 it tells Shift+Enter from Enter by itself: nothing is to be done."


class Kind(NamedTuple):
    name: str
    is_it: Callable[[Environ], bool]
    needs: str


KINDS = (
    Kind("kitty", lambda environ: environ.get("TERM") == "xterm-kitty", BY_ITSELF),
    Kind("Ghostty", lambda environ: "ghostty" in (environ.get("TERM_PROGRAM"), _family(environ)), BY_ITSELF),
    Kind("WezTerm", lambda environ: environ.get("TERM_PROGRAM") == "WezTerm", WEZTERM),
    Kind("iTerm2", lambda environ: environ.get("TERM_PROGRAM") == "iTerm.app", ITERM),
    Kind("Terminal of macOS", lambda environ: environ.get("TERM_PROGRAM") == "Apple_Terminal", APPLE),
    Kind("VS Code, or an editor made of it", lambda environ: environ.get("TERM_PROGRAM") == "vscode", VSCODE),
    Kind("Windows Terminal", lambda environ: "WT_SESSION" in environ, WINDOWS),
    Kind("Konsole", lambda environ: "KONSOLE_VERSION" in environ, KONSOLE),
    Kind("a terminal of VTE, such as GNOME's", lambda environ: "VTE_VERSION" in environ, VTE),
    Kind("Alacritty", lambda environ: _family(environ) == "alacritty", ALACRITTY),
    Kind("foot", lambda environ: _family(environ) == "foot", BY_ITSELF),
    Kind("xterm", lambda environ: "XTERM_VERSION" in environ, BY_ITSELF),
)
"""The first one counts."""


def in_words(environ: Environ = os.environ) -> str:
    """environ: of the terminal."""
    around = next((kind for kind in KINDS if kind.is_it(environ)), None)
    if "TMUX" in environ:
        return "\n".join((_detected("tmux", environ), TMUX, ALWAYS))  # what is around it, it does not say
    if "STY" in environ:
        return "\n".join((_detected("GNU screen", environ), SCREEN, ALWAYS))
    if around is None:
        return "\n".join((_detected("none that is known", environ), UNKNOWN, ALWAYS))
    return "\n".join((_detected(around.name, environ), around.needs, ALWAYS))


def _detected(name: str, environ: Environ) -> str:
    program = one_line(environ.get("TERM_PROGRAM", ""))[:40]
    told = ", ".join(filter(None, (f"TERM={one_line(environ.get('TERM', ''))[:40]}", program)))
    remote = " Over ssh, what is to be set is set where the terminal runs." if "SSH_TTY" in environ else ""
    return f"terminal: {name} ({told}).{remote} Nothing is changed for you."


def _family(environ: Environ) -> str:
    """xterm-ghostty, foot-extra, alacritty-direct: the first word that is none of xterm's."""
    return environ.get("TERM", "").removeprefix("xterm-").partition("-")[0]
