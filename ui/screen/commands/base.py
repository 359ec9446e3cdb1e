"""What a slash command is, and what it may do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from actors.messages.tool import Mode
from actors.settings.config import Settings


class Misused(Exception):
    """A line that means nothing, with how it is written, for the user; the line is there again to be changed."""


class Reports(Protocol):
    """What is shown of the session, and what is taken out of it."""

    def cost(self) -> None: ...
    def status(self) -> None: ...
    def tools(self) -> None: ...
    def skills(self) -> None: ...
    def todo(self) -> None: ...
    def doctor(self) -> None: ...
    def terminal_setup(self) -> None: ...
    def changes(self) -> None:
        """What is not committed."""

    def changes_of_session(self) -> None:
        """What is otherwise than before its first prompt."""

    def copy(self, which: str) -> None:
        """which: the number of a block of code; "" to choose."""

    def export(self, file: str) -> None: ...


class Actions(Protocol):
    """The screen, as commands see it."""

    @property
    def settings(self) -> Settings: ...
    @property
    def reports(self) -> Reports: ...

    def say(self, text: str, level: str = "info") -> None: ...
    def show_help(self) -> None: ...
    def show_keys(self) -> None: ...
    def set_mode(self, mode: Mode) -> None: ...
    def toggle_plan(self) -> None: ...
    def research(self, question: str) -> None:
        """Into research mode with a question; without one, into it or out of it."""

    def show_rules(self) -> None: ...
    def forget_rule(self, which: str) -> None:
        """which: its number in the list that was shown, or its text."""

    def set_model(self, model: str, effort: str | None) -> None:
        """model: "" for the one there is; effort: "" for its service's default, None for the one there is."""

    def offer_models(self, wanted: str) -> None: ...
    def offer_efforts(self) -> None: ...
    def attach(self, text: str) -> None: ...
    def attach_clipboard(self) -> None:
        """The image that is in it."""

    def bring_back(self, line: str) -> None:
        """Into the composer, to be changed or typed over."""

    def prompt(self, text: str) -> None:
        """Send it as it is."""

    def go_to(self, which: str) -> None:
        """which: its number in the session's tree; "" to choose there."""

    def label_place(self, text: str) -> None: ...
    def fork(self) -> None: ...
    def rewind(self) -> None: ...
    def undo_rewind(self) -> None: ...
    def resume(self, which: str) -> None:
        """which: the beginning of an id, or words; "" to choose."""

    def take_over(self) -> None:
        """What is only looked at here."""

    def choose_agent(self) -> None:
        """Among the subagents."""

    def look_at_agent(self, name: str) -> None: ...
    def tell_agent(self, name: str, text: str) -> None: ...
    def do_with_agent(self, what: str, name: str) -> None:
        """what: cancel, merge or resume."""

    def choose_job(self) -> None:
        """Among the commands in the background."""

    def do_with_job(self, what: str, which: str) -> None:
        """what: look or stop; which: an id or the beginning of its command."""

    def choose_server(self) -> None:
        """Among the MCP servers."""

    def look_at_server(self, name: str) -> None: ...
    def do_with_server(self, what: str, name: str) -> None:
        """what: restart, login or logout."""

    def begin_session(self, prompt: str) -> None: ...
    def name_session(self, text: str) -> None: ...
    def show_context(self) -> None: ...
    def show_budget(self) -> None: ...
    def raise_budget(self, usd: float) -> None: ...
    def compact(self, wishes: str) -> None: ...
    def set_theme(self, name: str) -> None: ...
    def offer_themes(self) -> None: ...
    def leave(self) -> None: ...


@dataclass(frozen=True)
class Command:
    name: str
    arguments: str
    """As shown in /help."""
    summary: str
    run: Callable[[Actions, str], None]
    completes: tuple[str, ...] = ()
    """What its argument may be, word for word: small words as they are, and for a name MODEL, EFFORT, MODE, SESSION,
    AGENT, SERVER or RULE; in brackets what may be left out. Where these names come from: ui/screen/completion/sources.
    """
