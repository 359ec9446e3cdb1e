"""Keys of a list of sessions beside those that find one: for all projects, and to delete the marked one. No I/O."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ui.screen.composer.key_names import plain
from ui.screen.composer.keymap import Binding, KeyMap, pressed
from ui.screen.terminal.keys import Event

SESSION_LISTS = {"sessions": "all projects", "all sessions": "this project"}
"""Kinds of questions that are such lists, and whose sessions the other one has."""
YES = "y"
"""Deletes what was asked about, as the key that has asked does."""


@dataclass(frozen=True)
class Wish:
    """To be done with a list of sessions, which stays open."""

    number: int
    """Of the question."""
    act: Literal["switch", "delete"]
    """switch: to the other of the two lists."""
    choice: str
    """Id of the marked session; "" where there is none."""


class SessionKeys:
    def __init__(self, keys: KeyMap) -> None:
        self._keys, self._acts = keys, keys.by_key(SESSIONS)
        self.doomed = ""
        """Id of the session that is deleted when the user says so once more; any other key takes it back."""

    def takes(self, event: Event) -> bool:
        """The key is for these."""
        return self.doomed != "" or pressed(event) in self._acts

    def key(self, event: Event, number: int, marked: str) -> Wish | None:
        """marked: id of a session, or ""."""
        if self.doomed:
            sure, doomed, self.doomed = self.confirms(event), self.doomed, ""
            return Wish(number, "delete", doomed) if sure else None
        return self._acts[pressed(event)](self, number, marked)

    def confirms(self, event: Event) -> bool:
        """It deletes what was asked about."""
        again = self._acts.get(pressed(event)) is SessionKeys.delete_session
        return self.doomed != "" and (again or pressed(event) == YES)

    def all_projects(self, number: int, marked: str) -> Wish:
        return Wish(number, "switch", marked)

    def delete_session(self, number: int, marked: str) -> None:  # noqa: ARG002
        self.doomed = marked

    @property
    def shown(self) -> tuple[str, str]:
        """The first key of each of the two; "" of one that has none."""
        switch, delete = (plain(next(iter(self._keys.keys(binding)), "")) for binding in SESSIONS)
        return switch, delete


SESSIONS: tuple[Binding[Callable[[SessionKeys, int, str], Wish | None]], ...] = (
    Binding(("ctrl+a",), SessionKeys.all_projects, "the sessions of all projects; again: those of this one"),
    Binding(
        ("ctrl+d",),
        SessionKeys.delete_session,
        "delete the marked session: it, or `y`, once more does it, any other key takes it back",
    ),
)
